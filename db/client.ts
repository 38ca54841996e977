import { createHash } from 'node:crypto'
import type { SQL } from 'drizzle-orm'
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import { PgDialect } from 'drizzle-orm/pg-core'
import type pg from 'pg'
import { TimeoutPool } from '@/lib/base/postgres/pool'
import { noteStoreRead } from '@/lib/base/runtime/derivation'
import { env } from '@/lib/base/runtime/env'
import { connectionOf, type QueryClient } from './drizzle-internals'
import { insideTransaction, lentTransaction, markCommit, refuseSecondConnection } from './scope'

export type Database = NodePgDatabase
export type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0]

/** No schema: only relational queries need it, and Drizzle would read all of its tables for each transaction and session. */
const casing = { casing: 'snake_case' } as const

type Shared = { pool: TimeoutPool; database: Database; sessions: pg.Pool }
// Next bundles this file more than once and bin/ has its own copy, but the process has one pool
const shared = globalThis as typeof globalThis & { platformDatabase?: Shared }

/** The milliseconds after which PostgreSQL ends a statement with an error. */
let statementLimit = 15_000

/**
 * Raises the statement limit, for a process without people who wait, such as cleanup jobs. Call it before it connects.
 */
export const allowLongStatements = () => {
  statementLimit = 10 * 60_000
}

/** More than the number of jobs that the worker runs at the same time. */
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
    // in production it is better that people wait for a connection than that they get an error
    ...(PLATFORM_MODE === 'production' ? {} : { beforeTaking: refuseSecondConnection }),
  })
  const sessions = new TimeoutPool({ ...options, max: sessionLimit, application_name: 'platform session' })
  return { pool, sessions, database: scoped(drizzle(pool, casing)) }
}

/** Registers the scope of each transaction: see db/scope.ts. */
function scoped(database: Database): Database {
  const begin = database.transaction.bind(database)
  database.transaction = (work, config) =>
    begin(
      (tx) =>
        insideTransaction(tx, async () => {
          const result = await work(tx)
          await markCommit(tx)
          return result
        }),
      config,
    )
  return database
}

const instance = () => {
  noteStoreRead()
  shared.platformDatabase ??= connect()
  return shared.platformDatabase
}

const lentDatabases = new WeakMap<object, Database>()

/**
 * Returns a database on the connection of a transaction, for code that calls db(); it runs one statement after another.
 */
function databaseOn({ tx, life, joined }: NonNullable<ReturnType<typeof lentTransaction>>): Database {
  const existing = lentDatabases.get(joined ?? tx)
  if (existing) return existing
  const client = connectionOf(tx)
  let lastAnswer: Promise<unknown> = Promise.resolve()
  const query: QueryClient['query'] = (...args) => {
    const answer = lastAnswer.then(() => {
      // code that continues after the transaction must not use its connection, which may have another user then
      if (!life.open) throw new Error('the transaction whose connection was lent is over')
      return client.query(...args)
    })
    lastAnswer = answer.catch(() => {})
    return answer
  }
  const database: Database = drizzle({ client: { query } as unknown as pg.PoolClient, ...casing })
  // a transaction of its own would end the surrounding one
  database.transaction = joined
    ? (work) => tx.transaction((innerTx) => work(innerTx))
    : () => Promise.reject(new Error('what is read for a transaction begins none of its own'))
  lentDatabases.set(joined ?? tx, database)
  return database
}

/**
 * Returns the process's connection pool for Drizzle, which connects at the first use. Inside a transaction it throws,
 * except in production: code in a transaction must use `tx`.
 */
export function db(): Database {
  const lentScope = lentTransaction()
  return lentScope ? databaseOn(lentScope) : instance().database
}

/**
 * Returns a function for a query of the hottest paths: Drizzle builds it once and PostgreSQL plans it once for each
 * connection. `name` must be unique in the project. Write parameters as `sql.placeholder`. Call the function to get the
 * query, inside a transaction with its `tx`.
 */
export function prepared<P>(
  name: string,
  build: (run: Database | Transaction) => { prepare(name: string): P },
): (run?: Database | Transaction) => P {
  const queries = new WeakMap<Database | Transaction, P>()
  return (run = db()) => {
    const query = queries.get(run) ?? build(run).prepare(name)
    queries.set(run, query)
    return query
  }
}

const dialect = new PgDialect({ casing: 'snake_case' })

const names = new Map<string, string>()

/**
 * Returns the name of a statement in a connection: a digest of its text, so that one name never stands for two texts.
 */
function nameOf(text: string): string {
  const existing = names.get(text)
  if (existing) return existing
  const name = `s_${createHash('sha256').update(text).digest('base64url').slice(0, 22)}`
  names.set(text, name)
  return name
}

/**
 * Runs a statement that PostgreSQL plans once for each connection, for the hottest paths. Its text should have only a
 * few variants, because each variant stays prepared.
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

/** The Drizzle instances by session connection; an instance knows the columns that it has written. */
const onSession = new WeakMap<pg.PoolClient, Database>()

function sessionOn(client: pg.PoolClient): Database {
  const database = onSession.get(client) ?? drizzle(client, casing)
  onSession.set(client, database)
  return database
}

/**
 * Runs work on its own connection, for state of a database session, such as an advisory lock. These connections come
 * from a separate pool, so that code that holds one and waits for a connection of `db()` can't deadlock. `lost` is
 * aborted if the connection dies. If the work throws, the connection is closed, which releases its locks.
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

/** Waits for running queries and closes the pools. */
export async function closeDatabase() {
  const connections = shared.platformDatabase
  shared.platformDatabase = undefined
  await Promise.all([connections?.pool.end(), connections?.sessions.end()])
}
