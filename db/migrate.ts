import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { drizzle } from 'drizzle-orm/node-postgres'
import { Logger, runMigrations } from 'graphile-worker'
import pg from 'pg'
import { TimeoutClient } from '@/lib/base/postgres/client'
import { spellEmails } from './migrate/emails'
import { migrateTables } from './migrate/tables'
import { fillVisits } from './migrate/visits'
import { seedBase } from './seed/base'

type Log = (details: object, message: string) => void
type Options = {
  /** The address of the role that may change tables. */
  ownerUrl: string
  /** The address of the application's and the worker's role; it may be the same role. */
  appUrl: string
  log: { info: Log; warn: Log }
  /** Milliseconds to wait for a database that doesn't answer. */
  waitFor?: number
  /** The folder of the migrations; by default the shipped ones. */
  folder?: string
}

/** Relative to the project's root, where every command starts, so the sources and the bundle find the same folder. */
const shippedMigrations = () => join(process.cwd(), 'db', 'migrations')

/** Tables with fewer rights for the application: it adds rows to the history and its chain, and never changes them. */
const restricted = {
  history: 'select, insert',
  history_seals: 'select, insert',
  history_unsealed: 'select, update, delete',
}

/**
 * Errors after which the connection is tried again: not reachable yet, starting, shutting down, all connections in use.
 */
const transientErrors = /^(ECONN\w+|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|57P0[1-3]|53300|08...)$/

const placeOf = (url: string) => {
  const { hostname, port, pathname } = new URL(url)
  return `${hostname}:${port || 5432}${pathname}`
}

/** Opens a connection and waits for a database that is still starting. Throws an error that names the database. */
async function connect(
  url: string,
  { log, waitFor = 15_000 }: Pick<Options, 'log' | 'waitFor'>,
): Promise<TimeoutClient> {
  const deadline = Date.now() + waitFor
  for (let logged = false; ; await pause(250)) {
    const client = new TimeoutClient({
      connectionString: url,
      // migrations have no time limit, and wait for migrations of other instances
      timeouts: { connect: 3_000, silence: Number.POSITIVE_INFINITY },
      application_name: 'platform migrations',
    })
    client.on('error', () => {})
    try {
      await client.connect()
      return client
    } catch (error) {
      await client.end().catch(() => {})
      const { code = '', message = '' } = error as { code?: string; message?: string }
      const reason = message || code
      if (!transientErrors.test(code))
        throw new Error(`the database ${placeOf(url)} refuses the connection: ${reason}`, { cause: error })
      if (Date.now() > deadline)
        throw new Error(`the database ${placeOf(url)} does not answer: ${reason}`, { cause: error })
      if (!logged) log.warn({ database: placeOf(url), reason }, 'waiting for the database')
      logged = true
    }
  }
}

/** Grants the application's role the rights that it needs and no others; default privileges cover future tables. */
async function grantAccess(client: pg.Client, appRole: string) {
  const { rows } = await client.query<{ owner: string; database: string }>(
    'select current_user as owner, current_database() as database',
  )
  const [{ owner = '', database = '' } = {}] = rows
  if (appRole === owner) return
  const role = pg.escapeIdentifier(appRole)
  const rights = 'select, insert, update, delete'
  // the migrations of an older version don't create all of them
  const { rows: existing } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relname = any($1)
      union all select proname from pg_proc where pronamespace = 'public'::regnamespace and proname = $2`,
    [Object.keys(restricted), 'remove_old_history'],
  )
  const exists = (name: string) => existing.some((row) => row.name === name)
  await client.query(
    [
      'begin',
      // the job queue has its own schema, which the role creates itself
      `grant connect, create on database ${pg.escapeIdentifier(database)} to ${role}`,
      `grant usage on schema public to ${role}`,
      // a server refuses to start if the database is older than its code
      `grant usage on schema drizzle to ${role}`,
      `grant select on all tables in schema drizzle to ${role}`,
      `grant ${rights} on all tables in schema public to ${role}`,
      `grant usage, select on all sequences in schema public to ${role}`,
      `alter default privileges in schema public grant ${rights} on tables to ${role}`,
      `alter default privileges in schema public grant usage, select on sequences to ${role}`,
      ...Object.entries(restricted)
        .filter(([table]) => exists(table))
        .flatMap(([table, tableRights]) => [
          `revoke all on ${table} from ${role}`,
          `grant ${tableRights} on ${table} to ${role}`,
        ]),
      ...(exists('remove_old_history') ? [`grant execute on function remove_old_history to ${role}`] : []),
      'commit',
    ].join(';\n'),
  )
}

/**
 * Lets one instance at a time continue. It polls for the lock: creating an index concurrently waits for running
 * statements, so an instance that waits for the lock within a statement would deadlock with it.
 */
async function lockMigrations(client: pg.Client) {
  for (;;) {
    const { rows } = await client.query<{ got: boolean }>(
      `select pg_try_advisory_lock(hashtext('platform migrations')) as got`,
    )
    if (rows[0]?.got) return
    await pause(100)
  }
}

/**
 * Updates a database: tables, shipped data, the application's rights, the job queue. Several instances may run this at
 * the same time: one works, the others wait and then find no work. Throws an error that names the database if it
 * doesn't answer for some seconds.
 */
export async function migrateDatabase({
  ownerUrl,
  appUrl,
  folder = shippedMigrations(),
  ...options
}: Options): Promise<void> {
  const client = await connect(ownerUrl, options)
  try {
    await lockMigrations(client)
    const database = drizzle(client, { casing: 'snake_case' })
    await migrateTables(client, database, folder, options.log)
    await spellEmails(client, options.log)
    await fillVisits(client)
    await database.transaction(seedBase)
    // parsed from the address by pg; a connection as this role may need these grants first
    await grantAccess(client, new pg.Client({ connectionString: appUrl }).user ?? '')
    await runMigrations({ connectionString: appUrl, logger: new Logger(() => () => {}) })
    options.log.info({ database: placeOf(ownerUrl) }, 'the database is up to date')
  } finally {
    // the lock is released with the connection
    await client.end()
  }
}
