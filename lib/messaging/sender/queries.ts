import { and, asc, eq, inArray, lt, lte, sql } from 'drizzle-orm'
import { db, type Transaction } from '@/db/client'
import { digestItems, digests } from '@/db/schema/operations'
import { userSettings, users } from '@/db/schema/people'
import { deleteInBatches } from '@/lib/base/postgres/batches'

export type DigestPeriod = (typeof digests.$inferSelect)['period']

export type Receiver = { lang: string | null; timeZone: string | null }

/** SQL: the time zone that a person has chosen, else the zone of their last browser. */
const zone = sql<string | null>`coalesce(${userSettings.chosenTimeZone}, ${userSettings.timeZone})`

/** Returns the saved languages and time zones of these accounts; null for an unknown one. */
export async function selectReceivers(tx: Transaction, userIds: readonly string[]): Promise<Map<string, Receiver>> {
  if (userIds.length === 0) return new Map()
  const rows = await tx
    .select({
      userId: users.id,
      lang: sql<string | null>`coalesce(${userSettings.lang}, ${users.locale})`,
      timeZone: zone,
    })
    .from(users)
    .leftJoin(userSettings, eq(userSettings.userId, users.id))
    .where(inArray(users.id, [...userIds]))
  return new Map(rows.map(({ userId, ...receiver }) => [userId, receiver]))
}

/** Stores an item; it replaces an item with the same cause. */
export const insertDigestItem = (tx: Transaction, item: typeof digestItems.$inferInsert) =>
  tx
    .insert(digestItems)
    .values(item)
    .onConflictDoUpdate({
      target: [digestItems.userId, digestItems.cause],
      set: { text: '', expiresAt: null, ...item },
    })

export const deleteDigestItem = (tx: Transaction, userId: string, cause: string) =>
  tx.delete(digestItems).where(and(eq(digestItems.userId, userId), eq(digestItems.cause, cause)))

/** Deletes up to `limit` items with a cause, of all people. Returns how many it deleted. */
export async function deleteCauseItems(tx: Transaction, cause: string, limit: number): Promise<number> {
  const ids = tx.select({ id: digestItems.id }).from(digestItems).where(eq(digestItems.cause, cause)).limit(limit)
  const { rowCount } = await tx.delete(digestItems).where(inArray(digestItems.id, ids))
  return rowCount ?? 0
}

/** Returns the ids of the accounts with items for a digest of this period that hasn't been sent. */
export async function selectDigestReceivers(period: DigestPeriod, dueAt: Date): Promise<string[]> {
  const rows = await db()
    .selectDistinct({ userId: digestItems.userId })
    .from(digestItems)
    .where(
      and(
        eq(digestItems.period, period),
        lte(digestItems.date, dueAt),
        sql`not exists (select from ${digests} where ${digests.userId} = ${digestItems.userId}
          and ${digests.period} = ${period} and ${digests.dueAt} = ${dueAt})`,
      ),
    )
  return rows.map(({ userId }) => userId)
}

/** Claims a digest. Returns false if another process has claimed it. */
export async function claimDigest(tx: Transaction, userId: string, period: DigestPeriod, dueAt: Date) {
  const rows = await tx.insert(digests).values({ userId, period, dueAt }).onConflictDoNothing().returning()
  return rows.length > 0
}

/** Deletes the items that are due and returns them, oldest first. */
export async function takeDigestItems(tx: Transaction, userId: string, period: DigestPeriod, dueAt: Date) {
  const isDue = and(eq(digestItems.userId, userId), eq(digestItems.period, period), lte(digestItems.date, dueAt))
  const items = await tx.select().from(digestItems).where(isDue).orderBy(asc(digestItems.date), asc(digestItems.id))
  if (items.length > 0)
    await tx.delete(digestItems).where(
      inArray(
        digestItems.id,
        items.map(({ id }) => id),
      ),
    )
  return items
}

/** Returns a person's e-mail and language; undefined for a disabled account or one without an e-mail. */
export async function selectDigestReceiver(tx: Transaction, userId: string) {
  const [user] = await tx
    .select({
      email: users.email,
      firstName: users.firstName,
      lang: sql<
        string | null
      >`coalesce((select us.lang from user_settings us where us.user_id = users.id), users.locale)`,
    })
    .from(users)
    .where(and(eq(users.id, userId), users.enabled))
  return user?.email ? { ...user, email: user.email } : undefined
}

export const removeOldDigests = () =>
  deleteInBatches(digests, digests.dueAt, lt(digests.dueAt, sql`now() - interval '60 days'`))
