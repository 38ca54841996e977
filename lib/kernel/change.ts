import { db, type Transaction } from '@/db/client'
import { forget, invalidate } from './cache'
import { AppError, notFound } from './errors'

/** Runs the work in a transaction; once it is committed every process reads anew what it keeps under these names. */
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
  // the others hear of it in a moment; whoever changed it asks at once
  for (const name of kept) forget(name)
  return result
}

/**
 * Takes a row that the transaction has locked, and the `updatedAt` with which its form was read, if it names one. Gives
 * the row. Throws 404 when there is none, and 409 when it was written since.
 */
export function requireUnchanged<R extends { updatedAt: Date }>(row: R | undefined, updatedAt?: string): R {
  if (!row) throw notFound()
  if (updatedAt && row.updatedAt.getTime() !== Date.parse(updatedAt)) throw new AppError(409)
  return row
}
