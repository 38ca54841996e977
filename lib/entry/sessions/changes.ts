import { sql } from 'drizzle-orm'
import type { Database, Transaction } from '@/db/client'
import { type Channel, listeningSince, onNotification } from '@/lib/kernel/listen'
import { onLiveEvent } from '@/lib/kernel/live'

/** When what is kept of a session was read: by the database's clock, and behind which transaction all were over. */
export type ReadAt = { at: number; behind: number }

type Change = { transaction: number; until: number }
type Heard = { changed: Map<string, Change>; ended: Map<string, number> }

/** Milliseconds for which a change is remembered: twice as long as anything older than it may be kept. */
const remembered = 120_000

// one memory a process, however often this file is bundled
const shared = globalThis as typeof globalThis & { platformSessionChanges?: Heard }
shared.platformSessionChanges ??= { changed: new Map(), ended: new Map() }
const { changed, ended } = shared.platformSessionChanges

const channel: Channel = 'platform_sessions'

function tidy(now: number) {
  // in the order of their coming: whoever comes again stands at the end
  for (const [key, { until }] of changed) {
    if (until > now) break
    changed.delete(key)
  }
  for (const [key, until] of ended) {
    if (until > now) break
    ended.delete(key)
  }
}

function hearOfUser(userId: string, transaction: number) {
  const now = Date.now()
  tidy(now)
  const latest = Math.max(transaction, changed.get(userId)?.transaction ?? 0)
  changed.delete(userId)
  changed.set(userId, { transaction: latest, until: now + remembered })
}

/** Lets this process take a session for over at once; the others hear of it as open pages do. */
export function hearOfEnd(sessionId: string) {
  const now = Date.now()
  tidy(now)
  ended.delete(sessionId)
  ended.set(sessionId, now + remembered)
}

onNotification(channel, {
  onPayload(payload) {
    const { userId, transaction } = JSON.parse(payload) as { userId: string; transaction: string }
    hearOfUser(userId, Number(transaction))
  },
  // what was missed is older than what is trusted from then on
  onGap: () => changed.clear(),
})
onLiveEvent('session-ended', ({ sessionId }) => {
  if (sessionId) hearOfEnd(sessionId)
})

/**
 * Tells every process, when the transaction commits, that what a user's sessions carry has changed: what was read
 * before is trusted by none of them any more, whatever Redis says. Gives what lets this process know at once.
 */
export async function announceChange(tx: Transaction | Database, userId: string): Promise<() => void> {
  const { rows } = await tx.execute<{ transaction: string }>(sql`
    select pg_current_xact_id()::text as transaction,
      pg_notify(${channel}, json_build_object('userId', ${userId}::text, 'transaction', pg_current_xact_id()::text)::text)`)
  const transaction = Number(rows[0]?.transaction)
  return () => hearOfUser(userId, transaction)
}

/** What a query that reads a session says of when it did so. */
export const readAt = {
  at: sql<number>`(extract(epoch from statement_timestamp()) * 1000)::float8`,
  behind: sql<number>`pg_snapshot_xmin(pg_current_snapshot())::text::float8`,
}

/** Whether it is known here that a session is over. */
export const isKnownEnded = (sessionId: string): boolean => (ended.get(sessionId) ?? 0) > Date.now()

/** Whether changes arrive here: else nothing that was kept can be trusted. */
export const hearsOfChanges = (): boolean => listeningSince() !== null

/** Whether what was read of a user's session then still holds: it was read since changes arrive, and none came after. */
export function isStillTrue(userId: string, { at, behind }: Partial<ReadAt>): boolean {
  const since = listeningSince()
  if (since === null || at === undefined || behind === undefined || at <= since) return false
  const change = changed.get(userId)
  return change === undefined || change.transaction < behind
}
