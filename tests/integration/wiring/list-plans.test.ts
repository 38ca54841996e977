import { sql } from 'drizzle-orm'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { db, type Transaction } from '@/db/client'
import { selectUsedSchemas } from '@/lib/access/authentication-schemas/queries'
import { listUsers } from '@/lib/accounts/administration/contract'
import { listHolders } from '@/lib/accounts/role-holders/contract'
import { readWhole as readHolders } from '@/lib/accounts/role-holders/queries'
import { selectEditors } from '@/lib/applications/webhooks/queries'
import { parseOrThrow } from '@/lib/base/http/read'
import { listIncomingRequests } from '@/lib/companies/access-requests/contract'
import { listContacts } from '@/lib/companies/colleagues/contract'
import { listAcceptances } from '@/lib/documents/document-campaigns/contract'
import { listApplicationSessions } from '@/lib/openid/application-sessions/contract'
import { listHistory, searchChangers, WholeHistoryQuery } from '@/lib/operations/history/contract'
import { wholeHistory } from '@/lib/operations/history/service'
import { selectHolders } from '@/lib/operations/monitoring/queries'
import { listSignIns } from '@/lib/sign-in/sign-in-log/contract'
import { signedInAsAdministrator } from '../../factories/access'
import { type AnyContract, Caller, type Input } from '../../factories/caller'
import { explained, sentBy } from '../../factories/plans'
import { useTestDatabase } from '../../setup/database'

// What is rare among very many people, sessions and sign-ins is found without reading them all.
useTestDatabase()

const [people, log] = [10_000, 40_000]
/** Tables that grow with the people and what they do. */
const large = [
  'users',
  'user_roles',
  'oidc_records',
  'sign_in_log',
  'sessions',
  'user_agreements',
  'user_contacts',
  'history',
]
/** As many rows of a table, and pages, as a statement may read: a list reads 2,000 rows whole. */
const bound = { rows: 2_500, pages: 800 }

let owner: pg.Client
let caller: Caller
const ids: Record<string, string> = {}

beforeAll(async () => {
  owner = new pg.Client(
    Object.assign(new URL(inject('ownerUrl')), { pathname: new URL(process.env.DATABASE_URL ?? '').pathname }).href,
  )
  await owner.connect()
  await owner.query(`
    insert into users (login, fio) select 'person.' || n, 'Name' || md5(n::text) from generate_series(1, ${people}) n;
    create table people as select id, row_number() over (order by md5(login))::int as n from users where login like 'person.%';
    insert into roles (name, role_type) values ('of few', 'systemic'), ('of some', 'systemic'), ('of many', 'systemic');
    insert into user_roles (user_id, role_id)
      select p.id, r.id from people p join (values ('of few', 20), ('of some', 100), ('of many', 4000)) made (name, atmost)
        on p.n <= made.atmost join roles r on r.name = made.name;
    insert into applications (type, code, name) values ('internal', 'busy', 'Busy'), ('internal', 'quiet', 'Quiet');
    insert into oidc_clients (application_id, client_id, name, type, grant_types)
      select id, code || '-client', name, 'public', '{}' from applications where code in ('busy', 'quiet');
    insert into oidc_records (id_hash, model, payload, grant_id, account_id, client_id, created_at, expires_at)
      select md5(model || p.n), model, '', md5('g' || p.n), p.id::text, case when p.n < 5 then 'quiet' else 'busy' end || '-client',
        now() - p.n * interval '1 minute', now() + interval '60 days'
      from people p cross join (values ('Grant'), ('RefreshToken')) made (model);
    insert into sign_in_log (at, user_id, flows, cause, provider_id, ip, browser, system, device_type)
      select now() - s.n * interval '1 second', p.id, case when s.n > ${log - 5} then '{email_code}' else '{credentials}' end::text[],
        case when s.n > ${log - 5} then 'slowed' when s.n % 4 = 0 then 'wrongPassword' end,
        case when s.n > ${log - 5} then '00000000-0000-4000-8000-000000000001'::uuid end, '', '', '', ''
      from generate_series(1, ${log}) s (n) join people p on p.n = s.n % ${people} + 1;`)
  await owner.query(`
    insert into documents (type, code, version) values ('agreement', 'asked', 2);
    insert into user_agreements (user_id, document_id, version, agreed_at, ip)
      select p.id, d.id, case when p.n <= 10 then 2 else 1 end, now() - interval '9 days' + p.n * interval '1 second', ''
      from people p cross join (select id from documents where code = 'asked') d where p.n % 10 > 0;
    insert into user_contacts (user_id, kind, value) select id, 'email', 'further.' || n || '@polaris.example' from people;
    insert into access_requests (user_id, name, inn) select id, 'Company ' || n, (1000000000 + n)::text from people where n <= 5000;
    insert into user_roles (user_id, role_id) select p.id, r.id from people p join roles r on r.code = 'user';
    insert into sessions (user_id, created_at, last_access_at, expires_at, ip, device_type)
      select id, at, at, now() + interval '9 days', '', 'desktop' from people
      cross join lateral (select now() - case when n <= 5 then interval '100 days' else interval '1 hour' end as at) begun
      where n > 3;`)
  // the owner's rows would be faults of the chain
  await db().execute(sql`insert into history (date, type, entity, entity_id, field)
    select now() - n * interval '1 minute', case when n = 20000 then 'delete' else 'update' end::history_type,
      'network-aliases', 'object-' || n, case when n > 19995 then 'comment' else 'name' end
    from generate_series(1, 20000) n`)
  await owner.query('vacuum analyze')
  const { rows } = await owner.query(`
    select name, id from roles where name like 'of %' union all select code, id from applications
    union all select code, id from documents where code = 'asked'`)
  for (const { name, id } of rows) ids[name] = id
  caller = new Caller((await signedInAsAdministrator()).browser)
}, 60_000)
afterAll(() => owner?.end())

