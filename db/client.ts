import { createHash } from 'node:crypto'
import type { SQL } from 'drizzle-orm'
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import { PgDialect } from 'drizzle-orm/pg-core'
import pg from 'pg'
import { env } from '@/lib/kernel/env'
import { log } from '@/lib/kernel/log'
import * as schema from './schema'

export type Database = NodePgDatabase<typeof schema>
export type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0]

type Shared = { pool: pg.Pool; database: Database }
// Next bundles this file more than once and bin/ has its own copy: the process still has one pool
const shared = globalThis as typeof globalThis & { platformDatabase?: Shared }

function connect(): Shared {
  const { DATABASE_URL, DATABASE_POOL } = env()
  const pool = new pg.Pool({
    connectionString: DATABASE_URL,
    max: DATABASE_POOL,
    connectionTimeoutMillis: 2000,
    idleTimeoutMillis: 30_000,
    statement_timeout: 15_000,
    idle_in_transaction_session_timeout: 15_000,
    application_name: 'platform',
  })
  const lost = (error: Error) => log.warn({ err: error }, 'database connection lost')
  pool.on('error', lost)
  pool.on('connect', (client) => client.on('error', lost))
  return { pool, database: drizzle(pool, { schema, casing: 'snake_case' }) }
}

const instance = () => {
  shared.platformDatabase ??= connect()
  return shared.platformDatabase
}

/** The process's connection pool as Drizzle sees it. Connects when first used. */
export const db = () => instance().database

/**
 * A query that Drizzle builds once and PostgreSQL plans once a connection, for the hottest paths. `name` is the
 * statement's and unique in the project; what varies stands as `sql.placeholder`. Call the result for the query.
 */
export function prepared<P>(name: string, build: (database: Database) => { prepare(name: string): P }): () => P {
  const made = new WeakMap<Database, P>()
  return () => {
    const database = db()
    const query = made.get(database) ?? build(database).prepare(name)
    made.set(database, query)
    return query
  }
}

const dialect = new PgDialect({ casing: 'snake_case' })

const names = new Map<string, string>()

/** The name of a statement in a connection: its text's digest, so that one name never means two texts. */
function nameOf(text: string): string {
  const known = names.get(text)
  if (known) return known
  const name = `s_${createHash('sha256').update(text).digest('base64url').slice(0, 22)}`
  names.set(text, name)
  return name
}

/**
 * Runs a statement that PostgreSQL plans once a connection, for the hottest paths. Its text may have only a few
 * forms, whatever the parameters: each stays planned.
 */
export async function executePlanned<Row extends Record<string, unknown>>(
  run: Database | Transaction,
  query: SQL,
): Promise<Row[]> {
  const built = dialect.sqlToQuery(query)
  const statement = run._.session.prepareQuery(built, undefined, nameOf(built.sql), false)
  return ((await statement.execute()) as { rows: Row[] }).rows
}

export const databasePool = () => instance().pool

/** Lets running queries finish and closes the pool. */
export async function closeDatabase() {
  const open = shared.platformDatabase
  shared.platformDatabase = undefined
  await open?.pool.end()
}
