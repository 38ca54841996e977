import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { batchSize } from '@/lib/base/postgres/batches'
import { platformHousekeeping } from '@/lib/wiring/housekeeping'
import { explained, type Statement, sentBy } from '../../factories/plans'
import { caseNumbers, eachRound } from '../../factories/random-cases'
import { useTestDatabase } from '../../setup/database'
import { isFull } from '../../setup/scope'

useTestDatabase()

/** How many rows of each table stay, as housekeeping leaves them, and how many are due in the second test. */
const [standing, due] = isFull ? [20_000, 4_200] : [10_000, 2_100]
let owner: pg.Client

const random = caseNumbers(9401)

/**
 * Rows that grow with the people and what they do: `rows` are numbers `n` with a moment `old` that is days ago, as many as
 * the table keeps for; `late` is a moment at which they are due.
 */
const tables: Record<string, { young: string; late: string; insert: (rows: string) => string }> = {
  sessions: {
    young: '3 days',
    late: '40 days',
    insert: (
      rows,
    ) => `insert into sessions (user_id, created_at, last_access_at, expires_at, ended_at, end_reason, kept_as, ip, device_type, device_hash)
      select p.id, at, case when n % 3 = 0 then now() else at end, at + interval '7 days',
        case when n % 3 > 0 then at end, case when n % 3 > 0 then 'signedOut' end,
        case when n % 3 = 1 and at > now() - interval '30 days' then 'whole' end, '', 'desktop', 'd' || n % 4
      from ${rows} join people p on p.place = made.n % 2000`,
  },
  sign_in_attempts: {
    young: '10 days',
    late: '40 days',
    insert: (rows) => `insert into sign_in_attempts (token_hash, state, ip, created_at, expires_at, finished_at)
      select gen_random_uuid(), '{}', '', at, at, at from ${rows}`,
  },
  sign_in_log: {
    young: '10 days',
    late: '40 days',
    insert: (rows) =>
      `insert into sign_in_log (at, flows, ip, browser, system, device_type) select at, '{}', '', '', '', '' from ${rows}`,
  },
  daily_counters: {
    young: '0 days',
    late: '5 days',
    insert: (rows) =>
      `insert into daily_counters (kind, key, day) select 'k', gen_random_uuid(), at::date from ${rows}`,
  },
  wrong_codes: {
    young: '10 days',
    late: '40 days',
    insert: (rows) => `insert into wrong_codes (key, entries, last_at) select gen_random_uuid(), '{}', at from ${rows}`,
  },
  password_failures: {
    // those of accounts stay, however old
    young: '90 days',
    late: '90 days',
    insert: (rows) => `insert into password_failures (key, user_id, count, last_at)
      select gen_random_uuid(), case when n < 10000000 then p.id end, 1, at from ${rows} join people p on p.place = made.n % 2000`,
  },
  links: {
    young: '10 days',
    late: '40 days',
    insert: (rows) =>
      `insert into links (kind, id_hash, created_at, expires_at) select 'recovery', gen_random_uuid(), at, at from ${rows}`,
  },
  invitations: {
    young: '100 days',
    late: '400 days',
    insert: (rows) => `insert into invitations (status, id_hash, email, contractor_id, created_at, expires_at)
      select 'deactivated', gen_random_uuid(), 'e' || n || '@polaris.example', (select id from contractors limit 1), at, at from ${rows}`,
  },
  idempotency_keys: {
    young: '1 hour',
    late: '2 days',
    insert: (rows) =>
      `insert into idempotency_keys (caller, key, request, created_at) select 'c', gen_random_uuid(), '', at from ${rows}`,
  },
  messages: {
    young: '200 days',
    late: '400 days',
    insert: (rows) => `insert into messages (kind, template, recipient, locale, content, status, created_at)
      select 'email', 't', 'r', 'ru', '', 'sent', at from ${rows}`,
  },
  digests: {
    young: '10 days',
    late: '70 days',
    insert: (rows) => `insert into digests (user_id, period, due_at)
      select p.id, 'daily', at + n % 4000000 * interval '1 millisecond' from ${rows} join people p on p.place = made.n % 2000`,
  },
  notices: {
    young: '90 days',
    late: '200 days',
    insert: (rows) => `insert into notices (user_id, kind, cause, values, date)
      select p.id, 'newDevice', n::text, '{}', at from ${rows} join people p on p.place = made.n % 2000`,
  },
  field_pictures: {
    young: '10 days',
    late: '10 days',
    insert: (rows) => `insert into field_pictures (id, code, user_id, small, large, created_at)
      select gen_random_uuid(), 'c' || n, p.id, '', '', at from ${rows} join people p on p.place = made.n % 2000`,
  },
  oidc_records: {
    young: '-1 days',
    late: '2 days',
    insert: (rows) => `insert into oidc_records (id_hash, model, payload, uid, expires_at)
      select gen_random_uuid(), case when n % 2 = 0 then 'Session' else 'AccessToken' end, '', gen_random_uuid(), at from ${rows}`,
  },
  oidc_answers: {
    young: '-1 days',
    late: '1 day',
    insert: (rows) =>
      `insert into oidc_answers (id_hash, answer, expires_at) select gen_random_uuid(), '', at from ${rows}`,
  },
  oidc_logouts: {
    young: '10 days',
    late: '40 days',
    insert: (rows) =>
      `insert into oidc_logouts (client_id, account_id, sid, created_at) select '', '', '', at from ${rows}`,
  },
  outbox_events: {
    young: '3 days',
    late: '9 days',
    insert: (
      rows,
    ) => `with made_events as (insert into outbox_events (topic, entity, entity_id, payload, request_id, date)
        select 'users', 'users', n::text, '{}', '', at from ${rows} returning id, date)
      insert into outbox_deliveries (event_id, handler, entity, entity_id, state, finished_at)
      select id, 'h', 'users', id::text, 'delivered', date from made_events`,
  },
  runs: {
    young: '10 days',
    late: '40 days',
    insert: (
      rows,
    ) => `with made_runs as (insert into runs (kind, user_id, state, options, total, done, failed, created_at, updated_at)
        select 'users', p.id, 'done', '{}', 2, 2, 0, at, at from ${rows} join people p on p.place = made.n % 2000 returning id)
      insert into run_rows (run_id, row, state, title, input) select id, r, 'done', '', '{}' from made_runs, generate_series(1, 2) r`,
  },
  monitoring_slots: {
    young: '10 days',
    late: '40 days',
    insert: (rows) => `insert into monitoring_slots (check_id, at, checks, failures, stuck, total, worst)
      select (select id from monitoring_checks limit 1), at + n * interval '1 millisecond', 1, 0, 0, 0, 0 from ${rows}`,
  },
  provider_calls: {
    young: '3 days',
    late: '40 days',
    insert: (rows) => `insert into provider_calls (provider_id, at, method, path, duration)
      select (select id from providers limit 1), at, 'GET', '/', 1 from ${rows}`,
  },
  integration_exchanges: {
    young: '3 days',
    late: '40 days',
    insert: (rows) => `insert into integration_exchanges (key, status, method, url, request, created_at, updated_at)
      select 'users.export', 'success', 'GET', '/', '', at, at from ${rows}`,
  },
  webhook_deliveries: {
    young: '3 days',
    late: '40 days',
    insert: (rows) => `insert into webhook_deliveries (webhook_id, type, status, request, created_at, updated_at)
      select (select id from webhooks limit 1), 'user.created', 'success', '', at, at from ${rows}`,
  },
  history: {
    young: '10 days',
    late: '10 days',
    insert: (rows) =>
      `insert into history (date, type, entity, entity_id) select at, 'create', 'users', n::text from ${rows}`,
  },
}
const large = [...Object.keys(tables), 'run_rows', 'outbox_deliveries', 'history_unsealed']

