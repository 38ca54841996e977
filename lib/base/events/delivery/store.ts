import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { type Database, db, executePlanned, type Transaction } from '@/db/client'
import { outboxDeliveries, outboxEvents } from '@/db/schema/operations'
import { groupNames, ownerOf } from '../handlers'

/** The delivery queue of one handler for one object: its events are delivered in order, one after another. */
export type DeliveryQueue = { handler: string; entity: string; entityId: string }

type NewEvent = Omit<typeof outboxEvents.$inferInsert, 'id'>

/**
 * The priority of delivery jobs, behind all jobs that people wait for: lower numbers go first, and those jobs have 0.
 */
const priority = 10

/**
 * Returns the task of a handler's jobs; a subscriber group has one task for all of its handlers. A worker only takes
 * jobs of handlers that it knows, and leaves those of other versions.
 */
export const taskOf = (handler: string) => `event:${handler.split(':', 1)[0]}`
/** Returns whether a task delivers events. */
export const isDeliveryTask = (task: string) => task.startsWith(taskOf(''))
/** Returns whether a task delivers events to a subscriber group. */
export const isGroupTask = (task: string) => groupNames().some((group) => taskOf(group) === task)

/** Returns SQL that adds the one job of a delivery queue, flagged by the owner of its handler, or changes its time. */
const addJob = (handler: SQL, entity: SQL, entityId: SQL, runAt: SQL) => sql`graphile_worker.add_job(
  identifier => 'event:' || split_part(${handler}, ':', 1),
  payload => json_build_object('handler', ${handler}, 'entity', ${entity}, 'entityId', ${entityId}),
  run_at => ${runAt},
  job_key => 'event:' || ${handler} || ':' || md5(${entity} || ' ' || ${entityId}),
  flags => array_remove(array[${ownerOf(handler)}], null),
  priority => ${sql.raw(String(priority))})`

/** Schedules the job of a delivery queue, now or at a time of the database. */
export async function scheduleDelivery(
  tx: Database | Transaction,
  { handler, entity, entityId }: DeliveryQueue,
  runAt = sql`now()`,
) {
  await tx.execute(sql`select ${addJob(sql`${handler}::text`, sql`${entity}::text`, sql`${entityId}::text`, runAt)}`)
}

/**
 * Stores an event, and for each handler a delivery and its job, in one statement. `groupHandlers` selects the handlers
 * of subscriber groups. A second transaction that stores an event of the same object waits until this one ends, so that
 * the order of ids is the order of commits.
 */
export async function storeEvent(
  tx: Transaction,
  event: NewEvent,
  handlers: readonly string[],
  groupHandlers: SQL | null = null,
): Promise<void> {
  const { topic, type = null, entity, entityId, payload, changerId = null, requestId, date } = event
  const columns = sql`insert into ${outboxEvents}
    (topic, type, entity, entity_id, payload, changer_id, request_id, date)
    select ${topic}::text, ${type}::text, ${entity}::text, ${entityId}::text, ${JSON.stringify(payload)}::jsonb,
      ${changerId}::uuid, ${requestId}::text, ${date}::timestamptz`
  if (handlers.length === 0 && !groupHandlers) {
    await executePlanned(tx, columns)
    return
  }
  const ownHandlers = sql`select unnest(${sql.param([...handlers])}::text[]) as handler`
  await executePlanned(
    tx,
    sql`with listening as materialized (
        ${groupHandlers ? sql`${ownHandlers} union all ${groupHandlers}` : ownHandlers}
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

/** The events, by time and topic, that a handler receives once more. */
export type EventSpan = { from: Date; to: Date; topics: readonly { topic: string; type: string }[] }

const isInSpan = ({
  from,
  to,
  topics,
}: EventSpan) => sql`${outboxEvents.date} >= ${from} and ${outboxEvents.date} <= ${to}
  and (${outboxEvents.topic}, ${outboxEvents.type}) in (
    select * from unnest(${sql.param(topics.map(({ topic }) => topic))}::text[], ${sql.param(topics.map(({ type }) => type))}::text[]))`

/** Returns the number of events of a span. */
export const countEvents = (tx: Transaction, span: EventSpan) => tx.$count(outboxEvents, isInSpan(span))

/**
 * Delivers up to `limit` events of a span, with ids above `after`, to a handler once more, or for the first time;
 * waiting deliveries stay as they are. Returns the last id, null if there was none.
 */
export async function redeliverEvents(handler: string, span: EventSpan, after: number, limit: number) {
  const { rows } = await db().execute<{ last: string | null }>(sql`
    with event as materialized (
      select id, entity, entity_id from ${outboxEvents}
      where ${outboxEvents.id} > ${after} and ${isInSpan(span)} order by ${outboxEvents.id} limit ${limit}
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

/** Makes a delivery wait again and schedules it. Returns false if it has been deleted. */
export async function redeliver(tx: Transaction, deliveryId: string): Promise<boolean> {
  const [queue] = await tx
    .update(outboxDeliveries)
    .set({ state: 'waiting', attempts: 0, tryAt: sql`now()`, error: null, finishedAt: null })
    .where(eq(outboxDeliveries.id, deliveryId))
    .returning({
      handler: outboxDeliveries.handler,
      entity: outboxDeliveries.entity,
      entityId: outboxDeliveries.entityId,
    })
  if (queue) await scheduleDelivery(tx, queue)
  return queue !== undefined
}

/**
 * Skips all deliveries that a handler hasn't received. Locks the rows in the order of their events, as deliveries do.
 */
export async function skipWaiting(tx: Transaction, handler: string) {
  const unfinished = tx
    .select({ id: outboxDeliveries.id })
    .from(outboxDeliveries)
    .where(and(eq(outboxDeliveries.handler, handler), inArray(outboxDeliveries.state, ['waiting', 'dead'])))
    .orderBy(outboxDeliveries.eventId)
    .for('update')
  await tx
    .update(outboxDeliveries)
    .set({ state: 'skipped', finishedAt: sql`now()` })
    .where(inArray(outboxDeliveries.id, unfinished))
}

/** Returns by handler the number of its waiting and dead deliveries, counted up to a limit. */
export async function countWaiting(handlers: readonly string[], limit: number): Promise<Map<string, number>> {
  const { rows } = await db().execute<{ handler: string; count: number }>(sql`
    select handler, (select count(*)::int from (
      select from ${outboxDeliveries} d where d.handler = h.handler and d.state in ('waiting', 'dead') limit ${limit}) open) as count
    from unnest(${sql.param([...handlers])}::text[]) as h (handler)`)
  return new Map(rows.map(({ handler, count }) => [handler, count]))
}
