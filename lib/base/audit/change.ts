import { db, type Transaction } from '@/db/client'
import { dropCached, invalidate } from '../cache/cache'
import { AppError, notFound } from '../runtime/errors'

/**
 * Runs the work in a transaction and returns its result. At the commit every process drops the values that it caches
 * under these names.
 */
export async function changing<T>(
  names: string | readonly string[],
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const cacheNames = [names].flat()
  const result = await db().transaction(async (tx) => {
    const value = await work(tx)
    for (const name of cacheNames) await invalidate(tx, name)
    return value
  })
  // the notification takes a moment, and the caller reads its own change at once
  for (const name of cacheNames) dropCached(name)
  return result
}

/**
 * Takes a row that the transaction has locked, and the `updatedAt` with which the form was read, if the call has one.
 * Returns the row. Throws 404 if there is none, and 409 if it was changed since.
 */
export function requireUnchanged<R extends { updatedAt: Date }>(row: R | undefined, updatedAt?: string): R {
  if (!row) throw notFound()
  if (updatedAt && row.updatedAt.getTime() !== Date.parse(updatedAt)) throw new AppError(409)
  return row
}
