import { and, eq, inArray, lt, sql } from 'drizzle-orm'
import { db } from '@/db/client'
import { outboxDeliveries, outboxEvents } from '@/db/schema/operations'
import { inBatches } from '../batches'
import { listening } from '../handlers'
import { log } from '../log'
import { wake } from './store'

/** Days that an event is kept after it happened, and longer while somebody hasn't got it. */
export const keptDays = 7
/** Minutes that a delivery may be late before its job is taken for lost. */
const lateAfter = 2
/** Minutes that another version has for what this one doesn't know. */
const strangeAfter = 15

/** Waits for a handler that this process doesn't know, longer than versions take to change places. */
export function isStranded() {
  const known = listening().map(({ handler, topic }) => `${handler} ${topic}`)
  return sql<boolean>`(${outboxDeliveries.state} = 'waiting'
    and ${outboxDeliveries.createdAt} < now() - ${strangeAfter} * interval '1 minute'
    and ${outboxDeliveries.handler} || ' ' || ${outboxEvents.topic} <> all(${sql.param(known)}::text[]))`
}

/** Removes events that everybody has got or was spared, a week after they happened. */
export async function tidyEvents() {
  const open = sql`select from ${outboxDeliveries}
    where ${outboxDeliveries.eventId} = ${outboxEvents.id} and ${outboxDeliveries.state} in ('waiting', 'dead')`
  await inBatches(async (limit) => {
    const old = db()
      .select({ id: outboxEvents.id })
      .from(outboxEvents)
      .where(and(lt(outboxEvents.date, sql`now() - ${keptDays} * interval '1 day'`), sql`not exists (${open})`))
      .limit(limit)
    const { rowCount } = await db().delete(outboxEvents).where(inArray(outboxEvents.id, old))
    return rowCount ?? 0
  })
}

/** Gives deliveries a job that are late and may have lost theirs; logs what waits for handlers that nobody knows. */
export async function wakeDeliveries() {
  const known = [...new Set(listening().map(({ handler }) => handler))]
  const { handler, entity, entityId, state, tryAt } = outboxDeliveries
  const late = await db()
    .selectDistinct({ handler, entity, entityId })
    .from(outboxDeliveries)
    .where(
      and(
        inArray(handler, known),
        eq(state, 'waiting'),
        lt(tryAt, sql`now() - ${lateAfter} * interval '1 minute'`),
        // behind a dead one it waits for somebody's decision
        sql`not exists (select from ${outboxDeliveries} ahead where ahead.state = 'dead' and ahead.handler = ${handler}
          and ahead.entity = ${entity} and ahead.entity_id = ${entityId} and ahead.event_id < ${outboxDeliveries.eventId})`,
      ),
    )
    .limit(1_000)
  for (const stream of late) await wake(db(), stream)

  const strange = await db()
    .select({ handler, topic: outboxEvents.topic, count: sql<number>`count(*)::int` })
    .from(outboxDeliveries)
    .innerJoin(outboxEvents, eq(outboxEvents.id, outboxDeliveries.eventId))
    .where(isStranded())
    .groupBy(handler, outboxEvents.topic)
  for (const each of strange) log.warn(each, 'events wait for a handler that this version does not know')
}
