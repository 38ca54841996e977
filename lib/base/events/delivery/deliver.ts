import { and, eq, sql } from 'drizzle-orm'
import { type Database, db, executePlanned, withSession } from '@/db/client'
import { outboxDeliveries, outboxEvents } from '@/db/schema/operations'
import { errorRecord } from '@/lib/base/runtime/error-record'
import { log } from '@/lib/base/runtime/log'
import { type DeliveryResult, deliveryHandlers, deliverySubscriptions, groupOf, type Tries } from '../handlers'
import type { RecordedEvent } from '../outbox'
import { type DeliveryQueue, scheduleDelivery } from './store'

/** The most tries of a delivery. The waits grow to six hours, so the last try comes more than a day after the first. */
export const maxDeliveryTries = 14
const defaultTries: Tries = { most: maxDeliveryTries, wait: (tries) => Math.exp(Math.min(tries, 10)) }
const triesOf = (handler: string): Tries => groupOf(handler)?.tries ?? defaultTries
/** Milliseconds that a try may take. */
const tryMilliseconds = 30_000
/** The most events of one queue in a row; then other queues have their turn. */
const eventsPerTurn = 100
/** Milliseconds after which a handler of a subscriber group gives way to others, though its queue has more events. */
const turnMilliseconds = 1_000

const secondsFromNow = (seconds: number) => sql`now() + ${seconds} * interval '1 second'`

/** The first event of a queue that is waiting or dead: the others wait for it. */
type FirstEvent = {
  id: string
  eventId: number
  waiting: boolean
  due: boolean
  /** Tries that have begun. */
  attempts: number
  /** As PostgreSQL writes it, like the date of the event. */
  tryAt: string
  topic: string
  type: string | null
  payload: Record<string, unknown>
  changerId: string | null
  requestId: string
  date: string
}
/** The row of a query for it; a queue without such an event has a row of nulls. */
type FirstEventRow<Extra = unknown> = Extra & (FirstEvent | { id: null })
const firstEventOf = (row: FirstEventRow | undefined) => (row && row.id !== null ? row : null)

/** Returns the SQL of the first waiting or dead event of a queue, without the delivery that the same statement ends. */
const firstEventQuery = ({ handler, entity, entityId }: DeliveryQueue, excludedId: string | null) => sql`
  select d.id, d.event_id::float8 as "eventId", d.state = 'waiting' as waiting, d.try_at <= now() as due, d.attempts,
    d.try_at as "tryAt", e.topic, e.type, e.payload, e.changer_id as "changerId", e.request_id as "requestId", e.date
  from ${outboxDeliveries} d join ${outboxEvents} e on e.id = d.event_id
  where d.handler = ${handler}::text and d.entity = ${entity}::text and d.entity_id = ${entityId}::text
    and d.state in ('waiting', 'dead') and d.id is distinct from ${excludedId}::uuid
  order by d.event_id limit 1`

const queueLockKey = ({ handler, entity, entityId }: DeliveryQueue) =>
  sql`hashtextextended(${`delivery ${handler} ${entity} ${entityId}`}::text, 0)`

/** Returns the topics that this version's handler of that name receives; null means all topics. */
const knownTopics = (handler: string) =>
  groupOf(handler)
    ? null
    : deliverySubscriptions().flatMap((subscription) => (subscription.handler === handler ? [subscription.topic] : []))

type EndedDelivery = DeliveryResult & { id: string }

/**
 * Does in one statement:
 * 1. Without `ended` it locks the queue. With `ended` it ends the delivery that this session has worked on.
 * 2. It begins the first waiting event if it is due and `mayBegin` is true. It counts the try and sets the time of the
 *    next one, in case the process dies during this one. A paused delivery isn't counted: its time becomes the end of
 *    the pause. A delivery that another session has changed since the statement began stays as it is.
 * It locks rows in the order of their events, like every statement that changes several, and then those of `also`:
 * therefore `done` is read first.
 */
