import { pages } from './cases'
import { contractorsUpTo, fill, inn, peopleUpTo, word, wordOf } from './filling'
import { type Measured, measure } from './load'

/** The sizes that are compared: people, each in one contractor, and as many access requests as invitations. */
export const managerSizes = [
  { people: 200, requests: 40 },
  { people: 100_000, requests: 20_000 },
] as const
type Size = (typeof managerSizes)[number]

const api = '/api/v1/platform'
const searched = (text: string) => `filter[search]=${encodeURIComponent(text)}`

/** Each use: who reads, and what. The manager has two contractors with a tenth of everything; the administrator all. */
const uses: Record<string, [login: 'manager' | 'admin' | 'services', path: string]> = {
  'requests, own': ['services', '/user/access/requests'],
  'requests, incoming': ['manager', '/master-account/access/requests'],
  'requests, incoming, by company': ['manager', '/master-account/access/requests?sortBy=requestCompanyName&sort=asc'],
  'requests, incoming, undecided': ['manager', '/master-account/access/requests?filter[status]=considered'],
  'requests, incoming, search': ['manager', `/master-account/access/requests?${searched(wordOf(30))}`],
  'requests, incoming, broad search': ['manager', `/master-account/access/requests?${searched('аб')}`],
  'requests, incoming, all': ['admin', '/master-account/access/requests'],
  'requests, incoming, all, undecided': ['admin', '/master-account/access/requests?filter[status]=considered'],
  'requests, incoming, all, search': ['admin', `/master-account/access/requests?${searched(wordOf(30))}`],
  'requests, incoming, all, broad search': ['admin', `/master-account/access/requests?${searched('аб')}`],
  'requests, contractors to choose': ['manager', '/master-account/contractors'],
  'requests, roles to ask for': ['services', '/user/access/requests/roles/available'],
  'invitations, sent': ['manager', '/master-account/invitations'],
  'invitations, sent, by address': ['manager', '/master-account/invitations?sortBy=email&sort=asc'],
  'invitations, sent, open': ['manager', '/master-account/invitations?filter[status]=active'],
  'invitations, sent, search': ['manager', `/master-account/invitations?${searched('measured-30')}`],
  'invitations, sent, broad search': ['manager', `/master-account/invitations?${searched('ed-1')}`],
  'invitations, sent, all': ['admin', '/master-account/invitations'],
  contacts: ['manager', '/user/profile/contacts'],
  'contacts, search': ['manager', `/user/profile/contacts?${searched(wordOf(30))}`],
  'contacts, broad search': ['manager', `/user/profile/contacts?${searched('аб')}`],
  'contacts, active': ['manager', '/user/profile/contacts?filter[access]=active'],
  'contacts, inactive': ['manager', '/user/profile/contacts?filter[access]=inactive'],
  'contacts, invited': ['manager', '/user/profile/contacts?filter[access]=invitationSent'],
  'contacts, all': ['admin', '/user/profile/contacts'],
  'contacts, all, search': ['admin', `/user/profile/contacts?${searched(wordOf(30))}`],
  'contacts, all, broad search': ['admin', `/user/profile/contacts?${searched('аб')}`],
  'contacts, all, active': ['admin', '/user/profile/contacts?filter[access]=active'],
  'contacts, all, inactive': ['admin', '/user/profile/contacts?filter[access]=inactive'],
  companies: ['manager', '/user/profile/companies'],
}

/** The name of a case, for `ONLY`. */
export const managerCase = (use: string, { requests }: Size) => `${use}, of ${requests}`
export const managerUses = Object.keys(uses)

/** The lists that people of contractors and their managers read. `browserOf` signs one of the demo's people in. */
export async function managerCases(
  origin: string,
  browserOf: (login: string) => Promise<Map<string, string>>,
  size: Size,
  seconds: number,
) {
  const browsers = new Map<string, Map<string, string>>()
  for (const [login] of Object.values(uses)) browsers.set(login, browsers.get(login) ?? (await browserOf(login)))
  return Object.fromEntries(
    Object.entries(uses).map(([use, [login, path]]): [string, () => Promise<Measured>] => [
      managerCase(use, size),
      () => measure(2, seconds, pages(origin, api + path, browsers.get(login) ?? new Map())),
    ]),
  )
}

const managed = `(select array_agg(ucr.contractor_id order by ucr.contractor_id) from user_contractor_roles ucr
  where ucr.user_id = (select id from users where login = 'manager'))`

