import { AsyncLocalStorage } from 'node:async_hooks'
import type { Transaction } from './client'

/** Whether a transaction is still running: after its end, its connection has another user. */
type Life = { open: boolean }
/** The transaction in which code runs; `lent` while code that calls db() gets the transaction's connection. */
type Scope = { tx: Transaction; life: Life; open: boolean; lent: boolean; joined?: Joined }
/** A transaction that includes the transactions of the code that it calls, with their work for after the commit. */
type Joined = { later: (() => Promise<void>)[] }

// Next bundles this file more than once: all copies must share the transactions
const shared = globalThis as typeof globalThis & { platformScopes?: AsyncLocalStorage<Scope> }
shared.platformScopes ??= new AsyncLocalStorage<Scope>()
const scopes = shared.platformScopes

const current = (): Scope | undefined => {
  const scope = scopes.getStore()
  return scope?.open && scope.life.open ? scope : undefined
}

/** Runs the work of a transaction, and registers that code called by it runs inside the transaction. */
export async function insideTransaction<T>(tx: Transaction, work: () => Promise<T>): Promise<T> {
  const life = { open: true }
  try {
    return await inScope({ tx, life, open: true, lent: false }, work)
  } finally {
    life.open = false
  }
}

type Mark = (tx: Transaction) => Promise<unknown>
const marking = globalThis as typeof globalThis & { platformCommitMarks?: AsyncLocalStorage<Mark> }
marking.platformCommitMarks ??= new AsyncLocalStorage<Mark>()
const marks = marking.platformCommitMarks

/**
 * Runs work in which each transaction writes a mark as its last statement; the mark shows whether one was committed.
 */
export const markingCommits = <T>(mark: Mark, work: () => Promise<T>): Promise<T> => marks.run(mark, work)

/** Writes the mark of the surrounding work, if there is one. */
export const markCommit = async (tx: Transaction): Promise<void> => void (await marks.getStore()?.(tx))

/** Whether the calling code runs inside a transaction. */
export const isInsideTransaction = (): boolean => current() !== undefined

/** The transaction whose connection the calling code gets; undefined if there is none. */
export const lentTransaction = (): { tx: Transaction; life: Life; joined?: Joined } | undefined => {
  const scope = current()
  return scope?.lent ? scope : undefined
}

/**
 * Runs work as part of the surrounding transaction: `db()` and the transactions of the called code belong to this one.
 * Returns its result, and a function to call after the commit, which does the work that those transactions left for
 * after theirs. Throws outside a transaction.
 */
export async function joining<T>(work: () => Promise<T>): Promise<{ result: T; afterCommit: () => Promise<void> }> {
  const scope = current()
  if (!scope) throw new Error('only a transaction takes in others')
  const joined: Joined = { later: [] }
  const result = await inScope({ ...scope, lent: true, joined }, work)
  return {
    result,
    afterCommit: async () => {
      for (const step of joined.later) await step()
    },
  }
}

/**
 * Whether the calling code runs inside a transaction that includes others: the data that it reads may never be
 * committed.
 */
export const isJoined = (): boolean => current()?.joined !== undefined

/** Runs work after a commit: at once, or after the commit of the transaction that includes the finished one. */
export async function afterCommit(work: () => Promise<void>): Promise<void> {
  const joined = current()?.joined
  if (joined) joined.later.push(work)
  else await work()
}

/** Runs code that calls db() on the connection of the surrounding transaction. */
export const onOwnConnection = async <T>(work: () => Promise<T>): Promise<T> => {
  const scope = current()
  return scope ? inScope({ ...scope, lent: true }, work) : work()
}

/** Runs work outside the surrounding transaction: it stands for another process, or nobody waits for it. */
export const outsideTransaction = <T>(work: () => T): T => scopes.exit(work)

async function inScope<T>(scope: Scope, work: () => Promise<T>): Promise<T> {
  try {
    // a query of Drizzle runs where it is awaited, so the await must be inside too
    return await scopes.run(scope, async () => await work())
  } finally {
    // calls that the work started but didn't await are outside from here on
    scope.open = false
  }
}

/**
 * Throws if code inside a transaction asks the pool for a second connection: several of these at the same time would
 * deadlock.
 */
export function refuseSecondConnection() {
  if (current())
    throw new Error('a transaction asks for a second connection: give what it calls its `tx`, or read before it begins')
}
