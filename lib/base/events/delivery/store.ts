import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { type Database, db, executePlanned, type Transaction } from '@/db/client'
import { outboxDeliveries, outboxEvents } from '@/db/schema/operations'
import { groupNames, ownerOf } from '../handlers'

/** A handler's events of one object. They are delivered in order, one after another. */
export type DeliveryQueue = { handler: string; entity: string; entityId: string }

type NewEvent = Omit<typeof outboxEvents.$inferInsert, 'id'>

/**
 * The priority of delivery jobs, behind everything that people wait for: lower numbers go first, and other jobs have 0.
 */
const priority = 10

/**
 * Returns the task of a handler's jobs; a family has one for all of its handlers. A worker only takes jobs of handlers that it knows, and leaves those of other
 * versions.
 */
export const taskOf = (handler: string) => `event:${handler.split(':', 1)[0]}`
/** Returns whether a task delivers events. */
export const isDelivery = (task: string) => task.startsWith(taskOf(''))
/** Returns whether a task delivers events to a family. */
export const isOfGroup = (task: string) => groupNames().some((family) => taskOf(family) === task)

/** Returns SQL that adds the one job of a stream, flagged by the owner of its handler, or changes its time. */
const addJob = (handler: SQL, entity: SQL, entityId: SQL, at: SQL) => sql`graphile_worker.add_job(
  identifier => 'event:' || split_part(${handler}, ':', 1),
  payload => json_build_object('handler', ${handler}, 'entity', ${entity}, 'entityId', ${entityId}),
  run_at => ${at},
  job_key => 'event:' || ${handler} || ':' || md5(${entity} || ' ' || ${entityId}),
  flags => array_remove(array[${ownerOf(handler)}], null),
  priority => ${sql.raw(String(priority))})`

/** Schedules the deliveries of a stream, now or at a time of the database. */
export async function scheduleDelivery(
  run: Database | Transaction,
  { handler, entity, entityId }: DeliveryQueue,
  at = sql`now()`,
) {
  await run.execute(sql`select ${addJob(sql`${handler}::text`, sql`${entity}::text`, sql`${entityId}::text`, at)}`)
}

/**
 * Stores an event, and for each handler a delivery and its job, in one statement. `family` selects further handlers. A
 * second transaction that stores an event of the same object waits until this one ends, so that the order of ids is the
 * order of commits.
 */
export async function storeEvent(
  tx: Transaction,
  event: NewEvent,
  handlers: readonly string[],
  family: SQL | null = null,
): Promise<void> {
  const { topic, type = null, entity, entityId, payload, changerId = null, requestId, date } = event
  const columns = sql`insert into ${outboxEvents}
    (topic, type, entity, entity_id, payload, changer_id, request_id, date)
    select ${topic}::text, ${type}::text, ${entity}::text, ${entityId}::text, ${JSON.stringify(payload)}::jsonb,
      ${changerId}::uuid, ${requestId}::text, ${date}::timestamptz`
  if (handlers.length === 0 && !family) {
    await executePlanned(tx, columns)
    return
  }
  const own = sql`select unnest(${sql.param([...handlers])}::text[]) as handler`
  await executePlanned(
    tx,
    sql`with listening as materialized (
        ${family ? sql`${own} union all ${family}` : own}
      ), turn as materialized (
        select pg_advisory_xact_lock(hashtextextended('event ' || ${entity}::text || ' ' || ${entityId}::text, 0))
        from (select from listening limit 1) somebody
      ), event as (
        ${columns} from (select count(*) from turn) turn returning id, entity, entity_id
      ), delivery as (
        insert into ${outboxDeliveries} (event_id, handler, entity, entity_id)
        select event.id, listening.handler, event.entity, event.entity_id from event, listening
        returning handler, entity, entity_id
      )
      select ${addJob(sql`handler`, sql`entity`, sql`entity_id`, sql`now()`)} from delivery`,
  )
}

/** The events of an outbox that a handler gets once more. */
export type Span = { from: Date; to: Date; topics: readonly { topic: string; type: string }[] }

const within = ({ from, to, topics }: Span) => sql`${outboxEvents.date} >= ${from} and ${outboxEvents.date} <= ${to}
  and (${outboxEvents.topic}, ${outboxEvents.type}) in (
    select * from unnest(${sql.param(topics.map(({ topic }) => topic))}::text[], ${sql.param(topics.map(({ type }) => type))}::text[]))`

/** Counts the events of a span. */
export const countEvents = (tx: Transaction, span: Span) => tx.$count(outboxEvents, within(span))

/**
 * Delivers up to `limit` events of a span, after this id, to a handler once more, or for the first time; what waits stays
 * as it is. Returns the last id, null if there was none.
 */
export async function redeliverEvents(handler: string, span: Span, after: number, limit: number) {
  const { rows } = await db().execute<{ last: string | null }>(sql`
    with event as materialized (
      select id, entity, entity_id from ${outboxEvents}
      where ${outboxEvents.id} > ${after} and ${within(span)} order by ${outboxEvents.id} limit ${limit}
    ), delivery as (
      insert into ${outboxDeliveries} as d (event_id, handler, entity, entity_id)
      select id, ${handler}::text, entity, entity_id from event
      on conflict (event_id, handler) do update
        set state = 'waiting', attempts = 0, try_at = now(), error = null, finished_at = null
        where d.state <> 'waiting'
      returning handler, entity, entity_id
    ), stream as (
      select distinct handler, entity, entity_id from delivery
    ), job as (
      select ${addJob(sql`handler`, sql`entity`, sql`entity_id`, sql`now()`)} as job from stream
    )
    select (select max(id) from event) as last, (select count(*) from job where job is not null) as jobs`)
  const last = rows[0]?.last
  return last === null || last === undefined ? null : Number(last)
}

/** Delivers one event to a handler once more. Returns false if it isn't kept any more. */
export async function redeliver(tx: Transaction, deliveryId: string): Promise<boolean> {
  const [stream] = await tx
    .update(outboxDeliveries)
    .set({ state: 'waiting', attempts: 0, tryAt: sql`now()`, error: null, finishedAt: null })
    .where(eq(outboxDeliveries.id, deliveryId))
    .returning({
      handler: outboxDeliveries.handler,
      entity: outboxDeliveries.entity,
      entityId: outboxDeliveries.entityId,
    })
  if (stream) await scheduleDelivery(tx, stream)
  return stream !== undefined
}

/** Skips everything that a handler hasn't received. Locks the rows in the order of their events, as deliveries do. */
export async function skipWaiting(tx: Transaction, handler: string) {
  const open = tx
    .select({ id: outboxDeliveries.id })
    .from(outboxDeliveries)
    .where(and(eq(outboxDeliveries.handler, handler), inArray(outboxDeliveries.state, ['waiting', 'dead'])))
    .orderBy(outboxDeliveries.eventId)
    .for('update')
  await tx
    .update(outboxDeliveries)
    .set({ state: 'skipped', finishedAt: sql`now()` })
    .where(inArray(outboxDeliveries.id, open))
}

/** Counts what a handler hasn't received yet, up to a limit. */
export async function countWaiting(handlers: readonly string[], limit: number): Promise<Map<string, number>> {
  const { rows } = await db().execute<{ handler: string; count: number }>(sql`
    select handler, (select count(*)::int from (
      select from ${outboxDeliveries} d where d.handler = h.handler and d.state in ('waiting', 'dead') limit ${limit}) open) as count
    from unnest(${sql.param([...handlers])}::text[]) as h (handler)`)
  return new Map(rows.map(({ handler, count }) => [handler, count]))
}
