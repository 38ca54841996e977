import { count, gt, inArray, or, sql } from 'drizzle-orm'
import { db } from '@/db/client'
import { outboxDeliveries } from '@/db/schema/operations'
import { addSharedGauge } from '@/lib/base/cache/shared-gauge'

async function readDeliveries() {
  const { state: stateColumn, finishedAt, error } = outboxDeliveries
  // a subscriber group counts as one handler: the names of its members contain ids
  const rows = await db()
    .select({
      handler: sql<string>`split_part(${outboxDeliveries.handler}, ':', 1)`.as('of'),
      state: sql<string>`case when ${stateColumn} = 'waiting' and ${error} is not null
        then 'failed' else ${stateColumn}::text end`.as('counted'),
      value: count(),
    })
    .from(outboxDeliveries)
    .where(or(inArray(stateColumn, ['waiting', 'dead']), gt(finishedAt, sql`now() - interval '1 day'`)))
    .groupBy(sql`"of"`, sql`counted`)
  return rows.map(({ handler, state, value }) => ({ labels: { handler, state }, value }))
}

/**
 * Adds the number of deliveries by handler and state to the metrics of the process: all that are waiting, failed or
 * dead, and those delivered or skipped within a day.
 */
export const addDeliveryMetrics = () =>
  addSharedGauge({
    name: 'platform_event_deliveries',
    help: 'Deliveries of events: waiting, failed and dead in all, delivered and skipped within a day',
    labelNames: ['handler', 'state'],
    read: readDeliveries,
  })
