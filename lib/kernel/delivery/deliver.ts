import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import { type Database, db, withSession } from '@/db/client'
import { outboxDeliveries, outboxEvents } from '@/db/schema/operations'
import { errorRecord } from '../error-record'
import { deliveryHandlers, familyOf, type Tries } from '../handlers'
import { log } from '../log'
import type { RecordedEvent } from '../outbox'
import { type Stream, scheduleDelivery } from './store'

/** The most tries of a delivery. Waits grow to six hours, so the last try comes more than a day after the first. */
export const maxDeliveryTries = 14
const ownTries: Tries = { most: maxDeliveryTries, wait: (tries) => Math.exp(Math.min(tries, 10)) }
const triesOf = (handler: string): Tries => familyOf(handler)?.tries ?? ownTries
/** Milliseconds that a try may take. */
const tryLimit = 30_000
/** The most events of one object in a row; then other objects have their turn. */
const batch = 100

const laterBy = (seconds: number) => sql`now() + ${seconds} * interval '1 second'`

const ofStream = ({ handler, entity, entityId }: Stream) =>
  and(
    eq(outboxDeliveries.handler, handler),
    eq(outboxDeliveries.entity, entity),
    eq(outboxDeliveries.entityId, entityId),
    inArray(outboxDeliveries.state, ['waiting', 'dead']),
  )

/** Returns the first open event of a stream: the others wait while it is waiting or dead. */
async function headOf(run: Database, stream: Stream) {
  const [head] = await run
    .select({ delivery: outboxDeliveries, event: outboxEvents, due: sql<boolean>`${outboxDeliveries.tryAt} <= now()` })
    .from(outboxDeliveries)
    .innerJoin(outboxEvents, eq(outboxEvents.id, outboxDeliveries.eventId))
    .where(ofStream(stream))
    .orderBy(asc(outboxDeliveries.eventId))
    .limit(1)
  return head
}
type Head = NonNullable<Awaited<ReturnType<typeof headOf>>>

/** Returns an event in the form that its handlers receive. */
function eventOf({ topic, type, entity, entityId, payload, changerId, requestId, date }: Head['event']) {
  const common = { changerId, requestId, date }
  return type ? { type, entity, entityId, changes: payload, ...common } : { name: topic, data: payload, ...common }
}

type Info = { id: number; attempt: number; signal: AbortSignal }
type Work = (event: never, info: Info) => Promise<'done' | 'skipped'>

/** Returns what handles an event for a stream; undefined if this version has no such handler. */
function workOf({ handler }: Stream, { event, delivery }: Head): Work | undefined {
  const family = familyOf(handler)
  if (family) return (of: RecordedEvent, info) => family.work(of, { ...info, deliveryId: delivery.id, handler })
  const own = deliveryHandlers(event.topic).get(handler)
  return own && ((of, info) => own(of, info).then(() => 'done'))
}

