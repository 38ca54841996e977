import pg from 'pg'
import { startEmbedded } from '@/bin/embedded'
import { allowLongStatements } from '@/db/client'
import { loadPermanentKeys } from '@/lib/base/crypto/permanent-keys'
import { extendHistoryChain } from '@/lib/operations/history-chain/seal'
import { emptyDatabase } from '../factories/empty-database'
import { insertHistory } from './history'
import { createStage, environmentOf, prepareForLoad } from './platform'
import { type Amounts, seedAmounts, seededAmounts, seedFolder, seedSides } from './seeded'
import { fillingUsers } from './users'

/** Tables whose indexes are made of the rows that are there, which is faster than row by row. */
const indexed = [
  'users',
  'user_identifiers',
  'user_roles',
  'user_contractors',
  'user_contractor_roles',
  'contractors',
].concat('sessions', 'oidc_records', 'sign_in_log', 'history')

const seen = `now() - s.n % 1400 * interval '1 minute'`

/** What the accounts have beside what `fillingUsers` gives them. It reads that filling's table `person`. */
const havings = `
  insert into user_identifiers (kind, value, user_id)
    select 'email'::identifier_kind, email, id from users where login like 'login-%' on conflict do nothing;
  insert into user_contacts (user_id, kind, value, verified_at)
    select id, 'email'::contact_kind, 'further-' || n || '@polaris.example', now() from person where n % 10 < 3
    union all select id, 'mobile'::contact_kind, '+7902' || lpad(n::text, 7, '0'), null from person where n % 10 < 2;
  insert into user_roles (user_id, role_id, organization_id)
    select p.id, r.id, o.id from person p
    cross join (select id from roles where role_type = 'organizational' and enabled order by id limit 1) r
    cross join (select id from organizations where code = 'measured-users') o where p.n % 2 = 0 on conflict do nothing;
  insert into user_contractor_roles (user_id, contractor_id, organization_id, role_id)
    select uc.user_id, uc.contractor_id, (select id from organizations where code = 'measured-users'),
      (select id from roles where role_type = 'contractor' and enabled order by id desc limit 1)
    from user_contractors uc join person p on p.id = uc.user_id where p.n % 5 < 2 on conflict do nothing;`

/** Three of five accounts have live sessions, most of them two; each fifth session has tokens of an application. */
const sessions = `
  insert into sessions (user_id, domain_id, created_at, expires_at, last_access_at, ip, user_agent, browser, system,
      device_type, device_hash)
    select p.id, d.id, ${seen} - interval '1 day', now() + interval '30 days', ${seen},
      '10.' || s.n % 200 || '.' || s.n / 200 % 250 || '.7', 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0.0.0',
      'Chrome 140', 'Linux', 'desktop', md5(s.n::text)
    from generate_series(1, $1::int) s (n) cross join (select id from domains where base) d
    join person p on p.n = s.n % greatest((select count(*) from person) * 3 / 5, 1) + 1;
  insert into oidc_records (id_hash, model, payload, grant_id, session_uid, account_id, client_id, created_at, expires_at)
    select md5(model || s.id), model, repeat(md5(s.id::text), 20), md5('grant' || s.id), md5('uid' || s.id),
      s.user_id::text, 'procurement', s.created_at, now() + interval '60 days'
    from sessions s cross join (values ('Grant'), ('AccessToken'), ('RefreshToken')) made (model)
    where ended_at is null and right(s.id::text, 1) in ('0', '1', '2');`

/** Seven of ten sign-ins succeed, one of ten is of nobody; one row each 2.5 s, and five from a rare address. */
const signIns = `
  insert into sign_in_log (at, user_id, id_attribute, digest, mask, flows, cause, ip, browser, system, device_type)
    select now() - s.n * interval '2.5 seconds', p.id, 'login', case when p.id is null then md5((s.n / 100)::text) end,
      case when p.id is null then 'n•••' end, '{credentials}',
      case when s.n % 10 = 9 then 'unknown' when s.n % 10 > 6 then 'wrongPassword' end,
      case when s.n % greatest($1 / 5, 1) = 0 then '198.51.100.200'
        else '10.' || s.n % 200 || '.' || s.n / 200 % 250 || '.7' end, 'Chrome 140', 'Linux', 'desktop'
    from generate_series(1, $1::int) s (n)
    left join person p on p.n = s.n % (select count(*) from person) + 1 and s.n % 10 <> 9;`

/** Nothing becomes due for weeks, so that a seed stays what it was. */
const settings = `
  insert into settings (id, value) values
    ('interactionRetention', '365'),
    ('sessionAlive', '{"value": 30, "unit": "days"}'), ('sessionIdleAlive', '{"value": 30, "unit": "days"}')
    on conflict (id) do update set value = excluded.value`

