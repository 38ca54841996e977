import { execFile } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '@/bin/embedded/process'
import { migrateDatabase } from '@/db/migrate'
import { restClient } from '../e2e/rest-client'
import { startServer } from '../e2e/server-process'

/** The folder with the programs of a PostgreSQL, such as /usr/lib/postgresql/15/bin. */
const { PG_BIN } = process.env
/** PostgreSQL refuses to run as root: then it runs as nobody. */
const nobody = 65_534

async function run(program: string, ...args: string[]) {
  const path = join(PG_BIN ?? '', program)
  const asRoot = process.getuid?.() === 0
  const [command, all] = asRoot
    ? ['setpriv', [`--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups', path, ...args]]
    : [path, args]
  return promisify(execFile)(command, all, { cwd: folder })
}

let folder = ''
let port = 0
const at = (role: string, database: string) => `postgres://${role}@127.0.0.1:${port}/${database}`
async function asking<T>(role: string, database: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: at(role, database) })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
const silent = { info: () => {}, warn: () => {} }
const migrate = (database: string) =>
  migrateDatabase({ ownerUrl: at('platform_owner', database), appUrl: at('platform_app', database), log: silent })

beforeAll(async () => {
  if (!PG_BIN) return
  folder = await mkdtemp(join(tmpdir(), 'backup-'))
  if (process.getuid?.() === 0) await chown(folder, nobody, nobody)
  port = await freePort()
  await run('initdb', '-D', join(folder, 'data'), '-U', 'boss', '-A', 'trust', '-E', 'UTF8', '--no-sync')
  const options = `-p ${port} -k ${folder} -h 127.0.0.1 -F`
  await run('pg_ctl', '-D', join(folder, 'data'), '-w', '-l', join(folder, 'log'), '-o', options, 'start')
  await asking('boss', 'postgres', async (boss) => {
    for (const statement of [
      'create role platform_app login',
      'create role platform_owner login',
      'create database source owner platform_owner',
      // as docs/operations/backup.md says
      'create role platform_backup login bypassrls in role pg_read_all_data',
      'create database restored owner platform_owner',
      'grant platform_app to platform_owner',
      'grant create on database restored to platform_app',
    ])
      await boss.query(statement)
  })
})
afterAll(async () => {
  if (!folder) return
  await run('pg_ctl', '-D', join(folder, 'data'), '-m', 'immediate', 'stop')
  await rm(folder, { recursive: true, force: true })
})

/** How many rows each table has. */
const counts = (database: string) =>
  asking('boss', database, async (boss) => {
    const { rows } = await boss.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
       where schemaname in ('public', 'graphile_worker') order by 1`,
    )
    const rowCounts: Record<string, number> = {}
    for (const { name } of rows)
      rowCounts[name] = Number((await boss.query(`select count(*) from ${name}`)).rows[0].count)
    return rowCounts
  })

test.runIf(PG_BIN)(
  'a role that only reads dumps, and the owner restores without an error; queued mails keep their id',
  async () => {
    await migrate('source')
    const id = randomUUID()
    await asking('platform_app', 'source', async (app) => {
      await app.query(
        `insert into messages (id, kind, template, recipient, locale, content) values ($1, 'email', 'news', 'a@b.example', 'ru', 'sealed')`,
        [id],
      )
      await app.query(`select graphile_worker.add_job('message', json_build_object('id', $1::text))`, [id])
      await app.query(`insert into history (type, entity, entity_id) values ('create', 'roles', 'x')`)
    })
    await expect(asking('platform_backup', 'source', (backup) => backup.query('delete from messages'))).rejects.toThrow(
      'permission denied',
    )

    const dump = join(folder, 'platform.dump')
    await run('pg_dump', '--format=custom', `--dbname=${at('platform_backup', 'source')}`, `--file=${dump}`)
    await run('pg_restore', '--no-comments', '--exit-on-error', `--dbname=${at('platform_owner', 'restored')}`, dump)
    await migrate('restored')

    expect(await counts('restored')).toEqual(await counts('source'))
    await asking('platform_app', 'restored', async (app) => {
      // the Message-ID of a mail is made from this id
      expect((await app.query('select id, status from messages')).rows).toEqual([{ id, status: 'queued' }])
      await expect(app.query('delete from history')).rejects.toThrow('permission denied')
      await expect(app.query(`update history set entity = 'users'`)).rejects.toThrow('permission denied')
    })
    const jobs = await asking('boss', 'restored', (boss) =>
      boss.query('select payload from graphile_worker._private_jobs'),
    )
    expect(jobs.rows).toEqual([{ payload: { id } }])
    // the queue works on: it takes and gives jobs as before
    await asking('platform_app', 'restored', (app) => app.query(`select graphile_worker.add_job('housekeeping', '{}')`))
  },
)

const login = 'restored-admin'
const password = 'Restored-Horse-2026'

/** The environment of a platform on one of the databases. */
const environment = (database: string) => ({
  DATABASE_URL: at('platform_app', database),
  DATABASE_OWNER_URL: at('platform_owner', database),
  PLATFORM_MODE: 'test',
  REDIS_URL: 'mock:',
  HOST: '127.0.0.1',
  PROCESSES: '1',
  SECRET_KEYS: randomBytes(48).toString('base64'),
  ADMIN_LOGIN: login,
  ADMIN_EMAIL: 'restored@example.com',
  ADMIN_PASSWORD: password,
})

/** The part of an environment that names the database. */
const pick = ({ DATABASE_URL, DATABASE_OWNER_URL }: ReturnType<typeof environment>) => ({
  DATABASE_URL,
  DATABASE_OWNER_URL,
})

/** Starts the built server and signs in. Returns the statuses of the sign-in and of a page of the administration. */
async function signInAt(env: { PUBLIC_URL: string } & Record<string, string>) {
  const server = await startServer(env)
  try {
    const client = restClient(env.PUBLIC_URL)
    const status = await client.signIn(login, password)
    return [status, (await client.page('/platform/setting/users')).status]
  } finally {
    server.child.kill('SIGTERM')
    await server.ended
  }
}

test.runIf(PG_BIN)('a platform starts on the restored database, and people sign in as before', async () => {
  await run('createdb', '-h', '127.0.0.1', '-p', String(port), '-U', 'boss', '-O', 'platform_owner', 'lived')
  await run('createdb', '-h', '127.0.0.1', '-p', String(port), '-U', 'boss', '-O', 'platform_owner', 'restarted')
  for (const database of ['lived', 'restarted'])
    await asking('boss', database, (boss) => boss.query(`grant create on database ${database} to platform_app`))
  const restoredPort = String(await freePort())
  const env = { ...environment('lived'), PUBLIC_URL: `http://127.0.0.1:${restoredPort}`, PORT: restoredPort }
  await promisify(execFile)(process.execPath, ['dist/migrate.js'], { env: { ...process.env, ...env } })
  // the first start creates the administrator
  expect(await signInAt(env)).toEqual([200, 200])

  const dump = join(folder, 'lived.dump')
  await run('pg_dump', '--format=custom', `--dbname=${at('platform_backup', 'lived')}`, `--file=${dump}`)
  await run('pg_restore', '--no-comments', '--exit-on-error', `--dbname=${at('platform_owner', 'restarted')}`, dump)
  const { ADMIN_LOGIN: _, ADMIN_EMAIL: __, ADMIN_PASSWORD: ___, ...again } = env
  expect(await signInAt({ ...again, ...pick(environment('restarted')) })).toEqual([200, 200])
})
