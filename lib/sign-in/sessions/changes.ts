import { sql } from 'drizzle-orm'
import type { Database, Transaction } from '@/db/client'
import { notifyAccountChanged, onLiveEvent } from '@/lib/base/cache/live-events'
import { type Channel, listeningSince, onNotification } from '@/lib/base/cache/notifications'

/**
 * When cached data of a session was read. `at`: the time, by the clock of the database. `behind`: the id of the oldest
 * transaction that was still running then. The data contains every change by a transaction with a lower id.
 */
export type ReadAt = { at: number; behind: number }

type Change = { transaction: number; until: number }
type Changes = { changed: Map<string, Change>; ended: Map<string, number> }

/** Milliseconds for which this process remembers a change: twice as long as older data may stay in Redis. */
const rememberedFor = 120_000

// one copy per process, even if several bundles contain this file
const shared = globalThis as typeof globalThis & { platformSessionChanges?: Changes }
shared.platformSessionChanges ??= { changed: new Map(), ended: new Map() }
const { changed, ended } = shared.platformSessionChanges

const channel: Channel = 'platform_sessions'

/** Stands in place of a user's id for a change of all users: no process uses data of any user that was read before. */
const everybody = '*'

function dropExpired(now: number) {
  // both maps are sorted by time: a repeated change moves to the end
  for (const [key, { until }] of changed) {
    if (until > now) break
    changed.delete(key)
  }
  for (const [key, until] of ended) {
    if (until > now) break
    ended.delete(key)
  }
}

function markChanged(userId: string, transaction: number) {
  const now = Date.now()
  dropExpired(now)
  const latest = Math.max(transaction, changed.get(userId)?.transaction ?? 0)
  changed.delete(userId)
  changed.set(userId, { transaction: latest, until: now + rememberedFor })
}

/**
 * Marks a session as ended in this process at once. Other processes learn of the end by the live event `session-ended`,
 * which `endSessionRows` sends in the transaction.
 */
export function markEnded(sessionId: string) {
  const now = Date.now()
  dropExpired(now)
  ended.delete(sessionId)
  ended.set(sessionId, now + rememberedFor)
}

onNotification(channel, {
  onPayload(payload) {
    const { userId, transaction } = JSON.parse(payload) as { userId: string; transaction: string }
    markChanged(userId, Number(transaction))
    // after the mark: the open pages read the data again, and this process must not answer them with older data
    notifyAccountChanged(userId === everybody ? null : userId)
  },
  // isStillCurrent rejects all data that was read before the new connection, so missed changes don't matter
  onGap: () => changed.clear(),
})
onLiveEvent('session-ended', ({ sessionId }) => {
  if (sessionId) markEnded(sessionId)
})

/**
 * Notifies every process, when the transaction commits, that the data of these users' sessions has changed, or of all
 * sessions (null). The processes then use no data that was read before, even if it is in Redis, and notify their open
 * pages (ADR 56). Returns the function that marks the change in this process at once.
 */
export async function announceChanges(tx: Transaction | Database, userIds: string[] | null): Promise<() => void> {
  const keys = userIds ?? [everybody]
  if (keys.length === 0) return () => {}
  const { rows } = await tx.execute<{ transaction: string }>(sql`
    select pg_current_xact_id()::text as transaction,
      pg_notify(${channel}, json_build_object('userId', id, 'transaction', pg_current_xact_id()::text)::text)
    from unnest(${sql.param(keys)}::text[]) id`)
  const transaction = Number(rows[0]?.transaction)
  return () => {
    for (const userId of keys) markChanged(userId, transaction)
  }
}

/** The columns by which a query of a session records when it read the data. */
export const readAt = {
  at: sql<number>`(extract(epoch from statement_timestamp()) * 1000)::float8`,
  behind: sql<number>`pg_snapshot_xmin(pg_current_snapshot())::text::float8`,
}

/** Returns whether this process knows that a session has ended. */
export const isKnownEnded = (sessionId: string): boolean => (ended.get(sessionId) ?? 0) > Date.now()

/** Returns whether this process receives changes. If it doesn't, it must use no data in Redis. */
export const receivesChanges = (): boolean => listeningSince() !== null

/**
 * Returns whether cached data of a user's session is current: this process has received all changes since the data was
 * read, and none of them was a change of this user.
 */
export function isStillCurrent(userId: string, { at: readTime, behind: oldestTransaction }: Partial<ReadAt>): boolean {
  const since = listeningSince()
  if (since === null || readTime === undefined || oldestTransaction === undefined || readTime <= since) return false
  return [userId, everybody].every((key) => (changed.get(key)?.transaction ?? -1) < oldestTransaction)
}
