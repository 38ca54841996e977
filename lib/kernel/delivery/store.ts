import { type SQL, sql } from 'drizzle-orm'
import { type Database, executePlanned, type Transaction } from '@/db/client'
import { outboxDeliveries, outboxEvents } from '@/db/schema/operations'

/** A handler's events of one object. They are delivered in order, one after another. */
export type Stream = { handler: string; entity: string; entityId: string }

type NewEvent = Omit<typeof outboxEvents.$inferInsert, 'id'>

/**
 * The priority of delivery jobs, behind everything that people wait for: lower numbers go first, and other jobs have 0.
 */
const priority = 10

/**
 * Returns the task of a handler's jobs. A worker only takes jobs of handlers that it knows, and leaves those of other
 * versions.
 */
export const taskOf = (handler: string) => `event:${handler}`
/** Returns whether a task delivers events. */
export const isDelivery = (task: string) => task.startsWith(taskOf(''))

/** Returns SQL that adds the one job of a stream, or changes its time. */
const addJob = (handler: SQL, entity: SQL, entityId: SQL, at: SQL) => sql`graphile_worker.add_job(
  identifier => 'event:' || ${handler},
  payload => json_build_object('entity', ${entity}, 'entityId', ${entityId}),
  run_at => ${at},
  job_key => 'event:' || ${handler} || ':' || md5(${entity} || ' ' || ${entityId}),
  priority => ${sql.raw(String(priority))})`

/** Schedules the deliveries of a stream, now or at a time of the database. */
export async function scheduleDelivery(
  run: Database | Transaction,
  { handler, entity, entityId }: Stream,
  at = sql`now()`,
) {
  await run.execute(sql`select ${addJob(sql`${handler}::text`, sql`${entity}::text`, sql`${entityId}::text`, at)}`)
}

/**
 * Stores an event, and for each handler a delivery and its job, in one statement. A second transaction that stores an
 * event of the same object waits until this one ends, so that the order of ids is the order of commits.
 */
export async function storeEvent(tx: Transaction, event: NewEvent, handlers: readonly string[]): Promise<void> {
  const { topic, type = null, entity, entityId, payload, changerId = null, requestId, date } = event
  const columns = sql`insert into ${outboxEvents}
    (topic, type, entity, entity_id, payload, changer_id, request_id, date)
    select ${topic}::text, ${type}::text, ${entity}::text, ${entityId}::text, ${JSON.stringify(payload)}::jsonb,
      ${changerId}::uuid, ${requestId}::text, ${date}::timestamptz`
  if (handlers.length === 0) {
    await executePlanned(tx, columns)
    return
  }
  await executePlanned(
    tx,
    sql`with turn as materialized (
        select pg_advisory_xact_lock(hashtextextended('event ' || ${entity}::text || ' ' || ${entityId}::text, 0))
      ), event as (
        ${columns} from turn returning id, entity, entity_id
      ), delivery as (
        insert into ${outboxDeliveries} (event_id, handler, entity, entity_id)
        select event.id, handler, event.entity, event.entity_id
        from event, unnest(${sql.param([...handlers])}::text[]) as handler
        returning handler, entity, entity_id
      )
      select ${addJob(sql`handler`, sql`entity`, sql`entity_id`, sql`now()`)} from delivery`,
  )
}
