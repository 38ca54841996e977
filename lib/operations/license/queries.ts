import { and, count, gt, isNull, sql } from 'drizzle-orm'
import { db, type Transaction } from '@/db/client'
import { sessions } from '@/db/schema/entry'
import { licenses } from '@/db/schema/monitoring'

export type LicenseRow = typeof licenses.$inferSelect

export async function selectLicense(): Promise<LicenseRow | undefined> {
  const [row] = await db().select().from(licenses)
  return row
}

/** Locks the license, even if there is none yet, so that saves wait for one another. */
export async function lockLicense(tx: Transaction): Promise<LicenseRow | undefined> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('license'))`)
  const [row] = await tx.select().from(licenses).for('update')
  return row
}

export const storeLicense = (tx: Transaction, values: Omit<typeof licenses.$inferInsert, 'id'>) =>
  tx.insert(licenses).values(values).onConflictDoUpdate({ target: licenses.id, set: values })

export const removeLicense = (tx: Transaction) => tx.delete(licenses)

/** Stores the result of a check, unless another license was stored in the meantime. */
export const storeState = (key: string, state: LicenseRow['state'], checkedAt: Date) =>
  db().update(licenses).set({ state, checkedAt }).where(sql`${licenses.key} = ${key}`)

/** Returns the number of live sessions that were used since a moment. */
export async function countSessions(now: Date, since: Date): Promise<number> {
  const [row] = await db()
    .select({ count: count() })
    .from(sessions)
    .where(and(isNull(sessions.endedAt), gt(sessions.expiresAt, now), gt(sessions.lastAccessAt, since)))
  return row?.count ?? 0
}
