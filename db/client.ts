import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
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

export const databasePool = () => instance().pool

/** Lets running queries finish and closes the pool. */
export async function closeDatabase() {
  const open = shared.platformDatabase
  shared.platformDatabase = undefined
  await open?.pool.end()
}