const numbers = (from: number, count: number, at: string) =>
  `(select n, now() - interval '${at}' as at from generate_series(${from}, ${from + count - 1}) n) made`

beforeAll(async () => {
  owner = new pg.Client(
    Object.assign(new URL(inject('ownerUrl')), { pathname: new URL(process.env.DATABASE_URL ?? '').pathname }).href,
  )
  await owner.connect()
  await owner.query(`
    insert into users (login) select 'person.' || n from generate_series(0, 1999) n;
    create table people as select row_number() over () - 1 as place, id from users where login like 'person.%';
    insert into contractors (name) values ('Company');
    insert into monitoring_checks (key, kind, critical) values ('k', 'k', 1);
    insert into providers (type, name, url, client_id, client_secret) values ('oidc', 'p', '', '', '');
    insert into applications (type, code, name) values ('internal', 'a-p', 'a');
    insert into webhooks (application_id, name, url, types, secrets) select id, '', '', '{}', '[]' from applications where code = 'a-p'`)
  for (const { young, insert } of Object.values(tables)) await owner.query(insert(numbers(0, standing, young)))
  // the values name their pictures
  await owner.query(`update users u set values = (
    select coalesce(jsonb_object_agg(p.code, p.id), '{}') from field_pictures p where p.user_id = u.id) from people where people.id = u.id`)
  await owner.query('vacuum analyze')
}, 60_000)
afterAll(() => owner?.end())

/** The statements of each step, which a run with nothing to do has sent. */
const statements = new Map<string, Statement[]>()

test('a run with nothing to do reads next to nothing of tables with tens of thousands of rows', async () => {
  // the first run of an installation makes its keys and looks for versions
  for (const step of Object.values(platformHousekeeping)) await step(new Date())
  const before = await sizes()
  for (const [name, step] of Object.entries(platformHousekeeping))
    statements.set(name, await sentBy(() => step(new Date())))
  expect(await sizes()).toEqual(before)
  const many: string[] = []
  for (const [name, sent] of statements)
    for (const statement of sent) {
      const { scans, pages } = await explained(owner, statement)
      // a 144th has its turn
      for (const { table, kind, rows } of scans)
        if (large.includes(table) && (kind === 'Seq Scan' || rows > standing / 50))
          many.push(`${name}: ${kind} of ${rows} ${table}: ${statement.text}`)
      if (pages > standing * 0.07) many.push(`${name}: ${pages} pages: ${statement.text}`)
    }
  expect(many).toEqual([])
})

