import { and, eq, inArray, lt, or, sql } from 'drizzle-orm'
import { db } from '@/db/client'
import { outboxDeliveries, outboxEvents } from '@/db/schema/operations'
import { deleteInBatches, inBatches } from '@/lib/base/postgres/batches'
import { log } from '@/lib/base/runtime/log'
import { deliverySubscriptions, groupNames } from '../handlers'
import { scheduleDelivery } from './store'

/** Days after which an event is deleted; it stays longer while a handler has not received it. */
export const eventRetentionDays = 7
/** Minutes by which a delivery may be late before its job counts as lost. */
const lateMinutes = 2
/** Minutes that other versions have to deliver events for handlers that this version does not know. */
const unknownHandlerMinutes = 15

/** Returns the condition for deliveries that have waited for an unknown handler for longer than a deployment takes. */
export function isStranded() {
  const subscriptions = deliverySubscriptions().map(({ handler, topic }) => `${handler} ${topic}`)
  // handlers of a subscriber group are rows: they are deleted with their deliveries
  return sql<boolean>`(${outboxDeliveries.state} = 'waiting'
    and split_part(${outboxDeliveries.handler}, ':', 1) <> all(${sql.param(groupNames())}::text[])
    and ${outboxDeliveries.createdAt} < now() - ${unknownHandlerMinutes} * interval '1 minute'
    and ${outboxDeliveries.handler} || ' ' || ${outboxEvents.topic} <> all(${sql.param(subscriptions)}::text[]))`
}

/**
 * Deletes events a week after they happened, once every handler has received or skipped them. Deletes those from before
 * `undelivered` in any case.
 */
export async function tidyEvents(undelivered: Date) {
  const { date } = outboxEvents
  const isOld = lt(date, sql`now() - ${eventRetentionDays} * interval '1 day'`)
  const deliveries = sql`from ${outboxDeliveries} where ${outboxDeliveries.eventId} = ${outboxEvents.id}`
  const unfinished = sql`select ${deliveries} and ${outboxDeliveries.state} in ('waiting', 'dead')`
  const isOver = and(isOld, or(lt(date, undelivered), sql`not exists (${unfinished})`))
  // an event may have hundreds of deliveries, which one statement would delete with it
  await inBatches(async (limit) => {
    const { rowCount } = await db().execute(sql`delete from ${outboxDeliveries} where ctid = any(array(
      select delivery.ctid from ${outboxEvents} cross join lateral (
        select ${outboxDeliveries}.ctid ${deliveries} limit ${limit}::int) delivery
      where ${isOver} order by ${date} limit ${limit}::int))`)
    return rowCount ?? 0
  })
  // a count, so that PostgreSQL uses the index for each row
  await deleteInBatches(outboxEvents, date, and(isOld, sql`(select count(*) ${deliveries}) = 0`))
}

/** Schedules deliveries that are late and may have lost their job. Logs those that wait for unknown handlers. */
export async function rescheduleLateDeliveries() {
  const handlerNames = [...new Set(deliverySubscriptions().map(({ handler }) => handler))]
  const { handler, entity, entityId, state, tryAt } = outboxDeliveries
  const lateQueues = await db()
    .selectDistinct({ handler, entity, entityId })
    .from(outboxDeliveries)
    .where(
      and(
        or(
          inArray(handler, handlerNames),
          sql`split_part(${handler}, ':', 1) = any(${sql.param(groupNames())}::text[])`,
        ),
        eq(state, 'waiting'),
        lt(tryAt, sql`now() - ${lateMinutes} * interval '1 minute'`),
        // behind a dead delivery it waits for an administrator
        sql`not exists (select from ${outboxDeliveries} ahead where ahead.state = 'dead' and ahead.handler = ${handler}
          and ahead.entity = ${entity} and ahead.entity_id = ${entityId} and ahead.event_id < ${outboxDeliveries.eventId})`,
      ),
    )
    .limit(1_000)
  for (const queue of lateQueues) await scheduleDelivery(db(), queue)

  const stranded = await db()
    .select({ handler, topic: outboxEvents.topic, count: sql<number>`count(*)::int` })
    .from(outboxDeliveries)
    .innerJoin(outboxEvents, eq(outboxEvents.id, outboxDeliveries.eventId))
    .where(isStranded())
    .groupBy(handler, outboxEvents.topic)
  for (const deliveries of stranded) log.warn(deliveries, 'events wait for a handler that this version does not know')
}