/** Reads of tables by the statements of this work that exceed the bound. */
async function excesses(work: () => Promise<unknown>): Promise<string[]> {
  const statements = await sentBy(work)
  expect(statements.length).toBeGreaterThan(0)
  const many: string[] = []
  for (const statement of statements) {
    const { scans, pages } = await explained(owner, statement)
    for (const { table, kind, rows } of scans)
      if (large.includes(table) && rows > bound.rows) many.push(`${kind} of ${rows} ${table}: ${statement.text}`)
    if (pages > bound.pages) many.push(`${pages} pages: ${statement.text}`)
  }
  return many
}

const nobody = '00000000-0000-4000-8000-000000000009'
type Case = [what: string, contract: unknown, input: () => Input, length: number]
const filtered = (filter: object) => () => ({ query: { filter } })
const accepted = (filter: object) => () => ({ params: { id: ids.asked ?? '' }, query: { filter } })

test.each<Case>([
  ['sessions of a person', listApplicationSessions, filtered({ search: 'person.7777' }), 1],
  ['sessions of nobody', listApplicationSessions, filtered({ search: 'qqqqqq' }), 0],
  ['sessions of a few people', listApplicationSessions, filtered({ search: 'person.777' }), 11],
  ['sessions of a client that few use', listApplicationSessions, filtered({ search: 'quiet' }), 4],
  [
    'sessions of an application that few use',
    listApplicationSessions,
    () => ({ query: { filter: { applicationId: ids.quiet } } }),
    4,
  ],
  ['sign-ins by a rare cause', listSignIns, filtered({ cause: 'slowed' }), 5],
  ['sign-ins by a cause that is not there', listSignIns, filtered({ cause: 'smsUnavailable' }), 0],
  ['sign-ins by two rare causes', listSignIns, filtered({ cause: ['smsUnavailable', 'slowed'] }), 5],
  ['sign-ins by a frequent cause', listSignIns, filtered({ cause: 'wrongPassword' }), 20],
  ['sign-ins by a rare flow', listSignIns, filtered({ flow: 'email_code' }), 5],
  ['sign-ins by a flow that is not there', listSignIns, filtered({ flow: 'sms_code' }), 0],
  ['sign-ins by the flow of nearly all', listSignIns, filtered({ flow: 'credentials' }), 20],
  ['sign-ins by a rare provider', listSignIns, filtered({ providerId: '00000000-0000-4000-8000-000000000001' }), 5],
  ['sign-ins by a provider of nobody', listSignIns, filtered({ providerId: nobody, success: true }), 0],
  ['accounts that nobody has used for long', listUsers, filtered({ unseenDays: 90 }), 5],
  ['disabled accounts that nobody has used for long', listUsers, filtered({ unseenDays: 90, enabled: false }), 0],
  ['accounts that nobody has used for hours', listUsers, filtered({ unseenDays: 1, search: 'person.7777' }), 0],
  ['contacts of a contractor without people', listContacts, filtered({ contractorId: nobody }), 0],
  ['the history of a rare field', listHistory, filtered({ param: 'comment' }), 5],
  ['the history of a field that never changed', listHistory, filtered({ param: 'nothing' }), 0],
  ['the history of a field that changes often', listHistory, filtered({ param: 'name' }), 20],
  ['deletions in the history', listHistory, filtered({ type: 'delete' }), 1],
  ['acceptances of the current version', listAcceptances, accepted({ state: 'accepted' }), 9],
  ['acceptances by a version that nobody accepted', listAcceptances, accepted({ version: 7 }), 0],
  ['acceptances before all', listAcceptances, accepted({ dateTo: '2020-01-01' }), 0],
  ['acceptances after all', listAcceptances, accepted({ dateFrom: '2126-01-01' }), 0],
  ['acceptances of a person', listAcceptances, accepted({ search: 'person.7777' }), 1],
  ['requests', listIncomingRequests, filtered({}), 20],
  ['requests of people by two letters', listIncomingRequests, filtered({ search: 'щы' }), 0],
  ['those who acted, by two letters', searchChangers, () => ({ query: { searchValue: 'щы' } }), 0],
])('%s are found without reading all', async (_, contract, input, length) => {
  let answer: Record<string, unknown> = {}
  const many = await excesses(async () => {
    answer = (await caller.call(contract as AnyContract, input() as never)) as Record<string, unknown>
  })
  expect(many).toEqual([])
  expect(Object.values(answer).find(Array.isArray)).toHaveLength(length)
})

