import { count, gt, inArray, or, sql } from 'drizzle-orm'
import { Gauge } from 'prom-client'
import { db } from '@/db/client'
import { outboxDeliveries } from '@/db/schema/operations'
import { metrics } from '@/lib/base/runtime/metrics'

const name = 'platform_event_deliveries'

/**
 * Adds the number of deliveries by handler and state to the metrics of the process: all that are waiting, failed or
 * dead, and those delivered or skipped within a day. They are counted in the database, because workers serve no
 * metrics.
 */
export function addDeliveryMetrics() {
  const { registry } = metrics()
  if (registry.getSingleMetric(name)) return
  const gauge = new Gauge({
    name,
    help: 'Deliveries of events: waiting, failed and dead in all, delivered and skipped within a day',
    labelNames: ['handler', 'state'] as const,
    registers: [registry],
    // every process of a cluster counts the same rows
    aggregator: 'max',
    async collect() {
      const { state, finishedAt } = outboxDeliveries
      // a subscriber group counts as one handler: the names of its members contain ids
      const handler = sql<string>`split_part(${outboxDeliveries.handler}, ':', 1)`.as('of')
      const rows = await db()
        .select({
          handler,
          state: sql<string>`case when ${state} = 'waiting' and ${outboxDeliveries.error} is not null
            then 'failed' else ${state}::text end`.as('counted'),
          total: count(),
        })
        .from(outboxDeliveries)
        .where(or(inArray(state, ['waiting', 'dead']), gt(finishedAt, sql`now() - interval '1 day'`)))
        .groupBy(sql`"of"`, sql`counted`)
        // a process without its database still reports its other metrics
        .catch(() => [])
      gauge.reset()
      for (const row of rows) gauge.set({ handler: row.handler, state: row.state }, row.total)
    },
  })
}
