import { and, eq, lt, sql } from 'drizzle-orm'
import { type Database, db, executePlanned, type Transaction } from '@/db/client'
import { passwordFailures } from '@/db/schema/entry'

/** After this many wrong passwords in a row the password flow stays closed (NIST SP 800-63B). */
export const failuresInRow = 100

/**
 * Counts a wrong password of an account, or of a typed identifier. With `count` 0, for a password that wasn't compared,
 * it does the same work and counts nothing.
 */
export const countFailure = (key: string, userId: string | null, count: 0 | 1, now: Date) =>
  executePlanned(
    db(),
    sql`insert into ${passwordFailures} as f (key, user_id, count, last_at)
      values (${key}, ${userId}::uuid, ${count}::int, ${now}::timestamptz)
      on conflict (key) do update set count = f.count + excluded.count, last_at = excluded.last_at`,
  )

/** Returns the wrong passwords of an account in a row, by the key under which they are counted. */
export async function selectFailures(userId: string): Promise<Record<string, number>> {
  const { key, count } = passwordFailures
  const rows = await db().select({ key, count }).from(passwordFailures).where(eq(passwordFailures.userId, userId))
  return Object.fromEntries(rows.map((row) => [row.key, row.count]))
}

/**
 * Deletes an account's wrong passwords after the right one. Returns false if those under `key` have reached the number
 * that closes the flow in the meantime: then the password came too late, and that row stays.
 */
export async function endFailures(userId: string, key: string): Promise<boolean> {
  await db()
    .delete(passwordFailures)
    .where(and(eq(passwordFailures.userId, userId), lt(passwordFailures.count, failuresInRow)))
  const closed = await db()
    .select({ key: passwordFailures.key })
    .from(passwordFailures)
    .where(eq(passwordFailures.key, key))
  return closed.length === 0
}

/** Deletes all wrong passwords of an account, also those that have closed its password flow. */
export const removeFailures = (tx: Transaction | Database, userId: string) =>
  tx.delete(passwordFailures).where(eq(passwordFailures.userId, userId))
