import { idOf, pages } from './cases'
import { contractorsUpTo, fill, innOf, peopleUpTo, searched, word, wordOf } from './filling'
import { type Measured, measure } from './load'

/** The sizes that are compared: contractors, people, and links of people to roles. */
export const peopleSizes = [
  { contractors: 1_000, people: 1_000, links: 1_000 },
  { contractors: 100_000, people: 100_000, links: 1_000_000 },
] as const
type Size = (typeof peopleSizes)[number]

const path = '/api/v1/platform/setting'

/** The address of each use; `{contractor}` and so on stand for the id of what is called so. */
const uses: Record<string, string> = {
  'contractors, list': '/contractors',
  'contractors, list by change': '/contractors?sortBy=updatedAt&sort=desc',
  'contractors, search': `/contractors${searched(wordOf(777).slice(0, 7))}`,
  'contractors, search by inn': `/contractors${searched(innOf(777).slice(0, 8))}`,
  'contractors, card': '/contractors/{contractor}',
  'contractors, people': '/contractors/{contractor}/people',
  'roles, list': '/roles',
  'roles, search': `/roles${searched('measured role 2')}`,
  'roles, card': '/roles/{role}',
  'roles, holders': '/roles/{role}/holders',
  // of a role that fills three pages in both sizes: an empty page would be compared with a full one
  'roles, holders, page 3': '/roles/{systemic}/holders?meta[page]=3',
  'roles, holders, search': `/roles/{role}/holders${searched(wordOf(45).slice(0, 6))}`,
  'roles, holders of one in an organization': '/roles/{organizational}/holders',
  'roles, holders of a systemic one': '/roles/{systemic}/holders',
  'roles, holders of a rare one': '/roles/{rare}/holders',
  'organizations, list': '/organizations',
  'organizations, search': `/organizations${searched('measured organization 2')}`,
  'organizations, card': '/organizations/{organization}',
}

/** The name of a case, for `ONLY`. */
export const peopleCase = (use: string, { links }: Size) => `${use}, of ${links}`
export const peopleUses = Object.keys(uses)

const searches: Record<string, [list: string, search: string]> = {
  contractor: ['contractors', wordOf(777)],
  role: ['roles', 'measured role 22'],
  organizational: ['roles', 'measured organizational'],
  systemic: ['roles', 'measured systemic'],
  rare: ['roles', 'measured rare'],
  organization: ['organizations', 'measured organization 22'],
}

/** Lists, searches and cards of roles, organizations and contractors, read by an administrator. */
export async function peopleCases(origin: string, administrator: Map<string, string>, size: Size, seconds: number) {
  const ids: Record<string, string> = {}
  for (const [name, [list, search]] of Object.entries(searches))
    ids[name] = await idOf(origin, administrator, list, search)
  return Object.fromEntries(
    Object.entries(uses).map(([use, address]): [string, () => Promise<Measured>] => {
      const whole = path + address.replace(/\{(\w+)\}/, (_, name: string) => ids[name] ?? '')
      return [peopleCase(use, size), () => measure(2, seconds, pages(origin, whole, administrator))]
    }),
  )
}

/** Makes a table of the measured things of another, with their numbers from 0. */
const numbered = (name: string, table: string, where: string) => [
  `create temp table ${name} as select id, row_number() over (order by id) - 1 as n from ${table} where ${where}`,
  `create unique index on ${name} (n)`,
  `analyze ${name}`,
]

const filling = (size: Size): string[] => [
  `insert into organizations (name, code)
    select 'measured organization ' || n, 'measured-' || n from generate_series(1, 50) n on conflict do nothing`,
  `insert into roles (name, role_type)
    select name, role_type::role_type from (
      select 'measured role ' || n as name, 'contractor' as role_type from generate_series(1, 50) n
      union all values ('measured organizational', 'organizational'), ('measured systemic', 'systemic'), ('measured rare', 'systemic')
    ) made where not exists (select from roles where roles.name = made.name)`,
  contractorsUpTo(size.contractors, 'M', `'ООО «' || ${word('n')} || '» measured ' || n`),
  `insert into contractor_organizations (contractor_id, organization_id)
    select c.id, o.id from contractors c
    cross join (select id from organizations where code like 'measured-%' order by id limit 2) o
    where c.external_code like 'M%' on conflict do nothing`,
  peopleUpTo(size.people),
  ...numbered('person', 'users', `login like 'measured-%'`),
  ...numbered('company', 'contractors', `external_code like 'M%'`),
  ...numbered('place', 'organizations', `code like 'measured-%'`),
  ...numbered('given', 'roles', `name like 'measured role %'`),
  // a tenth of the links are in an organization; everybody has the systemic role, three people the rare one
  `insert into user_roles (user_id, role_id, organization_id)
    select p.id, (select id from roles where name = 'measured organizational'), o.id
    from person p join place o on o.n = p.n % 50 where p.n < ${size.links / 10}
    union all select p.id, (select id from roles where name = 'measured systemic'), null from person p
    union all select p.id, (select id from roles where name = 'measured rare'), null from person p where p.n < 3
    on conflict do nothing`,
  `insert into user_contractors (user_id, contractor_id)
    select p.id, c.id from person p cross join generate_series(0, 1) k
    join company c on c.n = (p.n * 2 + k) % ${size.contractors} on conflict do nothing`,
  // the rest: up to five roles of a person for each of two contractors
  `insert into user_contractor_roles (user_id, contractor_id, organization_id, role_id)
    select p.id, c.id, (select id from place where n = 0), g.id
    from generate_series(0, ${(size.links * 9) / 10 - 1}) link (n)
    join person p on p.n = link.n % ${size.people}
    join company c on c.n = (p.n * 2 + link.n / ${size.people} % 2) % ${size.contractors}
    join given g on g.n = (p.n * 5 + link.n / ${size.people} * 7 + p.n / 50) % 50
    on conflict do nothing`,
]

const named = (table: string, name: string) => `(select id from ${table} where name = '${name}')`
/** What the screens ask PostgreSQL, for its plans. */
const questions = {
  links: `select count(*) from (select from user_contractor_roles union all select from user_roles) link`,
  'contractors, list': 'select * from contractors order by name, id limit 20',
  'contractors, search': ['name ilike', 'inn like', 'kpp ilike', 'external_code ilike']
    .map((each) => `${each} '%${wordOf(777).slice(0, 7)}%'`)
    .join(' or ')
    .replace(/^(.*)$/, 'select * from contractors where $1 order by name, id limit 20'),
  'possible doubles': `select id from contractors
    where name % (select name from contractors where external_code = 'M777') limit 50`,
  'roles of a contractor': `select count(*) from user_contractor_roles
    where contractor_id = (select id from contractors where external_code = 'M777')`,
  'links of a role': `select user_id from user_contractor_roles
    where role_id = ${named('roles', 'measured role 22')} order by user_id limit 1001`,
  'people in an organization': `select user_id from user_contractor_roles
    where organization_id = ${named('organizations', 'measured organization 22')} limit 1001`,
}

/** Brings a database to this size, as its owner; prints how PostgreSQL plans what is asked of it. */
export const fillPeople = (ownerUrl: string, size: Size) =>
  fill(ownerUrl, filling(size), questions, `${size.links} links`)