async function beginNext(session: Database, queue: DeliveryQueue, ended: EndedDelivery | null, mayBegin: boolean) {
  const { most, wait } = triesOf(queue.handler)
  const waits = Array.from({ length: most }, (_, tries) => wait(tries + 1))
  const endStatement = sql`done as (
    update ${outboxDeliveries} set state = ${ended?.state}, error = null, finished_at = now()
    where id = ${ended?.id}::uuid and state = 'waiting' returning id), `
  const alsoStatement = ended?.also && sql`, along as (${ended.also})`
  const [row] = await executePlanned<FirstEventRow<{ locked: boolean; step: 'begun' | 'held' | null }>>(
    session,
    sql`with lock as materialized (
        select ${ended ? sql`true` : sql`pg_try_advisory_lock(${queueLockKey(queue)})`} as locked
      ), ${ended ? endStatement : sql``}first as materialized (${firstEventQuery(queue, ended?.id ?? null)}
      ), rule as materialized (
        select ${sql.param(waits)}::float8[] as waits, ${sql.param(knownTopics(queue.handler))}::text[] as topics,
          ${groupOf(queue.handler)?.heldUntil(queue.handler) ?? sql`null::timestamptz`} as until
      ), begun as (
        update ${outboxDeliveries} d set
          attempts = d.attempts + case when rule.until > now() then 0 else 1 end,
          try_at = case when rule.until > now() then rule.until
            else now() + rule.waits[d.attempts + 1] * interval '1 second' end
        from first, lock, rule${ended ? sql`, (select count(*) from done) earlier` : sql``}
        where d.id = first.id and d.state = 'waiting' and d.attempts = first.attempts and d.try_at <= now()
          and (rule.until > now() or d.attempts < ${most}::integer) and lock.locked and ${mayBegin}::boolean
          and (rule.topics is null or first.topic = any(rule.topics))
        returning case when rule.until > now() then 'held' else 'begun' end as step
      )${alsoStatement ?? sql``}
      select lock.locked, first.*, ${ended ? sql`(select count(*) from done) as ended, ` : sql``}(select step from begun) as step
      from lock left join first on true`,
  )
  if (!row) throw new Error('nothing was taken')
  return { locked: row.locked, step: row.step, head: firstEventOf(row) }
}

/** Returns the first waiting or dead event of a queue, and releases the queue's lock if this session has it. */
async function releaseLock(session: Database, queue: DeliveryQueue): Promise<FirstEvent | null> {
  const [row] = await executePlanned<FirstEventRow>(
    session,
    sql`with lock as materialized (select pg_advisory_unlock(${queueLockKey(queue)}) as freed),
      first as materialized (${firstEventQuery(queue, null)})
      select first.*, lock.freed from lock left join first on true`,
  )
  return firstEventOf(row)
}

/** Returns an event in the form that its handlers receive. */
function eventOf(
  { entity, entityId }: DeliveryQueue,
  { topic, type, payload, changerId, requestId, date }: FirstEvent,
) {
  const common = { changerId, requestId, date: new Date(date) }
  return type ? { type, entity, entityId, changes: payload, ...common } : { name: topic, data: payload, ...common }
}

type TryInfo = { id: number; attempt: number; signal: AbortSignal }
type Work = (event: never, info: TryInfo) => Promise<DeliveryResult>

/** Returns the function that handles an event of a queue; undefined if this version has no such handler. */
function workFor({ handler }: DeliveryQueue, { id, topic }: FirstEvent): Work | undefined {
  const group = groupOf(handler)
  if (group) return (event: RecordedEvent, info) => group.work(event, { ...info, deliveryId: id, handler })
  const work = deliveryHandlers(topic).get(handler)
  return work && ((event, info) => work(event, info).then(() => ({ state: 'delivered' })))
}

