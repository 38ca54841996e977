import { AsyncLocalStorage } from 'node:async_hooks'
import type { Transaction } from './client'

/** Whether a transaction is still open: afterwards its connection has another user. */
type Life = { open: boolean }
/** The transaction in which code runs; `lent` while code that calls db() gets its connection. */
type Scope = { tx: Transaction; life: Life; open: boolean; lent: boolean; joined?: Joined }
/** A transaction that takes in those of the code that it calls, with the work that waits for its commit. */
type Joined = { later: (() => Promise<void>)[] }

// Next bundles this file more than once: all of its copies must know of the same transactions
const shared = globalThis as typeof globalThis & { platformScopes?: AsyncLocalStorage<Scope> }
shared.platformScopes ??= new AsyncLocalStorage<Scope>()
const scopes = shared.platformScopes

const current = (): Scope | undefined => {
  const scope = scopes.getStore()
  return scope?.open && scope.life.open ? scope : undefined
}

/** Runs the work of a transaction, so that what it calls is known to be inside. */
export async function insideTransaction<T>(tx: Transaction, work: () => Promise<T>): Promise<T> {
  const life = { open: true }
  try {
    return await within({ tx, life, open: true, lent: false }, work)
  } finally {
    life.open = false
  }
}

type Mark = (tx: Transaction) => Promise<unknown>
const marking = globalThis as typeof globalThis & { platformCommitMarks?: AsyncLocalStorage<Mark> }
marking.platformCommitMarks ??= new AsyncLocalStorage<Mark>()
const marks = marking.platformCommitMarks

/** Runs work, each of whose transactions writes a mark as its last statement: the mark says whether any was committed. */
export const markingCommits = <T>(mark: Mark, work: () => Promise<T>): Promise<T> => marks.run(mark, work)

/** Writes the mark of the surrounding work, if it has one. */
export const markCommit = async (tx: Transaction): Promise<void> => void (await marks.getStore()?.(tx))

/** Whether the calling code runs inside a transaction. */
export const isInsideTransaction = (): boolean => current() !== undefined

/** The transaction whose connection is lent to the calling code; undefined where none is. */
export const lentTransaction = (): { tx: Transaction; life: Life; joined?: Joined } | undefined => {
  const scope = current()
  return scope?.lent ? scope : undefined
}

/**
 * Runs work, first in a transaction, so that `db()` and the transactions of what it calls are parts of this one. Returns
 * its result and the function to call after the commit, which does what those parts left for after theirs.
 */
export async function joining<T>(work: () => Promise<T>): Promise<{ result: T; afterCommit: () => Promise<void> }> {
  const scope = current()
  if (!scope) throw new Error('only a transaction takes in others')
  const joined: Joined = { later: [] }
  const result = await within({ ...scope, lent: true, joined }, work)
  return {
    result,
    afterCommit: async () => {
      for (const each of joined.later) await each()
    },
  }
}

/** Whether the calling code runs inside a transaction that takes in others: what it reads may never be committed. */
export const isJoined = (): boolean => current()?.joined !== undefined

/** Runs work that follows a commit: now, or after the commit of the transaction that took in the one that is over. */
export async function afterCommit(work: () => Promise<void>): Promise<void> {
  const joined = current()?.joined
  if (joined) joined.later.push(work)
  else await work()
}

/** Runs code that calls db() on the connection of the surrounding transaction. */
export const onOwnConnection = async <T>(work: () => Promise<T>): Promise<T> => {
  const scope = current()
  return scope ? within({ ...scope, lent: true }, work) : work()
}

/** Runs work outside the surrounding transaction: it represents another process, or nobody waits for it. */
export const apart = <T>(work: () => T): T => scopes.exit(work)

async function within<T>(scope: Scope, work: () => Promise<T>): Promise<T> {
  try {
    // a query of Drizzle's runs where it is awaited: so that must be inside as well
    return await scopes.run(scope, async () => await work())
  } finally {
    // calls that the work started but didn't await are outside from now on
    scope.open = false
  }
}

/**
 * Throws if code inside a transaction asks the pool for another connection: enough of these at once would deadlock.
 */
export function refuseSecondConnection() {
  if (current())
    throw new Error('a transaction asks for a second connection: give what it calls its `tx`, or read before it begins')
}