/** Half of the history is about accounts, which a third of it was changed by. */
const ofPerson = `(select user_id from user_identifiers where kind = 'login' and value = 'login-' || n % $users + 1)`
const about = (users: number) => ({
  entity: `case when n % 2 = 0 then 'users' else 'network-aliases' end`,
  entityId: `case when n % 2 = 0 then ${ofPerson.replace('$users', String(users))}::text else 'object-' || n end`,
  changer: `case when n % 3 = 0 then ${ofPerson.replace('$users', String(users))} end`,
})

async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const begun = performance.now()
  const done = await work()
  console.log(`  ${what}: ${((performance.now() - begun) / 1_000).toFixed(0)} s`)
  return done
}

/** Drops the indexes of tables that no constraint needs. Returns the statements that make them. */
async function dropIndexes(owner: pg.Client, tables: readonly string[]): Promise<string[]> {
  const { rows } = await owner.query<{ name: string; made: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as made from pg_index
      where indrelid = any($1::regclass[]) and not indisunique`,
    [tables],
  )
  for (const { name } of rows) await owner.query(`drop index ${name}`)
  return rows.map(({ made }) => made)
}

async function fillTables(owner: pg.Client, appUrl: string, { users, history, sessions: live, signIns: log }: Amounts) {
  for (const setting of ['synchronous_commit = off', `maintenance_work_mem = '1GB'`, `work_mem = '256MB'`])
    await owner.query(`set ${setting}`)
  await owner.query(settings)
  const indexes = await dropIndexes(owner, indexed)
  await timed(`${users} accounts`, async () => {
    for (const statement of fillingUsers(users)) await owner.query(statement)
  })
  await timed('what they have', () => owner.query(havings))
  const with_ = (text: string, amount: number) => owner.query(text.replaceAll(/\$1(::int)?/g, String(amount)))
  await timed(`${live} live sessions`, () => with_(sessions, live))
  await owner.query('alter table sign_in_log drop constraint sign_in_log_pkey')
  await timed(`${log} rows of the sign-in log`, () => with_(signIns, log))
  await timed(`${history} rows of the history`, () =>
    insertHistory(appUrl, { size: history, newest: 'now()', every: '5 seconds', ...about(users) }),
  )
  await timed('indexes', async () => {
    await owner.query('alter table sign_in_log add primary key (id)')
    for (const statement of indexes) await owner.query(statement)
  })
  await timed('statistics', () => owner.query('vacuum analyze'))
}

/** Fills the database of one side from the beginning, unless it has these amounts already. */
async function seed(side: (typeof seedSides)[number]) {
  const amounts = seedAmounts[side]
  const stage = createStage()
  const services = await startEmbedded({ folder: `.data/${seedFolder}-${seedSides.indexOf(side)}`, durable: true })
  stage.open.push(services)
  try {
    const { DATABASE_OWNER_URL: ownerUrl, DATABASE_URL: appUrl } = services.env
    console.log(`${side}: ${JSON.stringify(amounts)}`)
    if (JSON.stringify(await seededAmounts(ownerUrl)) === JSON.stringify(amounts)) return console.log('  is there')
    const begun = performance.now()
    await emptyDatabase(ownerUrl)
    const env = await environmentOf(services.env)
    Object.assign(process.env, env)
    await stage.crew.run({ name: 'the demo data', args: ['dist/prepare.js'], env })
    allowLongStatements()
    await prepareForLoad()
    const owner = new pg.Client(ownerUrl)
    await owner.connect()
    try {
      await fillTables(owner, appUrl, amounts)
      await loadPermanentKeys()
      await timed('sealing of the history', () => extendHistoryChain())
      await owner.query(`comment on database ${new URL(ownerUrl).pathname.slice(1)} is '${JSON.stringify(amounts)}'`)
      const { rows } = await owner.query('select pg_size_pretty(pg_database_size(current_database())) as size')
      console.log(`  ${rows[0].size} in ${((performance.now() - begun) / 1_000).toFixed(0)} s`)
    } finally {
      await owner.end()
    }
  } finally {
    await stage.stop()
  }
}

// each side has a process of its own, because a process has one database
const side = seedSides.find((each) => each === process.argv[2])
if (side) await seed(side)
else {
  const stage = createStage()
  try {
    await stage.build()
    for (const each of seedSides)
      await stage.crew.run({
        name: `the ${each} seed`,
        args: ['--import', 'tsx', 'tests/bench/seed.ts', each],
        env: {},
      })
  } finally {
    await stage.stop()
  }
}
