import { createHash } from 'node:crypto'
import type { SQL } from 'drizzle-orm'
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import { PgDialect } from 'drizzle-orm/pg-core'
import type pg from 'pg'
import { TimeoutPool } from '@/lib/base/postgres/pool'
import { env } from '@/lib/base/runtime/env'
import { insideTransaction, lentTransaction, markCommit, refuseSecondConnection } from './scope'

export type Database = NodePgDatabase
export type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0]

/** No schema: only relational queries need it, and Drizzle would read all of its tables for each transaction and session. */
const casing = { casing: 'snake_case' } as const

type Shared = { pool: TimeoutPool; database: Database; sessions: pg.Pool }
// Next bundles this file more than once and bin/ has its own copy, but the process has one pool
const shared = globalThis as typeof globalThis & { platformDatabase?: Shared }

/** Milliseconds that PostgreSQL gives a statement before it ends it with an error. */
let statementLimit = 15_000

/** For a process in which no person waits for statements, such as cleanup jobs. Call it before it connects. */
export const bearLongStatements = () => {
  statementLimit = 10 * 60_000
}

/** More than the worker runs at once. */
const sessionLimit = 14

function connect(): Shared {
  const { DATABASE_URL, DATABASE_POOL, PLATFORM_MODE } = env()
  const options = {
    connectionString: DATABASE_URL,
    idleTimeoutMillis: 30_000,
    statement_timeout: statementLimit,
    idle_in_transaction_session_timeout: 15_000,
  }
  const pool = new TimeoutPool({
    ...options,
    max: DATABASE_POOL,
    application_name: 'platform',
    // in production people had better wait for a connection than get an error
    ...(PLATFORM_MODE === 'production' ? {} : { beforeTaking: refuseSecondConnection }),
  })
  const sessions = new TimeoutPool({ ...options, max: sessionLimit, application_name: 'platform session' })
  return { pool, sessions, database: scoped(drizzle(pool, casing)) }
}

/** Marks the flow of each transaction: see db/scope.ts. */
function scoped(database: Database): Database {
  const begin = database.transaction.bind(database)
  database.transaction = (work, config) =>
    begin(
      (tx) =>
        insideTransaction(tx, async () => {
          const done = await work(tx)
          await markCommit(tx)
          return done
        }),
      config,
    )
  return database
}

const instance = () => {
  shared.platformDatabase ??= connect()
  return shared.platformDatabase
}

type Queries = { query(...given: unknown[]): Promise<unknown> }
const lent = new WeakMap<object, Database>()

/** The connection of a transaction for code that calls db() itself; runs one statement after another. */
function lentBy({ tx, life, joined }: NonNullable<ReturnType<typeof lentTransaction>>): Database {
  const known = lent.get(joined ?? tx)
  if (known) return known
  const { client } = tx._.session as unknown as { client: Queries }
  let last: Promise<unknown> = Promise.resolve()
  const query: Queries['query'] = (...given) => {
    const answer = last.then(() => {
      // code that runs on after the transaction must not use its connection, which may have another user by then
      if (!life.open) throw new Error('the transaction whose connection was lent is over')
      return client.query(...given)
    })
    last = answer.catch(() => {})
    return answer
  }
  const made: Database = drizzle({ client: { query } as unknown as pg.PoolClient, ...casing })
  // it would begin and end the transaction around it
  made.transaction = joined
    ? (work) => tx.transaction((inner) => work(inner))
    : () => Promise.reject(new Error('what is read for a transaction begins none of its own'))
  lent.set(joined ?? tx, made)
  return made
}

/**
 * The process's connection pool for Drizzle. It connects at the first use. Inside a transaction it throws, except in
 * production: code in a transaction must use `tx`.
 */
export function db(): Database {
  const lending = lentTransaction()
  return lending ? lentBy(lending) : instance().database
}

/**
 * A query for the hottest paths: Drizzle builds it once and PostgreSQL plans it once for each connection. `name` must be
 * unique in the project. Write parameters as `sql.placeholder`. Call the result to get the query, inside a
 * transaction with its `tx`.
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
 * Runs a statement that PostgreSQL plans once for each connection, for the hottest paths. Its text may have only a few
 * variants, because each variant stays prepared.
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

/** Drizzle on each connection of the sessions, which knows the columns that it has written. */
const onSession = new WeakMap<pg.PoolClient, Database>()

function sessionOn(client: pg.PoolClient): Database {
  const made = onSession.get(client) ?? drizzle(client, casing)
  onSession.set(client, made)
  return made
}

/**
 * Runs the work on its own connection, for state of a database session, such as an advisory lock. These connections
 * come from a separate pool, so that code which holds one and waits for a connection of `db()` can't deadlock. `lost` is
 * aborted if the connection dies. If the work throws, the connection is closed and its locks are released.
 */
export async function withSession<T>(work: (session: Database, lost: AbortSignal) => Promise<T>): Promise<T> {
  const client = await instance().sessions.connect()
  const lost = new AbortController()
  const onLost = () => lost.abort(new Error('the connection is lost'))
  client.once('error', onLost)
  client.once('end', onLost)
  let failed = true
  try {
    const result = await work(sessionOn(client), lost.signal)
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
