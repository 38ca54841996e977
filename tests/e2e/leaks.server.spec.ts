import { spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { Redis } from 'ioredis'
import pg from 'pg'
import { isFull } from '../setup/scope'
import { restClient } from './rest-client'
import { type Printed, type ServerProcess, startServer, startWorker } from './server-process'
import { expect, test } from './turn'

test.setTimeout(180_000)

/** The tables that refuse to be written to, in three ways. In `npm test` each way is tried once or twice. */
const refusing = isFull
  ? {
      constraint: ['sessions', 'sign_in_attempts', 'messages', 'links', 'daily_counters', 'history', 'users'],
      trigger: ['sessions', 'messages', 'sign_in_attempts'],
      right: ['users', 'messages', 'sessions'],
    }
  : { constraint: ['messages', 'users'], trigger: ['sessions'], right: ['users'] }
const cuts = isFull ? 3 : 1
/** Milliseconds between two cuts of all connections. */
const cutEvery = 10

const at = (url: string | undefined, database: string) =>
  Object.assign(new URL(url ?? ''), { pathname: `/${database}` }).href

/** Runs a command until it ends and keeps its output. */
async function run(script: string, args: string[], env: Record<string, string>, printed: Printed, input = '') {
  const child = spawn(process.execPath, [script, ...args], { env: { ...process.env, ...env } })
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      printed.text += chunk
    })
  child.stdin.end(input)
  return new Promise<number | null>((resolve) => child.once('close', resolve))
}

const account = () => {
  const name = `leak-${randomBytes(5).toString('hex')}`
  return { login: name, email: `${name}@polaris.example`, password: `Aa1-${randomBytes(12).toString('base64url')}` }
}

/** Every value of the database that names a person or gives access. */
async function tellingValues(owner: pg.Client): Promise<Set<string>> {
  const { rows: columns } = await owner.query<{ table_name: string; column_name: string; data_type: string }>(
    `select table_name, column_name, data_type from information_schema.columns
     where table_schema = 'public' and data_type in ('text', 'character varying', 'bytea', 'jsonb')
       and table_name = any($1)`,
    [
      ['users', 'user_identifiers', 'sessions', 'sign_in_attempts', 'links', 'messages', 'daily_counters'].concat([
        'password_history',
        'idempotency_keys',
      ]),
    ],
  )
  const values = new Set<string>()
  const telling = /@|^\$|^[\w+/=.-]{20,}$/
  const add = (value: unknown) => {
    if (typeof value === 'string' && value.length >= 8 && telling.test(value)) values.add(value)
    else if (Buffer.isBuffer(value))
      for (const form of ['hex', 'base64', 'base64url'] as const) values.add(value.toString(form))
    else if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) add(each)
  }
  for (const { table_name, column_name } of columns) {
    const { rows } = await owner.query(
      `select distinct ${pg.escapeIdentifier(column_name)} as value from ${pg.escapeIdentifier(table_name)} limit 2000`,
    )
    for (const { value } of rows) add(value)
  }
  return values
}

