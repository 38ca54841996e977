import { and, eq, sql } from 'drizzle-orm'
import { type Database, db, executePlanned, withSession } from '@/db/client'
import { outboxDeliveries, outboxEvents } from '@/db/schema/operations'
import { errorRecord } from '@/lib/base/runtime/error-record'
import { log } from '@/lib/base/runtime/log'
import { type Done, deliveryHandlers, deliverySubscriptions, groupOf, type Tries } from '../handlers'
import type { RecordedEvent } from '../outbox'
import { type DeliveryQueue, scheduleDelivery } from './store'

/** The most tries of a delivery. Waits grow to six hours, so the last try comes more than a day after the first. */
export const maxDeliveryTries = 14
const ownTries: Tries = { most: maxDeliveryTries, wait: (tries) => Math.exp(Math.min(tries, 10)) }
const triesOf = (handler: string): Tries => groupOf(handler)?.tries ?? ownTries
/** Milliseconds that a try may take. */
const tryLimit = 30_000
/** The most events of one object in a row; then other objects have their turn. */
const batch = 100
/** Milliseconds after which a handler of a family lets others have their turn, though its object has more events. */
const longestTurn = 1_000

const laterBy = (seconds: number) => sql`now() + ${seconds} * interval '1 second'`

/** The first open event of a stream: the others wait while it is waiting or dead. */
type Head = {
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
/** A stream without open events has a row of nulls. */
type Found<More = unknown> = More & (Head | { id: null })
const headOf = (row: Found | undefined) => (row && row.id !== null ? row : null)

/** SQL of the first open event of a stream, but for one that the same statement ends. */
const firstOf = ({ handler, entity, entityId }: DeliveryQueue, but: string | null) => sql`
  select d.id, d.event_id::float8 as "eventId", d.state = 'waiting' as waiting, d.try_at <= now() as due, d.attempts,
    d.try_at as "tryAt", e.topic, e.type, e.payload, e.changer_id as "changerId", e.request_id as "requestId", e.date
  from ${outboxDeliveries} d join ${outboxEvents} e on e.id = d.event_id
  where d.handler = ${handler}::text and d.entity = ${entity}::text and d.entity_id = ${entityId}::text
    and d.state in ('waiting', 'dead') and d.id is distinct from ${but}::uuid
  order by d.event_id limit 1`

const lockOf = ({ handler, entity, entityId }: DeliveryQueue) =>
  sql`hashtextextended(${`delivery ${handler} ${entity} ${entityId}`}::text, 0)`

/** Returns the topics of which this version knows what a handler does with them; null for all. */
const knownTopics = (handler: string) =>
  groupOf(handler) ? null : deliverySubscriptions().flatMap((each) => (each.handler === handler ? [each.topic] : []))

type Ended = Done & { id: string }

/**
 * In one statement: locks a stream, or ends the event that this session has worked on; and begins the first open event
 * if it is due and `go`. A begun try is counted, and the next one is due later in case the process dies during this one.
 * What is held back isn't counted, and what others have changed since the statement began is left. Rows are locked in
 * the order of their events, and then those of `also`, as by whoever changes several: `done` is read first.
 */
async function take(session: Database, stream: DeliveryQueue, ended: Ended | null, go: boolean) {
  const { most, wait } = triesOf(stream.handler)
  const waits = Array.from({ length: most }, (_, tries) => wait(tries + 1))
  const done = sql`done as (
    update ${outboxDeliveries} set state = ${ended?.state}, error = null, finished_at = now()
    where id = ${ended?.id}::uuid and state = 'waiting' returning id), `
  const along = ended?.also && sql`, along as (${ended.also})`
  const [row] = await executePlanned<Found<{ locked: boolean; step: 'begun' | 'held' | null }>>(
    session,
    sql`with lock as materialized (
        select ${ended ? sql`true` : sql`pg_try_advisory_lock(${lockOf(stream)})`} as locked
      ), ${ended ? done : sql``}first as materialized (${firstOf(stream, ended?.id ?? null)}
      ), rule as materialized (
        select ${sql.param(waits)}::float8[] as waits, ${sql.param(knownTopics(stream.handler))}::text[] as topics,
          ${groupOf(stream.handler)?.heldUntil(stream.handler) ?? sql`null::timestamptz`} as until
      ), begun as (
        update ${outboxDeliveries} d set
          attempts = d.attempts + case when rule.until > now() then 0 else 1 end,
          try_at = case when rule.until > now() then rule.until
            else now() + rule.waits[d.attempts + 1] * interval '1 second' end
        from first, lock, rule${ended ? sql`, (select count(*) from done) earlier` : sql``}
        where d.id = first.id and d.state = 'waiting' and d.attempts = first.attempts and d.try_at <= now()
          and (rule.until > now() or d.attempts < ${most}::integer) and lock.locked and ${go}::boolean
          and (rule.topics is null or first.topic = any(rule.topics))
        returning case when rule.until > now() then 'held' else 'begun' end as step
      )${along ?? sql``}
      select lock.locked, first.*, ${ended ? sql`(select count(*) from done) as ended, ` : sql``}(select step from begun) as step
      from lock left join first on true`,
  )
  if (!row) throw new Error('nothing was taken')
  return { locked: row.locked, step: row.step, head: headOf(row) }
}

/** Returns the first open event of a stream, and lets go of its lock if this session holds it. */
async function leave(session: Database, stream: DeliveryQueue): Promise<Head | null> {
  const [row] = await executePlanned<Found>(
    session,
    sql`with lock as materialized (select pg_advisory_unlock(${lockOf(stream)}) as freed),
      first as materialized (${firstOf(stream, null)})
      select first.*, lock.freed from lock left join first on true`,
  )
  return headOf(row)
}

/** Returns an event in the form that its handlers receive. */
function eventOf({ entity, entityId }: DeliveryQueue, { topic, type, payload, changerId, requestId, date }: Head) {
  const common = { changerId, requestId, date: new Date(date) }
  return type ? { type, entity, entityId, changes: payload, ...common } : { name: topic, data: payload, ...common }
}

type Info = { id: number; attempt: number; signal: AbortSignal }
type Work = (event: never, info: Info) => Promise<Done>

/** Returns what handles an event for a stream; undefined if this version has no such handler. */
function workOf({ handler }: DeliveryQueue, { id, topic }: Head): Work | undefined {
  const family = groupOf(handler)
  if (family) return (of: RecordedEvent, info) => family.work(of, { ...info, deliveryId: id, handler })
  const own = deliveryHandlers(topic).get(handler)
  return own && ((of, info) => own(of, info).then(() => ({ state: 'delivered' })))
}

/** Runs the handler, and stops waiting for it when the signal is aborted. */
async function run(work: Work, event: object, info: Info): Promise<Done> {
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

async function fail(session: Database, { handler }: DeliveryQueue, head: Head, attempts: number, error: string) {
  const dead = attempts >= triesOf(handler).most
  if (dead) await groupOf(handler)?.onDead(handler)
  if (dead) log.warn({ handler, event: head.eventId, reason: error }, 'an event was given up')
  await session
    .update(outboxDeliveries)
    .set(dead ? { error, state: 'dead', finishedAt: sql`now()` } : { error })
    .where(and(eq(outboxDeliveries.id, head.id), eq(outboxDeliveries.state, 'waiting')))
}

type Options = {
  /** Stops after the current event, whose handler is asked to stop. */
  stop?: AbortSignal
  /** Milliseconds that a try may take. */
  limit?: number
}

/** Tries a begun event. Returns how it ended; null if it failed. */
async function tryOnce(
  session: Database,
  stream: DeliveryQueue,
  head: Head,
  signals: AbortSignal[],
  limit: number,
): Promise<Ended | null> {
  const work = workOf(stream, head)
  if (!work) throw new Error(`${stream.handler} does nothing with ${head.topic}`)
  const attempt = head.attempts + 1
  const signal = AbortSignal.any([...signals, AbortSignal.timeout(limit)])
  try {
    return { id: head.id, ...(await run(work, eventOf(stream, head), { id: head.eventId, attempt, signal })) }
  } catch (thrown) {
    log.warn({ err: thrown, handler: stream.handler, event: head.eventId }, 'an event was not delivered')
    const { type, message, code } = errorRecord(thrown)
    await fail(session, stream, head, attempt, `${type}: ${message}${code ? ` (${code})` : ''}`)
    return null
  }
}

/** Whether each try has begun and the last one has ended with its process. */
const isUsedUp = (stream: DeliveryQueue, head: Head) =>
  head.waiting && head.due && head.attempts >= triesOf(stream.handler).most && workOf(stream, head) !== undefined

/**
 * Delivers the waiting events of a stream in order, until nothing is due or a try fails; a job is scheduled for the
 * rest. One process at a time works on a stream. An error of the handler is stored, not thrown.
 */
export async function deliver(stream: DeliveryQueue, { stop, limit = tryLimit }: Options = {}): Promise<void> {
  let left = batch
  const begun = performance.now()
  const isOver = groupOf(stream.handler) ? () => performance.now() - begun > longestTurn : () => false
  const mayGoOn = () => left > 0 && !isOver() && !stop?.aborted
  for (;;) {
    const { busy, head } = await withSession(async (session, lost) => {
      const signals = stop ? [lost, stop] : [lost]
      let taken = await take(session, stream, null, mayGoOn())
      if (!taken.locked) return { busy: true, head: taken.head }
      while (taken.step === 'begun' && taken.head) {
        left--
        const ended = await tryOnce(session, stream, taken.head, signals, limit)
        if (!ended) break
        taken = await take(session, stream, ended, mayGoOn())
      }
      if (!taken.step && taken.head && isUsedUp(stream, taken.head))
        await fail(session, stream, taken.head, taken.head.attempts, 'the process ended during the last try')
      // events that arrived meanwhile, while others found the stream locked, are seen here
      return { busy: false, head: await leave(session, stream) }
    })
    if (!head?.waiting) return
    if (!workOf(stream, head)) {
      const { handler } = stream
      const { topic, eventId: event } = head
      log.warn({ handler, topic, event }, 'an event is left to a version that knows its handler')
      return scheduleDelivery(db(), stream, laterBy(60))
    }
    if (busy) return scheduleDelivery(db(), stream, laterBy(5))
    if (!head.due || !mayGoOn()) return scheduleDelivery(db(), stream, sql`${head.tryAt}::timestamptz`)
  }
}