const filling = ({ people, requests }: Size): string[] => [
  contractorsUpTo(people / 20, 'M', `'ООО «' || ${word('n')} || '»'`),
  peopleUpTo(people),
  `create temp table person as select id, row_number() over (order by id) as n from users where login like 'measured-%'`,
  `create temp table company as select id, inn, kpp, row_number() over (order by id) as n, count(*) over () as all
    from contractors where external_code like 'M%'`,
  `create temp table own as select id, inn, kpp, n from unnest((select ${managed})) with ordinality listed (id, n)
    join contractors using (id) where n <= 2`,
  `analyze person, company, own`,
  // a tenth belongs to the manager's two contractors
  `insert into user_contractors (user_id, contractor_id)
    select p.id, coalesce(o.id, c.id) from person p join company c on c.n = p.n % c.all + 1
    left join own o on p.n % 10 = 0 and o.n = p.n / 10 % 2 + 1 on conflict do nothing`,
  `insert into user_contractor_roles (user_id, contractor_id, organization_id, role_id)
    select uc.user_id, uc.contractor_id,
      (select id from organizations where enabled order by id limit 1),
      (select id from roles where role_type = 'contractor' and enabled order by id limit 1)
    from user_contractors uc join person p on p.id = uc.user_id on conflict do nothing`,
  // a third is undecided
  `insert into access_requests (user_id, status, name, inn, kpp, created_at, finished_at)
    select p.id, (array['considered', 'approved', 'failure'])[p.n % 3 + 1]::access_request_status,
      'ООО «' || ${word('p.n * 3')} || '»', coalesce(o.inn, c.inn), coalesce(o.kpp, c.kpp),
      now() - p.n * interval '1 minute', case when p.n % 3 > 0 then now() end
    from person p join company c on c.n = p.n % c.all + 1
    left join own o on p.n % 10 = 0 and o.n = p.n / 10 % 2 + 1
    where p.n <= ${requests} and (select count(*) from access_requests) < ${requests} on conflict do nothing`,
  `insert into access_request_roles (request_id, role_id)
    select id, (select id from roles where role_type = 'contractor' and enabled order by id limit 1)
    from access_requests on conflict do nothing`,
  `insert into access_requests (user_id, name, inn, kpp, created_at)
    select u.id, 'ООО own ' || n, ${inn('n')}, '770101001', now() - n * interval '1 hour'
    from users u, generate_series(1, 30) n where u.login = 'services' on conflict do nothing`,
  // a third is open
  `insert into invitations (status, id_hash, email, contractor_id, inviter_id, created_at, sent_at, expires_at, finished_at)
    select (array['active', 'success', 'deactivated'])[p.n % 3 + 1]::invitation_status, 'measured-' || p.n,
      'measured-' || p.n || '@contractor.example', coalesce(o.id, c.id), (select id from users where login = 'manager'),
      now() - p.n * interval '1 minute', now() - p.n * interval '1 minute', now() + p.n * interval '1 minute',
      case when p.n % 3 > 0 then now() end
    from person p join company c on c.n = p.n % c.all + 1
    left join own o on p.n % 10 = 0 and o.n = p.n / 10 % 2 + 1
    where p.n <= ${requests} on conflict do nothing`,
  `insert into invitation_roles (invitation_id, organization_id, role_id)
    select id, (select id from organizations where enabled order by id limit 1),
      (select id from roles where role_type = 'contractor' and enabled order by id limit 1)
    from invitations where id_hash like 'measured-%' on conflict do nothing`,
]

/** What the screens ask PostgreSQL, for its plans. */
const questions = {
  'incoming requests of a manager': `select * from access_requests where inn = any(select inn from own)
    order by created_at desc, id desc limit 20`,
  'incoming requests of a manager, undecided': `select * from access_requests where inn = any(select inn from own)
    and status = 'considered' order by created_at desc, id desc limit 20`,
  'requests that a search finds': `select * from access_requests where name ilike '%${wordOf(30)}%' or inn ilike '%${wordOf(30)}%'
    or user_id = any(array(select id from users where fio ilike '%${wordOf(30)}%' or email ilike '%${wordOf(30)}%'))
    order by created_at desc, id desc limit 20`,
  'invitations of a manager': `select * from invitations where contractor_id = any(select id from own)
    order by created_at desc, id desc limit 20`,
  'contacts without a role, of who manages all': `select uc.user_id from user_contractors uc
    where not exists (select from user_contractor_roles r where r.user_id = uc.user_id and r.contractor_id = uc.contractor_id)
    limit 2001`,
  'contacts with a role that is off': `select r.user_id from user_contractor_roles r
    where r.role_id = any(array(select id from roles where not enabled))
      or r.organization_id = any(array(select id from organizations where not enabled)) limit 2001`,
  'contacts of a manager that a short search finds': `select count(*) from (select u.fio, u.email from users u
    where exists (select from user_contractors uc where uc.user_id = u.id and uc.contractor_id = any(array(select id from own)))
    offset 0) u where u.fio ilike '%аб%' or u.email ilike '%аб%'`,
}

/** Brings a database to this size, as its owner; prints how PostgreSQL plans what is asked of it. */
export const fillManaged = (ownerUrl: string, size: Size) =>
  fill(ownerUrl, filling(size), questions, `${size.requests}`)