test('whatever fails, nothing that people sent is printed: broken constraints, triggers, rights, cut connections, a full Redis', async () => {
  const name = `leaks_${randomBytes(6).toString('hex')}`
  const setup = new pg.Client(at(process.env.DATABASE_OWNER_URL, 'postgres'))
  await setup.connect()
  await setup.query(`create database ${name}`)
  const env = {
    DATABASE_URL: at(process.env.DATABASE_URL, name),
    DATABASE_OWNER_URL: at(process.env.DATABASE_OWNER_URL, name),
    LOG_LEVEL: 'debug',
  }
  const printed: Printed = { text: '' }
  const secrets = new Set<string>()
  const codes = new Set<string>()
  const processes: Pick<ServerProcess, 'child' | 'ended'>[] = []
  const owner = new pg.Client(env.DATABASE_OWNER_URL)
  owner.on('error', () => {})
  try {
    expect(await run('dist/migrate.js', [], env, printed)).toBe(0)
    await owner.connect()
    // wrong passwords close an account for a while, so whoever signs in isn't the one whose password is guessed
    const [knownPerson, guessed] = [account(), account()]
    const make = (of: ReturnType<typeof account>) =>
      run(
        'dist/platform.js',
        [...'admin create'.split(' '), '--login', of.login, '--email', of.email, '--password-stdin'],
        env,
        { text: '' },
        of.password,
      )
    expect(await Promise.all([make(knownPerson), make(guessed)])).toEqual([0, 0])
    const server = await startServer(env, printed)
    processes.push(server, await startWorker(env, printed))
    const keep = (...values: string[]) => {
      for (const value of values) secrets.add(value)
    }
    for (const { email, password, login } of [knownPerson, guessed]) keep(email, password, login)

    /** What people do, and everything that follows from it. */
    async function people() {
      const stranger = account()
      const [guid, code] = [randomUUID(), String(1000 + (randomBytes(2).readUInt16BE() % 9000))]
      keep(stranger.login, stranger.email, stranger.password, guid)
      codes.add(code)
      const clients = [0, 1, 2, 3].map(() => restClient(server.address))
      const [one, two, three, four] = clients as [
        ReturnType<typeof restClient>,
        ReturnType<typeof restClient>,
        ReturnType<typeof restClient>,
        ReturnType<typeof restClient>,
      ]
      const works = [
        async () => {
          await one.signIn(knownPerson.login, knownPerson.password)
          for (const path of ['/platform/profile', '/platform/profile/sessions', '/platform/setting'])
            await one.page(path)
          await one.send('GET', '/users/settings')
          await one.send('POST', '/auth/logout')
        },
        async () => {
          await two.signIn(guessed.login, stranger.password)
          await two.signIn(stranger.login, stranger.password)
          await two.send('GET', `/auth/config/email?email=${encodeURIComponent(stranger.email)}`)
          await two.send('POST', '/auth/code/email', { flow: 'email_code', email: guessed.email })
          await two.send('POST', '/auth/login/email', { flow: 'email_code', email: guessed.email, code })
        },
        async () => {
          await three.send('POST', '/password/link', { email: knownPerson.email })
          await three.send('POST', '/registration/link', { email: stranger.email, firstName: 'Иван', lastName: 'Ким' })
          await three.send('GET', `/registration/status/${guid}`)
          await three.page(`/platform/registration/${guid}`)
          await three.send('PUT', `/password/${guid}`, {
            password: stranger.password,
            repeatPassword: stranger.password,
          })
        },
        async () => {
          await four.page(`/platform/login?login=${encodeURIComponent(stranger.email)}`)
          await four.ask('/oidc/token', {
            method: 'POST',
            body: new URLSearchParams({
              grant_type: 'authorization_code',
              code: stranger.password,
              client_id: stranger.login,
              client_secret: stranger.password,
            }),
          })
          await four.ask(`/oidc/auth?client_id=${stranger.login}&response_type=code&login_hint=${stranger.email}`)
        },
      ]
      await Promise.allSettled(works.map((work) => work()))
      for (const client of clients) keep(...client.seen)
    }
    const logged = () => printed.text.length

    await people()
    // each table that people's actions write to refuses every row, with the row in the error
    for (const table of refusing.constraint) {
      await owner.query(`alter table ${table} add constraint leak check (false) not valid`)
      await people()
      const refuses = ['users', 'history'].includes(table)
      if (isFull || refuses) expect(await make(account())).toBe(refuses ? 1 : 0)
      await owner.query(`alter table ${table} drop constraint leak`)
    }
    // the text of the trigger's error contains the row
    await owner.query(`create function leak() returns trigger language plpgsql as
      $$ begin raise exception 'row % of %', new, tg_table_name using detail = new::text, hint = new::text; end $$`)
    for (const table of refusing.trigger) {
      await owner.query(`create trigger leak before insert or update on ${table} for each row execute function leak()`)
      await people()
      await owner.query(`drop trigger leak on ${table}`)
    }
    // pages and jobs fail as well
    const role = decodeURIComponent(new URL(env.DATABASE_URL).username)
    for (const table of refusing.right) {
      await owner.query(`revoke select, update on ${table} from ${role}`)
      await people()
      await owner.query(`grant select, update on ${table} to ${role}`)
    }
    for (let round = 0; round < cuts; round++) {
      let over = false
      const cutting = (async () => {
        while (!over) {
          await owner.query(
            'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()',
            [name],
          )
          await pause(cutEvery)
        }
      })()
      await people()
      over = true
      await cutting
    }
    if (process.env.REDIS_URL !== 'mock:') {
      const redis = new Redis(process.env.REDIS_URL ?? '')
      await redis.config('SET', 'maxmemory', '1')
      try {
        await people()
      } finally {
        await redis.config('SET', 'maxmemory', '0')
        redis.disconnect()
      }
    }
    await expect.poll(async () => (await fetch(`${server.address}/health/ready`)).status, { timeout: 20_000 }).toBe(200)
    await people()
    // by now each message that could not be sent was tried again, or failed with its reason
    for (const value of await tellingValues(owner)) secrets.add(value)
    const { rows: failed } = await owner.query<{ last_error: string }>(
      'select last_error from graphile_worker._private_jobs where last_error is not null',
    )
    expect(logged()).toBeGreaterThan(0)

    for (const { child, ended } of processes.splice(0)) {
      child.kill('SIGTERM')
      await ended
    }
    // each kind of failure happened and was logged
    for (const detail of [
      '23514',
      'P0001',
      '42501',
      '"constraint":"leak"',
      'insert into \\"sessions\\"',
      'a job failed',
    ])
      expect(printed.text, detail).toContain(detail)
    const errors = failed.map(({ last_error }) => last_error).join('\n')
    for (const secret of secrets) {
      expect(printed.text.includes(secret), `the log holds ${secret}`).toBe(false)
      expect(errors.includes(secret), `a job's failure holds ${secret}`).toBe(false)
    }
    // numbers of four digits are everywhere, so only a whole value counts as a code
    for (const code of codes)
      expect(printed.text).not.toMatch(new RegExp(`(code|params?|args)\\W{1,6}[^\\n]{0,80}\\b${code}\\b`))
  } finally {
    for (const { child, ended } of processes) {
      child.kill('SIGKILL')
      await ended
    }
    await owner.end()
    await setup.query(`drop database ${name} with (force)`)
    await setup.end()
  }
})
