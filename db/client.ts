import { createHash } from 'node:crypto'
import type { SQL } from 'drizzle-orm'
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import { PgDialect } from 'drizzle-orm/pg-core'
import type pg from 'pg'
import { env } from '@/lib/kernel/env'
import { PatientPool } from '@/lib/kernel/postgres/pool'
import * as schema from './schema'
import { insideTransaction, lentTransaction, refuseSecondConnection } from './scope'

export type Database = NodePgDatabase<typeof schema>
export type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0]

type Shared = { pool: pg.Pool; database: Database; sessions: pg.Pool }
// Next bundles this file more than once and bin/ has its own copy: the process still has one pool
const shared = globalThis as typeof globalThis & { platformDatabase?: Shared }

/** Milliseconds that PostgreSQL gives a statement before it ends it with an error. */
let statementLimit = 15_000

/** For a process whose statements nobody waits for, before it connects: what is to be tidied may be much. */
export const bearLongStatements = () => {
  statementLimit = 10 * 60_000
}

/** More than the worker runs at once. */
const sessionLimit = 10

function connect(): Shared {
  const { DATABASE_URL, DATABASE_POOL, PLATFORM_MODE } = env()
  const options = {
    connectionString: DATABASE_URL,
    idleTimeoutMillis: 30_000,
    statement_timeout: statementLimit,
    idle_in_transaction_session_timeout: 15_000,
  }
  const pool = new PatientPool({
    ...options,
    max: DATABASE_POOL,
    application_name: 'platform',
    // a fault of ours is for us to find; people rather wait for a connection than get an error
    ...(PLATFORM_MODE === 'production' ? {} : { beforeTaking: refuseSecondConnection }),
  })
  const sessions = new PatientPool({ ...options, max: sessionLimit, application_name: 'platform session' })
  return { pool, sessions, database: scoped(drizzle(pool, { schema, casing: 'snake_case' })) }
}

/** Marks the flow of each transaction: see db/scope.ts. */
function scoped(database: Database): Database {
  const begin = database.transaction.bind(database)
  database.transaction = (work, config) => begin((tx) => insideTransaction(tx, () => work(tx)), config)
  return database
}

const instance = () => {
  shared.platformDatabase ??= connect()
  return shared.platformDatabase
}

type Queries = { query(...given: unknown[]): Promise<unknown> }
const lent = new WeakMap<Transaction, Database>()

/** The connection of a transaction for what asks for the database by itself, one statement after another. */
function lentBy({ tx, life }: NonNullable<ReturnType<typeof lentTransaction>>): Database {
  const known = lent.get(tx)
  if (known) return known
  const { client } = tx._.session as unknown as { client: Queries }
  let last: Promise<unknown> = Promise.resolve()
  const query: Queries['query'] = (...given) => {
    const answer = last.then(() => {
      // what goes on after it must not speak in the transaction of whoever has the connection by then
      if (!life.open) throw new Error('the transaction whose connection was lent is over')
      return client.query(...given)
    })
    last = answer.catch(() => {})
    return answer
  }
  const made: Database = drizzle({ client: { query } as unknown as pg.PoolClient, schema, casing: 'snake_case' })
  // it would begin and end the transaction around it
  made.transaction = () => Promise.reject(new Error('what is read for a transaction begins none of its own'))
  lent.set(tx, made)
  return made
}

/**
 * The process's connection pool as Drizzle sees it. Connects when first used. Inside a transaction it throws outside
 * production: the code there works with `tx`.
 */
export function db(): Database {
  const lending = lentTransaction()
  return lending ? lentBy(lending) : instance().database
}

/**
 * A query that Drizzle builds once and PostgreSQL plans once a connection, for the hottest paths. `name` is the
 * statement's and unique in the project; what varies stands as `sql.placeholder`. Call the result for the
 * query, inside a transaction with its `tx`.
 */
export function prepared<P>(
  name: string,
  build: (run: Database | Transaction) => { prepare(name: string): P },
): (run?: Database | Transaction) => P {
  const made = new WeakMap<Database | Transaction, P>()
  return (run = db()) => {
    const query = made.get(run) ?? build(run).prepare(name)
    made.set(run, query)
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

/**
 * Runs the work on a connection that is its own to the end, for what a session holds, such as an advisory lock.
 * These come from a pool apart: whoever waits with one for a connection of `db()` never waits for itself. `lost` is
 * aborted when the connection dies; when the work throws, the connection ends, and what it held is free.
 */
export async function withSession<T>(work: (session: Database, lost: AbortSignal) => Promise<T>): Promise<T> {
  const client = await instance().sessions.connect()
  const lost = new AbortController()
  const onLost = () => lost.abort(new Error('the connection is lost'))
  client.once('error', onLost)
  client.once('end', onLost)
  let failed = true
  try {
    const result = await work(drizzle(client, { schema, casing: 'snake_case' }), lost.signal)
    failed = false
    return result
  } finally {
    client.off('error', onLost)
    client.off('end', onLost)
    client.release(failed)
  }
}

/** Lets running queries finish and closes the pools. */
export async function closeDatabase() {
  const open = shared.platformDatabase
  shared.platformDatabase = undefined
  await Promise.all([open?.pool.end(), open?.sessions.end()])
}
