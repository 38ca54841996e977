import { sql } from 'drizzle-orm'
import type { Database, Transaction } from '@/db/client'
import { notifyAccountChanged, onLiveEvent } from '@/lib/base/cache/live-events'
import { type Channel, listeningSince, onNotification } from '@/lib/base/cache/notifications'

/**
 * When cached data of a session was read: `at` by the database's clock; all transactions below `behind` were over.
 */
export type ReadAt = { at: number; behind: number }

type Change = { transaction: number; until: number }
type Changes = { changed: Map<string, Change>; ended: Map<string, number> }

/** Milliseconds for which a change is remembered: twice as long as older data may stay in Redis. */
const remembered = 120_000

// one memory per process, however often this file is bundled
const shared = globalThis as typeof globalThis & { platformSessionChanges?: Changes }
shared.platformSessionChanges ??= { changed: new Map(), ended: new Map() }
const { changed, ended } = shared.platformSessionChanges

const channel: Channel = 'platform_sessions'

/** In place of a user's id: no process trusts what it has read of anybody. */
const everybody = '*'

function tidy(now: number) {
  // sorted by time: a change that comes again is moved to the end
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
  tidy(now)
  const latest = Math.max(transaction, changed.get(userId)?.transaction ?? 0)
  changed.delete(userId)
  changed.set(userId, { transaction: latest, until: now + remembered })
}

/** Marks a session as ended in this process at once; the others get the event that open pages get too. */
export function markEnded(sessionId: string) {
  const now = Date.now()
  tidy(now)
  ended.delete(sessionId)
  ended.set(sessionId, now + remembered)
}

onNotification(channel, {
  onPayload(payload) {
    const { userId, transaction } = JSON.parse(payload) as { userId: string; transaction: string }
    markChanged(userId, Number(transaction))
    // the pages of this process ask it only now that it trusts nothing older
    notifyAccountChanged(userId === everybody ? null : userId)
  },
  // isStillTrue trusts nothing that was read before the new connection, so missed changes don't matter
  onGap: () => changed.clear(),
})
onLiveEvent('session-ended', ({ sessionId }) => {
  if (sessionId) markEnded(sessionId)
})

/**
 * Notifies every process, when the transaction commits, that the data of these users' sessions has changed, or of
 * everybody's (null): none of them trusts what was read before any more, even if it is in Redis, and their open pages
 * hear of it (ADR 56). Returns what marks the change in this process at once.
 */
export async function announceChanges(tx: Transaction | Database, userIds: string[] | null): Promise<() => void> {
  const changed = userIds ?? [everybody]
  if (changed.length === 0) return () => {}
  const { rows } = await tx.execute<{ transaction: string }>(sql`
    select pg_current_xact_id()::text as transaction,
      pg_notify(${channel}, json_build_object('userId', id, 'transaction', pg_current_xact_id()::text)::text)
    from unnest(${sql.param(changed)}::text[]) id`)
  const transaction = Number(rows[0]?.transaction)
  return () => {
    for (const userId of changed) markChanged(userId, transaction)
  }
}

/** Columns that a query of a session adds, to record when it read the data. */
export const readAt = {
  at: sql<number>`(extract(epoch from statement_timestamp()) * 1000)::float8`,
  behind: sql<number>`pg_snapshot_xmin(pg_current_snapshot())::text::float8`,
}

/** Returns whether this process knows that a session has ended. */
export const isKnownEnded = (sessionId: string): boolean => (ended.get(sessionId) ?? 0) > Date.now()

/** Returns whether this process receives changes; if not, nothing in Redis can be trusted. */
export const receivesChanges = (): boolean => listeningSince() !== null

/**
 * Returns whether cached data of a user's session is still true: this process has received all changes since it was
 * read, and there was none of this user.
 */
export function isStillTrue(userId: string, { at, behind }: Partial<ReadAt>): boolean {
  const since = listeningSince()
  if (since === null || at === undefined || behind === undefined || at <= since) return false
  return [userId, everybody].every((who) => (changed.get(who)?.transaction ?? -1) < behind)
}
