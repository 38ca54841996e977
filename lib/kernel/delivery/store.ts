import { type SQL, sql } from 'drizzle-orm'
import { type Database, executePlanned, type Transaction } from '@/db/client'
import { outboxDeliveries, outboxEvents } from '@/db/schema/operations'

/** A handler's events of one object: they are delivered in their order, each before the next. */
export type Stream = { handler: string; entity: string; entityId: string }

type NewEvent = Omit<typeof outboxEvents.$inferInsert, 'id'>

/** Behind everything that people wait for: a smaller number goes first, and other jobs have 0. */
const priority = 10

/** The task of a handler's jobs. A worker takes those alone whose handlers it knows: another version's stay. */
export const taskOf = (handler: string) => `event:${handler}`
/** Whether a task delivers events. */
export const isDelivery = (task: string) => task.startsWith(taskOf(''))

/** SQL that adds the one job of a stream, or moves it. */
const addJob = (handler: SQL, entity: SQL, entityId: SQL, at: SQL) => sql`graphile_worker.add_job(
  identifier => 'event:' || ${handler},
  payload => json_build_object('entity', ${entity}, 'entityId', ${entityId}),
  run_at => ${at},
  job_key => 'event:' || ${handler} || ':' || md5(${entity} || ' ' || ${entityId}),
  priority => ${sql.raw(String(priority))})`

/** Has a stream looked at by a worker, at once or at that time of the database's clock. */
export async function wake(run: Database | Transaction, { handler, entity, entityId }: Stream, at = sql`now()`) {
  await run.execute(sql`select ${addJob(sql`${handler}::text`, sql`${entity}::text`, sql`${entityId}::text`, at)}`)
}

/**
 * Stores an event and a delivery for each of these handlers with its job, in one statement. Whoever stores one of the
 * same object waits until this transaction ends: the order of ids is then that of commits, also where nothing else
 * keeps the two apart.
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