/** Runs the handler, and stops waiting for it when the signal is aborted. */
async function runWork(work: Work, event: object, info: TryInfo): Promise<DeliveryResult> {
  const { signal } = info
  let stop = () => {}
  const stopped = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason)
  })
  signal.addEventListener('abort', stop)
  try {
    signal.throwIfAborted()
    return await Promise.race([work(event as never, info), stopped])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

async function storeFailure(
  session: Database,
  { handler }: DeliveryQueue,
  event: FirstEvent,
  attempts: number,
  error: string,
) {
  const isDead = attempts >= triesOf(handler).most
  if (isDead) await groupOf(handler)?.onDead(handler)
  if (isDead) log.warn({ handler, event: event.eventId, reason: error }, 'a delivery is dead')
  await session
    .update(outboxDeliveries)
    .set(isDead ? { error, state: 'dead', finishedAt: sql`now()` } : { error })
    .where(and(eq(outboxDeliveries.id, event.id), eq(outboxDeliveries.state, 'waiting')))
}

type Options = {
  /** When aborted, delivery stops after the current event, whose handler is asked to stop. */
  stop?: AbortSignal
  /** Milliseconds that a try may take. */
  limit?: number
}

/** Tries a begun event. Returns how it ended; null if it failed. */
async function tryOnce(
  session: Database,
  queue: DeliveryQueue,
  event: FirstEvent,
  signals: AbortSignal[],
  limit: number,
): Promise<EndedDelivery | null> {
  const work = workFor(queue, event)
  if (!work) throw new Error(`${queue.handler} does nothing with ${event.topic}`)
  const attempt = event.attempts + 1
  const signal = AbortSignal.any([...signals, AbortSignal.timeout(limit)])
  try {
    return { id: event.id, ...(await runWork(work, eventOf(queue, event), { id: event.eventId, attempt, signal })) }
  } catch (thrown) {
    log.warn({ err: thrown, handler: queue.handler, event: event.eventId }, 'an event was not delivered')
    const { type, message, code } = errorRecord(thrown)
    await storeFailure(session, queue, event, attempt, `${type}: ${message}${code ? ` (${code})` : ''}`)
    return null
  }
}

/** Whether all tries of a delivery have begun and the process died during the last one. */
const hasUsedAllTries = (queue: DeliveryQueue, event: FirstEvent) =>
  event.waiting && event.due && event.attempts >= triesOf(queue.handler).most && workFor(queue, event) !== undefined

/**
 * Delivers the waiting events of a queue in order, until none is due or a try fails; schedules a job for the remaining
 * ones. One process at a time works on a queue. An error of the handler is stored, not thrown.
 */
export async function deliver(queue: DeliveryQueue, { stop, limit = tryMilliseconds }: Options = {}): Promise<void> {
  let eventsLeft = eventsPerTurn
  const startedAt = performance.now()
  const isTurnOver = groupOf(queue.handler) ? () => performance.now() - startedAt > turnMilliseconds : () => false
  const mayGoOn = () => eventsLeft > 0 && !isTurnOver() && !stop?.aborted
  for (;;) {
    const { busy, head } = await withSession(async (session, connectionLost) => {
      const signals = stop ? [connectionLost, stop] : [connectionLost]
      let next = await beginNext(session, queue, null, mayGoOn())
      if (!next.locked) return { busy: true, head: next.head }
      while (next.step === 'begun' && next.head) {
        eventsLeft--
        const ended = await tryOnce(session, queue, next.head, signals, limit)
        if (!ended) break
        next = await beginNext(session, queue, ended, mayGoOn())
      }
      if (!next.step && next.head && hasUsedAllTries(queue, next.head))
        await storeFailure(session, queue, next.head, next.head.attempts, 'the process ended during the last try')
      // this also returns an event that arrived while other sessions found the queue locked
      return { busy: false, head: await releaseLock(session, queue) }
    })
    if (!head?.waiting) return
    if (!workFor(queue, head)) {
      const { handler } = queue
      const { topic, eventId: event } = head
      log.warn({ handler, topic, event }, 'an event is left to a version that knows its handler')
      return scheduleDelivery(db(), queue, secondsFromNow(60))
    }
    if (busy) return scheduleDelivery(db(), queue, secondsFromNow(5))
    if (!head.due || !mayGoOn()) return scheduleDelivery(db(), queue, sql`${head.tryAt}::timestamptz`)
  }
}
