import { db, type Transaction } from '@/db/client'
import { dropCached, invalidate } from '../cache/cache'
import { AppError, notFound } from '../runtime/errors'

/**
 * Runs the work in a transaction and returns its result. After the commit every process loads anew what it caches under
 * these names.
 */
export async function changing<T>(
  names: string | readonly string[],
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const kept = [names].flat()
  const result = await db().transaction(async (tx) => {
    const done = await work(tx)
    for (const name of kept) await invalidate(tx, name)
    return done
  })
  // the notification takes a moment, and the caller reads its own change at once
  for (const name of kept) dropCached(name)
  return result
}

/**
 * Takes a row that the transaction has locked, and the `updatedAt` that the form was read with, if it names one.
 * Returns the row. Throws 404 when there is none, and 409 when somebody has changed it since.
 */
export function requireUnchanged<R extends { updatedAt: Date }>(row: R | undefined, updatedAt?: string): R {
  if (!row) throw notFound()
  if (updatedAt && row.updatedAt.getTime() !== Date.parse(updatedAt)) throw new AppError(409)
  return row
}
