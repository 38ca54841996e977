import { sql } from 'drizzle-orm'
import type { Database, Transaction } from '@/db/client'
import { log } from '../runtime/log'
import { type Channel, ensureListening, onNotification } from './notifications'

/**
 * Events that open pages and other processes receive at once. To add one: a line here, `sendLiveEvent` in the
 * transaction of its cause, and a handler in components/shell/live.tsx. A change that already reaches every process by
 * another channel needs no live event: see `notifyAccountChanged`.
 */
export type LiveEvents = {
  /** The session of the page has ended; `reason` is that of sessions.end_reason. */
  'session-ended': { reason: string }
  /** The person has a new notification, or has read some. */
  'notices-changed': Record<string, never>
  /**
   * Something may have changed that the frame of a page shows: names, picture, menus, services, alerts. Pages request
   * the frame version, at a random moment `within` so many milliseconds (ADR 56).
   */
  'account-changed': { within: number }
}
export type LiveEvent = { [K in keyof LiveEvents]: { event: K; data: LiveEvents[K] } }[keyof LiveEvents]

/** The receivers of an event: the pages of an account, or of one session. */
type Audience = { userId: string; sessionId?: string }
type Subscriber = Required<Audience> & { send: (event: LiveEvent) => void; close: () => void }

/** The most connected pages of a process, a person and a session. Any further page polls instead. */
const limits = { process: 5_000, person: 40, session: 8 }

/** Milliseconds over which pages spread their requests after an event for everybody: for each page, and at most. */
const spread = { page: 20, most: 60_000 }

// one set of subscribers for each process: bundles may contain several copies of this file
const shared = globalThis as typeof globalThis & {
  platformLive?: Set<Subscriber>
  platformLiveHooks?: Map<string, (audience: Audience) => void>
}
shared.platformLive ??= new Set()
shared.platformLiveHooks ??= new Map()
const { platformLive: subscribers, platformLiveHooks: hooks } = shared

/**
 * Sets the function that this process calls for every event of a kind, in addition to pages; a later one replaces it.
 */
export const onLiveEvent = (event: keyof LiveEvents, hook: (audience: Audience) => void) => hooks.set(event, hook)

function sendTo(isReceiver: (subscriber: Subscriber) => boolean, event: LiveEvent) {
  for (const subscriber of [...subscribers].filter(isReceiver)) {
    try {
      subscriber.send(event)
    } catch (error) {
      // an error of one page must not affect the others
      log.warn({ err: error }, 'an open page could not be told')
      subscriber.close()
    }
  }
}

/**
 * Tells the open pages of this process that an account has changed, or, with null, something that everybody's pages
 * show. Call it in each process, in the listener by which the process learns of the change.
 */
export function notifyAccountChanged(userId: string | null) {
  const within = userId === null ? Math.min(subscribers.size * spread.page, spread.most) : 0
  sendTo((subscriber) => userId === null || subscriber.userId === userId, {
    event: 'account-changed',
    data: { within },
  })
}

const channel: Channel = 'platform_live'
onNotification(channel, {
  onPayload(payload) {
    const { userId, sessionId, ...event } = JSON.parse(payload) as Audience & LiveEvent
    hooks.get(event.event)?.({ userId, ...(sessionId ? { sessionId } : {}) })
    sendTo((receiver) => receiver.userId === userId && (!sessionId || receiver.sessionId === sessionId), event)
  },
  // a page that reconnects checks its state, so it misses nothing
  onGap() {
    for (const subscriber of [...subscribers]) subscriber.close()
  },
})

/** Sends an event to the open pages of the audience, in every process, when the transaction commits. */
export async function sendLiveEvent<K extends keyof LiveEvents>(
  tx: Database | Transaction,
  event: K,
  audience: Audience,
  data: LiveEvents[K],
) {
  await sendToEach(tx, event, [audience], data)
}

/** Sends an event to the open pages of several people, like `sendLiveEvent`, in one statement. */
export const sendLiveEvents = <K extends keyof LiveEvents>(
  tx: Database | Transaction,
  event: K,
  userIds: readonly string[],
  data: LiveEvents[K],
) =>
  sendToEach(
    tx,
    event,
    userIds.map((userId) => ({ userId })),
    data,
  )

/** Sends an event to the open pages of several audiences, like `sendLiveEvent`, in one statement. */
export async function sendToEach<K extends keyof LiveEvents>(
  tx: Database | Transaction,
  event: K,
  audiences: readonly Audience[],
  data: LiveEvents[K],
) {
  if (audiences.length === 0) return
  const payloads = audiences.map((audience) => JSON.stringify({ ...audience, event, data }))
  await tx.execute(sql`select pg_notify(${channel}, payload) from unnest(${sql.param(payloads)}::text[]) payload`)
}

/**
 * Adds a subscriber. Returns the function that removes it; null if a limit is reached or notifications do not arrive.
 */
export async function subscribe(subscriber: Subscriber): Promise<(() => void) | null> {
  if (!(await ensureListening())) return null
  const ofPerson = [...subscribers].filter(({ userId }) => userId === subscriber.userId)
  const ofSession = ofPerson.filter(({ sessionId }) => sessionId === subscriber.sessionId)
  if (subscribers.size >= limits.process || ofPerson.length >= limits.person || ofSession.length >= limits.session)
    return null
  subscribers.add(subscriber)
  return () => void subscribers.delete(subscriber)
}
