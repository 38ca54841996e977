import pg from 'pg'
import { pages } from './cases'
import { type Measured, measure, send } from './load'

const api = '/api/v1/platform/setting'

/** The numbers of role links that are compared: nine tenths for contractors, of which there are a tenth as many. */
export const linkSizes = [1_000, 1_000_000] as const

/** Names that differ as those of people and companies do. */
const ofN = `translate(left(md5(n::text), 10), '0123456789abcdef', 'абвгдежзиклмнопр')`

/** One statement for each table; $1 is the number of links. */
const filling = [
  'delete from authentication_schema_roles',
  `update authentication_schemas set first_factor = '{credentials,email_code}'`,
  'update users set password_change_required = false',
  `insert into users (login, fio, email) select 'measured' || n, ${ofN} || ' ' || n, 'measured' || n || '@nobody.example'
    from generate_series(1, $1::int / 10) n`,
  `insert into organizations (name, code) select 'Measured ' || n, 'measured-' || n from generate_series(1, 50) n`,
  `insert into contractors (name, inn, kpp, external_code)
    select 'ООО «' || ${ofN} || '» measured ' || n, (1000000000 + (n::bigint * 2654435761) % 8999999993)::text, '770101001', 'M' || n
    from generate_series(1, $1::int / 10) n`,
  `insert into roles (name, role_type) select 'measured ' || kind || ' ' || n, kind::role_type
    from unnest(array['systemic', 'organizational', 'contractor']) kind, generate_series(1, 30) n`,
  `insert into contractor_organizations select c.id, o.id from contractors c, organizations o
    where c.external_code like 'M%' and o.code in ('measured-1', 'measured-2')`,
  `insert into user_contractors (user_id, contractor_id)
    select u.id, c.id from users u join contractors c on c.external_code = 'M' || substr(u.login, 9)
    where u.login like 'measured%'`,
  `insert into user_roles (user_id, role_id, organization_id)
    select u.id, r.id, o.id from users u join roles r on r.name in ('measured systemic 1', 'measured organizational 1')
    left join organizations o on r.role_type = 'organizational' and o.code = 'measured-1' where u.login like 'measured%'`,
  // the fifth is held by one in a hundred, the sixth by one in a thousand
  `insert into user_contractor_roles (user_id, contractor_id, organization_id, role_id)
    select uc.user_id, uc.contractor_id, o.id, r.id from user_contractors uc
    join contractors c on c.id = uc.contractor_id and c.external_code like 'M%'
    join organizations o on o.code in ('measured-1', 'measured-2')
    join roles r on r.name in ('measured contractor 1', 'measured contractor 2', 'measured contractor 3', 'measured contractor 4')
      or (r.name = 'measured contractor 5' and substr(c.external_code, 2)::int % 100 = 0)
      or (r.name = 'measured contractor 6' and substr(c.external_code, 2)::int % 1000 = 0)`,
  'vacuum analyze users, contractors, contractor_organizations, user_contractors, user_roles, user_contractor_roles',
]

/** Fills a new database as its owner, with so many role links. */
export async function fillLinks(ownerUrl: string, links: number) {
  const owner = new pg.Client(ownerUrl)
  await owner.connect()
  for (const statement of filling) await owner.query(statement, statement.includes('$1') ? [links] : [])
  await owner.end()
}

/** Names of the cases, for `ONLY`. */
export const linkCase = (use: string, size: number) => `${use}, of ${size}`
export const linkUses = [
  'roles, list',
  'roles, search',
  'roles, card',
  ...['systemic 1', 'organizational 1', 'contractor 1', 'contractor 5', 'contractor 6'].flatMap((role) => [
    `roles, holders of ${role}`,
    `roles, next holders of ${role}`,
    `roles, search among holders of ${role}`,
  ]),
  'organizations, list',
  'organizations, search',
  'organizations, card',
]

type Listed = Record<string, { id: string }[]> & { meta: { after: string | null } }

/** Reads of roles and organizations by an administrator, on a server whose database has so many role links. */
export async function linkCases(
  origin: string,
  administrator: Map<string, string>,
  size: number,
  seconds: number,
): Promise<Record<string, () => Promise<Measured>>> {
  const read = async (path: string): Promise<Listed> =>
    JSON.parse((await send(origin, { path, cookies: administrator })).body)
  const found = (list: string, text: string) => `${api}/${list}?${new URLSearchParams({ 'filter[search]': text })}`
  const idOf = async (list: string, text: string) => {
    const id = (await read(found(list, text)))[list]?.[0]?.id
    if (!id) throw new Error(`there is no ${text}`)
    return id
  }
  const addresses: Record<string, string> = {
    'roles, list': `${api}/roles`,
    'roles, search': found('roles', 'measured contractor 1'),
    'roles, card': `${api}/roles/${await idOf('roles', 'measured contractor 1')}`,
    'organizations, list': `${api}/organizations`,
    'organizations, search': found('organizations', 'Measured 2'),
    'organizations, card': `${api}/organizations/${await idOf('organizations', 'measured-1')}`,
  }
  for (const role of ['systemic 1', 'organizational 1', 'contractor 1', 'contractor 5', 'contractor 6']) {
    const holders = `roles/${await idOf('roles', `measured ${role}`)}/holders`
    const { after } = (await read(`${api}/${holders}`)).meta
    addresses[`roles, holders of ${role}`] = `${api}/${holders}`
    // a role with one page of holders has no next one
    addresses[`roles, next holders of ${role}`] = `${api}/${holders}${after ? `?meta[after]=${after}` : ''}`
    addresses[`roles, search among holders of ${role}`] = found(holders, 'абв')
  }
  return Object.fromEntries(
    Object.entries(addresses).map(([use, address]) => [
      linkCase(use, size),
      () => measure(2, seconds, pages(origin, address, administrator)),
    ]),
  )
}
