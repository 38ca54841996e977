import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { type Database, db, executePlanned, type Transaction } from '@/db/client'
import { outboxDeliveries, outboxEvents } from '@/db/schema/operations'
import { users } from '@/db/schema/people'
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

/**
 * Returns SQL that adds a job for each row of the CTE `queue`, flagged by the owner of its handler, or changes the time of
 * the job that is there. No queue may be in the CTE twice.
 */
const addJobs = (runAt: SQL) => sql`select count(*) as jobs from (
    select array_agg((
      'event:' || split_part(queue.handler, ':', 1),
      json_build_object('handler', queue.handler, 'entity', queue.entity, 'entityId', queue.entity_id),
      null::text, (${runAt})::timestamptz, null::integer,
      'event:' || queue.handler || ':' || md5(queue.entity || ' ' || queue.entity_id),
      ${sql.raw(String(priority))}::integer, array_remove(array[${ownerOf(sql`queue.handler`)}], null)
    )::graphile_worker.job_spec) as specs from queue
  ) jobs, lateral graphile_worker.add_jobs(specs) where specs is not null`

/** Schedules the job of a delivery queue, now or at a time of the database. */
export async function scheduleDelivery(
  tx: Database | Transaction,
  { handler, entity, entityId }: DeliveryQueue,
  runAt = sql`now()`,
) {
  await tx.execute(sql`with queue as (
    select ${handler}::text as handler, ${entity}::text as entity, ${entityId}::text as entity_id
  ) ${addJobs(runAt)}`)
}

/** Up to how many objects of a statement take a lock each; PostgreSQL has memory for some ten thousand locks in all. */
const fewObjects = 100
const uuid = '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'

/**
 * Stores events, and for each handler of an event a delivery, and the job of each delivery queue, in one statement.
 * `handlers` receive all of them; `groupHandlers` selects, by type, the handlers of subscriber groups. A second
 * transaction that stores an event of the same object waits until this one ends, so that the order of ids is the order
 * of commits. People are locked by their rows, as there may be tens of thousands of them.
 */
export async function storeEvents(
  tx: Transaction,
  events: readonly NewEvent[],
  handlers: readonly string[],
  groupHandlers: readonly { type: string; subscribers: SQL }[] = [],
): Promise<void> {
  if (events.length === 0) return
  const stored = sql`jsonb_to_recordset(${JSON.stringify(events)}::jsonb) as sent ("topic" text, "type" text, "entity" text,
    "entityId" text, "payload" jsonb, "changerId" uuid, "requestId" text, "date" timestamptz)`
  const intoEvents = sql`insert into ${outboxEvents}
    (topic, type, entity, entity_id, payload, changer_id, request_id, date)
    select "topic", "type", "entity", "entityId", "payload", "changerId", "requestId", "date"`
  if (handlers.length === 0 && groupHandlers.length === 0) {
    await executePlanned(tx, sql`${intoEvents} from ${stored}`)
    return
  }
  const listeners = [
    sql`select null::text as type, unnest(${sql.param([...handlers])}::text[]) as handler`,
    ...groupHandlers.map(
      ({ type, subscribers }) => sql`select ${type}::text, handler from (${subscribers}) subscribed`,
    ),
  ]
  await executePlanned(
    tx,
    sql`with sent as materialized (select sent.*, row_number() over () as place from ${stored}),
      listening as materialized (${sql.join(listeners, sql` union all `)}),
      object as materialized (select distinct entity, "entityId" from sent
        where exists (select from listening where listening.type is null or listening.type = sent.type)),
      person as materialized (select ${users.id} from ${users}
        where ${users.id} = any(array(select case when entity = 'users' and "entityId" ~ ${uuid} then "entityId"::uuid end from object))
        order by ${users.id} for no key update),
      turn as materialized (
        select pg_advisory_xact_lock(hashtextextended('event ' || entity || ' ' || "entityId", 0))
        from (select entity, "entityId" from object
          where (select count(*) from object) <= ${fewObjects} or entity <> 'users'
            or "entityId" not in (select person.id::text from person)
          order by entity, "entityId") object
      ), event as (
        ${intoEvents} from sent, (select count(*) from person) person, (select count(*) from turn) turn order by place
        returning id, type, entity, entity_id
      ), delivery as (
        insert into ${outboxDeliveries} (event_id, handler, entity, entity_id)
        select event.id, listening.handler, event.entity, event.entity_id
        from event join listening on listening.type is null or listening.type = event.type
        returning event_id, handler, entity, entity_id
      ), queue as (
        select handler, entity, entity_id from delivery group by handler, entity, entity_id order by min(event_id)
      ) ${addJobs(sql`now()`)}`,
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
    ), queue as (
      select distinct handler, entity, entity_id from delivery
    )
    select (select max(id) from event) as last, (${addJobs(sql`now()`)})`)
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