/** Runs the handler, and stops waiting for it when the signal is aborted. */
async function run(work: Work, { event, delivery }: Head, signal: AbortSignal): Promise<'done' | 'skipped'> {
  let stop = () => {}
  const stopped = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason)
  })
  signal.addEventListener('abort', stop)
  try {
    signal.throwIfAborted()
    const info = { id: event.id, attempt: delivery.attempts + 1, signal }
    return await Promise.race([work(eventOf(event) as never, info), stopped])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

const whileWaiting = ({ delivery }: Head) =>
  and(eq(outboxDeliveries.id, delivery.id), eq(outboxDeliveries.state, 'waiting'))

/**
 * Counts the try, and sets when the next one is due in case the process dies during this one. Returns false when
 * somebody else has finished the delivery.
 */
async function begin(session: Database, head: Head): Promise<boolean> {
  const attempts = head.delivery.attempts + 1
  const begun = await session
    .update(outboxDeliveries)
    .set({ attempts, tryAt: laterBy(triesOf(head.delivery.handler).wait(attempts)) })
    .where(whileWaiting(head))
    .returning({ id: outboxDeliveries.id })
  return begun.length > 0
}

async function fail(session: Database, head: Head, attempts: number, error: string) {
  const { handler, eventId } = head.delivery
  const dead = attempts >= triesOf(handler).most
  if (dead) await familyOf(handler)?.givenUp(handler)
  if (dead) log.warn({ handler, event: eventId, reason: error }, 'an event was given up')
  await session
    .update(outboxDeliveries)
    .set(dead ? { error, state: 'dead', finishedAt: sql`now()` } : { error })
    .where(whileWaiting(head))
}

type Options = {
  /** Stops after the current event, whose handler is asked to stop. */
  stop?: AbortSignal
  /** Milliseconds that a try may take. */
  limit?: number
}

/** Tries the first event of a stream that this session has locked. */
async function tryFirst(session: Database, stream: Stream, signals: AbortSignal[], limit: number) {
  const head = await headOf(session, stream)
  if (head?.delivery.state !== 'waiting') return 'nothing'
  if (!head.due) return 'early'
  const work = workOf(stream, head)
  if (!work) return 'unknown'
  const held = await familyOf(stream.handler)?.heldUntil(stream.handler)
  if (held) {
    await session.update(outboxDeliveries).set({ tryAt: held }).where(whileWaiting(head))
    return 'early'
  }
  const { attempts } = head.delivery
  if (attempts >= triesOf(stream.handler).most) {
    await fail(session, head, attempts, 'the process ended during the last try')
    return 'failed'
  }
  if (!(await begin(session, head))) return 'delivered'
  let state: 'delivered' | 'skipped'
  try {
    const done = await run(work, head, AbortSignal.any([...signals, AbortSignal.timeout(limit)]))
    state = done === 'done' ? 'delivered' : 'skipped'
  } catch (thrown) {
    log.warn({ err: thrown, handler: stream.handler, event: head.event.id }, 'an event was not delivered')
    const { type, message, code } = errorRecord(thrown)
    await fail(session, head, attempts + 1, `${type}: ${message}${code ? ` (${code})` : ''}`)
    return 'failed'
  }
  await session.update(outboxDeliveries).set({ state, error: null, finishedAt: sql`now()` }).where(whileWaiting(head))
  return 'delivered'
}

/** Runs the work while this session has locked the stream; the lock ends with the process or its connection. */
const alone = (stream: Stream, work: (session: Database, lost: AbortSignal) => Promise<Outcome>): Promise<Outcome> =>
  withSession(async (session, lost) => {
    const key = sql`hashtextextended(${`delivery ${stream.handler} ${stream.entity} ${stream.entityId}`}, 0)`
    const { rows } = await session.execute<{ held: boolean }>(sql`select pg_try_advisory_lock(${key}) as held`)
    if (!rows[0]?.held) return 'busy'
    const outcome = await work(session, lost)
    await session.execute(sql`select pg_advisory_unlock(${key})`)
    return outcome
  })

type Outcome = Awaited<ReturnType<typeof tryFirst>> | 'busy'

/**
 * Delivers the waiting events of a stream in order, until nothing is due or a try fails; a job is scheduled for the
 * rest. One process at a time works on a stream. An error of the handler is stored, not thrown.
 */
export async function deliver(stream: Stream, { stop, limit = tryLimit }: Options = {}): Promise<void> {
  let left = batch
  for (;;) {
    const outcome = await alone(stream, async (session, lost) => {
      const signals = stop ? [lost, stop] : [lost]
      let last: Outcome = 'delivered'
      while (last === 'delivered' && left-- > 0 && !stop?.aborted)
        last = await tryFirst(session, stream, signals, limit)
      return last
    })
    // read without the lock: events that arrived meanwhile, while others found the stream locked, are seen here
    const head = await headOf(db(), stream)
    if (head?.delivery.state !== 'waiting') return
    if (outcome === 'unknown') {
      const { handler, topic } = { ...stream, ...head.event }
      log.warn({ handler, topic, event: head.event.id }, 'an event is left to a version that knows its handler')
      return scheduleDelivery(db(), stream, laterBy(60))
    }
    if (outcome === 'busy') return scheduleDelivery(db(), stream, laterBy(5))
    if (!head.due || left <= 0 || stop?.aborted)
      return scheduleDelivery(db(), stream, sql`${head.delivery.tryAt}::timestamptz`)
  }
}
