import { sql } from 'drizzle-orm'
import type { Database, Transaction } from '@/db/client'
import { type Channel, listening, onNotification } from './listen'
import { log } from './log'

/**
 * What open pages are told at once. A new kind is a line here, a `tell` in the transaction of its cause, and a
 * handler in components/shell/live.tsx.
 */
export type LiveEvents = {
  /** The session behind the page is over; `reason` as in sessions.end_reason. */
  'session-ended': { reason: string }
}
export type LiveEvent = { [K in keyof LiveEvents]: { event: K; data: LiveEvents[K] } }[keyof LiveEvents]

/** Whose pages: all of a user's, or those of one session. */
type Audience = { userId: string; sessionId?: string }
type Subscriber = Required<Audience> & { hear: (event: LiveEvent) => void; leave: () => void }

/** So many streams a process and a session may have; whoever gets none asks from time to time instead. */
const limits = { process: 5_000, session: 8 }

// one register a process, however often this file is bundled
const shared = globalThis as typeof globalThis & {
  platformLive?: Set<Subscriber>
  platformTold?: Map<string, (audience: Audience) => void>
}
shared.platformLive ??= new Set()
shared.platformTold ??= new Map()
const { platformLive: subscribers, platformTold: hooks } = shared

/** Names who hears of every event of a kind besides pages; a later one takes the place of the first. */
export const onTold = (event: keyof LiveEvents, hook: (audience: Audience) => void) => hooks.set(event, hook)

const channel: Channel = 'platform_live'
onNotification(channel, {
  heard(payload) {
    const { userId, sessionId, ...event } = JSON.parse(payload) as Audience & LiveEvent
    hooks.get(event.event)?.({ userId, ...(sessionId ? { sessionId } : {}) })
    for (const subscriber of [...subscribers]) {
      if (subscriber.userId !== userId || (sessionId && subscriber.sessionId !== sessionId)) continue
      try {
        subscriber.hear(event)
      } catch (error) {
        // one page's fault is not the others'
        log.warn({ err: error }, 'an open page could not be told')
        subscriber.leave()
      }
    }
  },
  // a page that comes back is looked at anew, and misses nothing
  missed() {
    for (const subscriber of [...subscribers]) subscriber.leave()
  },
})

/** Tells the audience's open pages, in every process, when the transaction commits and never otherwise. */
export async function tell<K extends keyof LiveEvents>(
  tx: Database | Transaction,
  event: K,
  audience: Audience,
  data: LiveEvents[K],
) {
  await tx.execute(sql`select pg_notify(${channel}, ${JSON.stringify({ ...audience, event, data })})`)
}

/** Has the subscriber hear what concerns it from now on; gives what ends that, or null when there is no room. */
export async function subscribe(subscriber: Subscriber): Promise<(() => void) | null> {
  if (!(await listening())) return null
  const ofSession = [...subscribers].filter(({ sessionId }) => sessionId === subscriber.sessionId).length
  if (subscribers.size >= limits.process || ofSession >= limits.session) return null
  subscribers.add(subscriber)
  return () => void subscribers.delete(subscriber)
}