test.each([
  ['few', 20],
  ['some', 20],
  ['many', 20],
])('the first holders of a role of %s are read without looking up everybody before them', async (size, length) => {
  const original = { ...readHolders }
  // in a database of this size
  Object.assign(readHolders, { holders: 50, links: 1_000 })
  try {
    const many = await excesses(async () => {
      const { holders } = await caller.call(listHolders, { params: { id: ids[`of ${size}`] ?? '' }, query: {} })
      expect(holders).toHaveLength(length)
    })
    expect(many).toEqual([])
  } finally {
    Object.assign(readHolders, original)
  }
})

test.each([
  ['a rare field', { param: 'comment' }, 5],
  ['a field that never changed', { param: 'nothing' }, 0],
  ['a deletion', { type: 'delete' }, 1],
])('acts with %s are found without reading all', async (_, filter, length) => {
  const many = await excesses(async () => {
    const { acts } = await caller.serve((ctx) => wholeHistory(ctx, parseOrThrow(WholeHistoryQuery, { filter })))
    expect(acts).toHaveLength(length)
  })
  expect(many).toEqual([])
})

test('who holds a method is read by the roles that give it', async () => {
  for (const read of [selectEditors, (tx: Transaction) => selectHolders(tx, ['monitoringNotifyAccess'])])
    expect(await excesses(() => db().transaction(read))).toEqual([])
})

test('how many people each schema applies to is counted by an index', async () => {
  const statements = await sentBy(() => selectUsedSchemas())
  for (const statement of statements) expect((await explained(owner, statement)).pages).toBeLessThan(100)
})
