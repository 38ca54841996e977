import { idOf, pages } from './cases'
import { contractorsUpTo, fill, searched, word, wordOf } from './filling'
import { type Measured, measure, send } from './load'

/** The sizes that are compared. ROWS is the larger one. */
export const userSizes = [1_000, Number(process.env.ROWS ?? 1_000_000)] as const

const path = '/api/v1/platform/setting/users'

/**
 * What an administrator asks of the list; `{role}` and so on stand for the id of what is called so. Each finds as much in
 * both sizes, as far as they can have it: one account, twenty, or more than a page has. An empty page would be compared
 * with a full one otherwise, which costs twice as much. What was found is printed.
 */
const uses: Record<string, string> = {
  list: '',
  'list by creation': '?sortBy=createdAt&sort=desc',
  'search by name': searched(wordOf(777).slice(0, 7)),
  'search by whole name': searched(`${wordOf(777)} ${wordOf(-777)}`),
  'search by e-mail': searched('measured-777@'),
  'search by mobile': searched('+7 (901) 000-07-77'),
  'search by login': searched('login-{near}'),
  'search by external id': searched('E-{near}'),
  'search by a part that a thousand share': searched('login-{shared}'),
  'search that finds many': searched('measured'),
  'search that finds nobody': searched('qqqqqqqq'),
  'of a rare role': '?filter[roleId]={rare}',
  'of a role of everybody': '?filter[roleId]={common}',
  'of a contractor': '?filter[contractorId]={contractor}',
  'of an organization': '?filter[organizationId]={organization}',
  disabled: '?filter[enabled]=false',
  'not seen for 90 days': '?filter[unseenDays]=90',
  'with empty required fields': '?filter[incomplete]=true',
  card: '/{person}',
}
export const userUses = Object.keys(uses)

/** An export of all accounts, which runs only on request, and how many there are. */
export const exportingUsers = 'export of the accounts'
export const exportedUsers = Number(process.env.ROWS ?? 100_000)

/** The name of a case, for `ONLY`. They run only on request, because filling takes minutes. */
export const userCase = (use: string, size: number) => `users, ${use}, of ${size}`

/** The address of each use at so many accounts. Prints how much it finds. */
export async function userPaths(origin: string, administrator: Map<string, string>, size: number) {
  // in a smaller database a short number is somebody's whole number, in a larger one the beginning of a thousand
  const ids: Record<string, string> = { near: String(size - 223), shared: size > 1_000 ? '777' : '' }
  const find = async (name: string, list: string, search: string) => {
    ids[name] = await idOf(origin, administrator, list, search)
  }
  await find('rare', 'roles', 'measured rare')
  await find('common', 'roles', 'measured common')
  await find('contractor', 'contractors', 'measured contractor 7')
  await find('organization', 'organizations', 'measured organization')
  await find('person', 'users', 'login-777')
  const paths: Record<string, string> = {}
  for (const [use, address] of Object.entries(uses)) {
    paths[use] = path + address.replace(/(?:\{|%7B)(\w+)(?:\}|%7D)/, (_, name: string) => ids[name] ?? '')
    const { body } = await send(origin, { path: paths[use], cookies: administrator })
    const { users, meta } = JSON.parse(body) as { users?: unknown[]; meta?: { total: number; more?: boolean } }
    if (users)
      console.log(`${userCase(use, size)}: ${users.length} rows of ${meta?.more ? 'more than ' : ''}${meta?.total}`)
  }
  return paths
}

/** The list of accounts as an administrator reads it, at so many accounts. */
export async function userCases(origin: string, administrator: Map<string, string>, size: number, seconds: number) {
  return Object.fromEntries(
    Object.entries(await userPaths(origin, administrator, size)).map(
      ([use, path]): [string, () => Promise<Measured>] => [
        userCase(use, size),
        () => measure(2, seconds, pages(origin, path, administrator)),
      ],
    ),
  )
}

const made = (size: number) => `generate_series((select count(*) from users where login like 'login-%') + 1, ${size}) n`

/**
 * Three of a thousand have a rare role and one of a hundred a role in the organization, but a hundred people at least, so
 * that both fill a page; each contractor has some 20 people; nine of ten were seen within a year.
 */
export const fillingUsers = (size: number): string[] => [
  `insert into organizations (name, code) values ('measured organization', 'measured-users') on conflict do nothing`,
  `insert into roles (name, role_type)
    select name, 'systemic' from (values ('measured rare'), ('measured common')) made (name)
    where not exists (select from roles where roles.name = made.name)`,
  contractorsUpTo(Math.ceil(size / 20), 'MU', `'measured contractor ' || n`),
  `insert into users (login, email, mobile, external_id, fio, last_name, first_name, enabled, created_at, password_hash)
    select 'login-' || n, 'measured-' || n || '@polaris.example', '+7901' || lpad(n::text, 7, '0'), 'E-' || n,
      ${word('n')} || ' ' || ${word('-n')}, ${word('n')}, case when n % 50 > 0 then ${word('-n')} else '' end,
      n % 20 > 0, now() - n * interval '1 second', (select password_hash from users where login = 'admin')
    from ${made(size)}`,
  `create temp table person as select id, (row_number() over (order by id))::int as n from users where login like 'login-%'`,
  'analyze person',
  `insert into user_identifiers (kind, value, user_id)
    select 'login'::identifier_kind, login, id from users where login like 'login-%' on conflict do nothing`,
  `insert into user_roles (user_id, role_id)
    select id, (select id from roles where name = 'measured common') from person
    union all select id, (select id from roles where name = 'measured rare') from person where n % 1000 < 3 or n <= 100
    on conflict do nothing`,
  `insert into user_contractors (user_id, contractor_id)
    select p.id, c.id from person p
    join contractors c on c.external_code = 'MU' || (p.n % ${Math.ceil(size / 20)} + 1) on conflict do nothing`,
  `insert into user_contractor_roles (user_id, contractor_id, organization_id, role_id)
    select uc.user_id, uc.contractor_id, (select id from organizations where code = 'measured-users'),
      (select id from roles where role_type = 'contractor' and enabled order by id limit 1)
    from user_contractors uc join person p on p.id = uc.user_id where p.n % 100 = 0 or p.n <= 100 on conflict do nothing`,
  `insert into sessions (user_id, expires_at, last_access_at, ended_at, ip, device_type)
    select id, now(), now() - (n % 365) * interval '1 day', now(), '10.0.0.1', 'desktop'
    from person where n % 10 > 0 and not exists (select from sessions s where s.user_id = person.id)`,
]

/** Brings a database to so many accounts, as its owner. */
export const fillUsers = (ownerUrl: string, size: number) => fill(ownerUrl, fillingUsers(size))
