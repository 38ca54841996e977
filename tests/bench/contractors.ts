import { createHash } from 'node:crypto'
import pg from 'pg'
import { pages } from './cases'
import { type Measured, measure, send } from './load'

const path = '/api/v1/platform/setting/contractors'

/** The sizes that are compared; each contractor has two people with five roles each. */
export const contractorSizes = [1_000, 100_000] as const

/** As the filling makes it: names and numbers differ as those of companies do. */
const nameOf = (n: number) =>
  [...createHash('md5').update(String(n)).digest('hex').slice(0, 10)]
    .map((digit) => 'абвгдежзиклмнопр'[Number.parseInt(digit, 16)])
    .join('')
const innOf = (n: number) => String(1_000_000_000 + ((n * 2_654_435_761) % 8_999_999_993))

const uses = {
  list: '',
  'list by change': '?sortBy=updatedAt&sort=desc',
  search: `?${new URLSearchParams({ 'filter[search]': nameOf(777).slice(0, 7) })}`,
  'search by inn': `?${new URLSearchParams({ 'filter[search]': innOf(777).slice(0, 8) })}`,
}

/** Names of the cases, for `ONLY`. */
export const contractorCase = (size: number, use: string) => `contractors, ${use}, of ${size}`
export const contractorUses = [...Object.keys(uses), 'card', 'people']

/** The list of contractors, a search, a card and its people, read by an administrator. */
export async function contractorCases(
  origin: string,
  administrator: Map<string, string>,
  size: number,
  seconds: number,
) {
  const search = `${path}${uses.search}`
  const { body } = await send(origin, { path: search, cookies: administrator })
  const [one] = JSON.parse(body).contractors as { id: string }[]
  if (!one) throw new Error(`there is nothing at ${search}`)
  const addresses: Record<string, string> = {
    ...Object.fromEntries(Object.entries(uses).map(([use, query]) => [use, path + query])),
    card: `${path}/${one.id}`,
    people: `${path}/${one.id}/people`,
  }
  return Object.fromEntries(
    Object.entries(addresses).map(([use, address]): [string, () => Promise<Measured>] => [
      contractorCase(size, use),
      () => measure(2, seconds, pages(origin, address, administrator)),
    ]),
  )
}

const filling = [
  `insert into contractors (name, inn, kpp, external_code, created_at, updated_at)
    select 'ООО «' || translate(left(md5(n::text), 10), '0123456789abcdef', 'абвгдежзиклмнопр') || '» measured ' || n,
      (1000000000 + (n * 2654435761) % 8999999993)::text, '770101001', 'M' || n, now(),
      now() - n * interval '1 minute'
    from generate_series((select count(*) from contractors where external_code like 'M%') + 1, $1::bigint) n`,
  `insert into contractor_organizations (contractor_id, organization_id)
    select c.id, o.id from contractors c cross join (select id from organizations order by id limit 2) o
    where c.external_code like 'M%' on conflict do nothing`,
  `insert into user_contractors (user_id, contractor_id)
    select u.id, c.id from contractors c
    cross join lateral (values (0), (1)) person (n)
    join (select id, row_number() over (order by id) - 1 as n, count(*) over () as all_of from users) u
      on u.n = (substr(c.external_code, 2)::bigint * 2 + person.n) % u.all_of
    where c.external_code like 'M%' on conflict do nothing`,
  `insert into roles (name, role_type)
    select 'measured ' || n, 'contractor' from generate_series((select count(*) from roles where name like 'measured %') + 1, 5) n`,
  `insert into user_contractor_roles (user_id, contractor_id, organization_id, role_id)
    select uc.user_id, uc.contractor_id, (select id from organizations order by id limit 1), r.id
    from user_contractors uc join contractors c on c.id = uc.contractor_id and c.external_code like 'M%'
    cross join (select id from roles where name like 'measured %') r on conflict do nothing`,
]

/** What the list, a search and a card ask PostgreSQL, for its plans. */
const questions = {
  list: `select * from contractors order by name, id limit 20`,
  search: ['name ilike', 'inn like', 'kpp ilike', 'external_code ilike']
    .map((each) => `${each} '%${nameOf(777).slice(0, 7)}%'`)
    .join(' or ')
    .replace(/^(.*)$/, 'select * from contractors where $1 order by name, id limit 20'),
  'people of a card': `select count(*) from user_contractors
    where contractor_id = (select id from contractors where external_code = 'M777')`,
  'roles of a card': `select count(*) from user_contractor_roles
    where contractor_id = (select id from contractors where external_code = 'M777')`,
  'possible doubles': `select id from contractors where name % (select name from contractors where external_code = 'M777') limit 50`,
}

/** Brings the number of contractors to `size`, as the owner; prints how PostgreSQL plans what is asked of them. */
export async function fillContractors(size: number) {
  const owner = new pg.Client(process.env.DATABASE_OWNER_URL)
  await owner.connect()
  for (const statement of filling) await owner.query(statement, statement.includes('$1') ? [size] : [])
  await owner.query('vacuum analyze contractors, contractor_organizations, user_contractors, user_contractor_roles')
  for (const [what, question] of Object.entries(questions)) {
    const { rows } = await owner.query<{ 'QUERY PLAN': string }>(`explain (analyze, buffers, costs off) ${question}`)
    console.log(`${what}, of ${size}\n${rows.map((row) => `  ${row['QUERY PLAN']}`).join('\n')}`)
  }
  await owner.end()
  // until the server's own tidying is over
  await new Promise((resolve) => setTimeout(resolve, 10_000))
}