test('with thousands of rows due, each statement finds them by an index and handles a batch', async () => {
  for (const { late, insert } of Object.values(tables)) await owner.query(insert(numbers(10_000_000, due, late)))
  await owner.query('analyze')
  const [many, touched]: [string[], Set<string>] = [[], new Set()]
  for (const [name, sent] of statements)
    for (const statement of sent) {
      const { scans } = await explained(owner, statement)
      for (const { table, kind, rows } of scans) {
        if (large.includes(table) && rows > 0) touched.add(table)
        if (large.includes(table) && (kind === 'Seq Scan' || rows > 3 * batchSize))
          many.push(`${name}: ${kind} of ${rows} ${table}: ${statement.text}`)
      }
    }
  expect(many).toEqual([])
  // what the history has isn't due before it is sealed, and the rows of runs wait for their runs
  const untouched = large.filter((table) => !touched.has(table))
  expect(untouched).toEqual(['history', 'run_rows', 'history_unsealed'])
})

test('then all that is due goes, and nothing else', { tags: ['full'] }, async () => {
  const before = await sizes()
  for (const step of Object.values(platformHousekeeping)) await step(new Date())
  const deletedCounts = Object.entries(await sizes()).map(([table, count]) => [table, (before[table] ?? 0) - count])
  expect(Object.fromEntries(deletedCounts)).toMatchObject({
    ...Object.fromEntries(Object.keys(tables).map((table) => [table, due])),
    // some sessions are needed; of pictures a 144th has its turn
    ...{ sessions: expect.any(Number), field_pictures: expect.any(Number), history: 0, run_rows: 2 * due },
  })
})

/** Counts in `deletions` the rows of these tables that a transaction deletes, also those that go with other rows. */
const countDeletions = (counted: readonly string[]) =>
  owner.query(`
    create table deletions (transaction bigint, name text, count int);
    create function count_deletions() returns trigger language plpgsql security definer as $$ begin
      insert into public.deletions select txid_current(), tg_table_name, count(*) from gone having count(*) > 0;
      return null;
    end $$;
    ${counted.map((table) => `create trigger count_deletions after delete on ${table} referencing old table as gone for each statement execute function count_deletions();`).join('\n')}`)

test('of any amounts all that is due goes and nothing else, and no transaction deletes more than a batch', {
  tags: ['full'],
}, async () => {
  const jobs = 'graphile_worker._private_jobs'
  await countDeletions([...large, jobs])
  await owner.query(
    `insert into graphile_worker._private_tasks (identifier) values ('backchannelLogout'), ('other') on conflict do nothing`,
  )
  const amounts = [0, 1, batchSize - 1, batchSize, batchSize + 1, 2 * batchSize]
  let place = 20_000_000
  for (const _ of eachRound(3)) {
    const before = await sizes()
    const added: Record<string, number> = {}
    for (const [table, { young, late, insert }] of Object.entries(tables)) {
      const [dueRows, others] = [amounts[random(amounts.length)] ?? 0, random(40)]
      await owner.query(insert(numbers(place, dueRows, late)))
      // rows of accounts stay by their number
      await owner.query(
        insert(numbers(table === 'password_failures' ? place - 15_000_000 : place + dueRows, others, young)),
      )
      place += dueRows + others
      added[table] = others
    }
    await owner.query(`insert into outbox_deliveries (event_id, handler, entity, entity_id, state, finished_at)
      select event_id, 'h' || n, entity, entity_id, state, finished_at from outbox_deliveries, generate_series(1, 3) n
      where finished_at < now() - interval '7 days'`)
    await owner.query(`insert into ${jobs} (task_id, attempts, max_attempts, created_at, updated_at)
      select t.id, 1, 1, at, at from graphile_worker._private_tasks t, ${numbers(1, batchSize + random(batchSize), '40 days')}`)
    for (const step of Object.values(platformHousekeeping)) await step(new Date())
    const after = await sizes()
    const expected = Object.keys(tables).map((table) => [table, (before[table] ?? 0) + (added[table] ?? 0)])
    expect(after).toMatchObject({
      ...Object.fromEntries(expected),
      ...{ sessions: expect.any(Number), field_pictures: expect.any(Number), history: expect.any(Number) },
      run_rows: 2 * (after.runs ?? 0),
      outbox_deliveries: after.outbox_events,
    })
    expect((await owner.query(`select from ${jobs} where attempts = max_attempts`)).rowCount).toBe(0)
  }
  const { rows } = await owner.query<{ name: string; most: number }>(`
    select name, max(count)::int as most from (
      select name, sum(count) as count from deletions group by name, transaction
    ) deleted group by name`)
  expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining(['runs', 'outbox_deliveries', '_private_jobs']))
  expect(rows.filter(({ most }) => most > batchSize)).toEqual([])
})

async function sizes(): Promise<Record<string, number>> {
  const { rows } = await owner.query<{ name: string; count: number }>(
    large.map((name) => `select '${name}' as name, count(*)::int as count from ${name}`).join(' union all '),
  )
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]))
}
