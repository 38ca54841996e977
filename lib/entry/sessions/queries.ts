import { and, eq, gt, isNull, ne, sql } from 'drizzle-orm'
import { type Database, db, type Transaction } from '@/db/client'
import { sessions } from '@/db/schema/entry'
import { userSettings, users } from '@/db/schema/people'
import { tell } from '@/lib/kernel/live'

/** A session that hasn't ended, with its user; `null` when there is none. Expiry is the caller's to check. */
export async function findLiveSession(id: string) {
  const [row] = await db()
    .select({
      id: sessions.id,
      expiresAt: sessions.expiresAt,
      lastAccessAt: sessions.lastAccessAt,
      userId: users.id,
      login: users.login,
      firstName: users.firstName,
      lastName: users.lastName,
      temporary: users.temporary,
      lang: sql<string | null>`coalesce(${userSettings.lang}, ${users.locale})`,
      cookieConsent: userSettings.cookie,
      navMini: userSettings.navMini,
      pagination: userSettings.pagination,
    })
    .from(sessions)
    .innerJoin(users, and(eq(users.id, sessions.userId), users.enabled))
    .leftJoin(userSettings, eq(userSettings.userId, users.id))
    .where(and(eq(sessions.id, id), isNull(sessions.endedAt)))
  return row ?? null
}

export const touchSession = (id: string, at: Date) =>
  db()
    .update(sessions)
    .set({ lastAccessAt: at })
    .where(and(eq(sessions.id, id), isNull(sessions.endedAt)))

export async function insertSession(tx: Transaction, values: typeof sessions.$inferInsert) {
  const [row] = await tx.insert(sessions).values(values).returning({ id: sessions.id })
  if (!row) throw new Error('a session was not stored')
  return row.id
}

/** Ends a session and tells its open pages; gives whose it was, or null if it wasn't live. */
export async function endSessionRow(tx: Transaction | Database, id: string, reason: string, at: Date) {
  const [row] = await tx
    .update(sessions)
    .set({ endedAt: at, endReason: reason, updatedAt: at })
    .where(and(eq(sessions.id, id), isNull(sessions.endedAt)))
    .returning({ userId: sessions.userId })
  if (row) await tell(tx, 'session-ended', { userId: row.userId, sessionId: id }, { reason })
  return row ?? null
}

/** Whether this browser has signed this user in before, and whether any browser has. */
export async function deviceHistory(tx: Transaction | Database, userId: string, deviceHash: string | null) {
  const { rows } = await tx.execute<{ known: boolean; any: boolean }>(sql`select
    exists (select from ${sessions} where user_id = ${userId} and device_hash = ${deviceHash}) as known,
    exists (select from ${sessions} where user_id = ${userId}) as any`)
  return rows[0] ?? { known: false, any: false }
}

/** Ids of a user's live sessions, but one if told. */
export async function liveSessionIds(tx: Transaction | Database, userId: string, now: Date, except?: string) {
  const rows = await tx
    .select({ id: sessions.id })
    .from(sessions)
    .where(
      and(
        eq(sessions.userId, userId),
        isNull(sessions.endedAt),
        gt(sessions.expiresAt, now),
        except ? ne(sessions.id, except) : undefined,
      ),
    )
  return rows.map(({ id }) => id)
}

export const storeCookieConsent = (tx: Transaction, userId: string) =>
  tx
    .insert(userSettings)
    .values({ userId, cookie: true })
    .onConflictDoUpdate({ target: userSettings.userId, set: { cookie: true } })
