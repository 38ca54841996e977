import { count, gt, inArray, or, sql } from 'drizzle-orm'
import { Gauge } from 'prom-client'
import { db } from '@/db/client'
import { outboxDeliveries } from '@/db/schema/operations'
import { metrics } from '../metrics'

const name = 'platform_event_deliveries'

/**
 * Counts deliveries by handler and state in the process's metrics: all that wait, that failed and wait for another
 * try, and that were given up; those that were delivered or skipped within a day. The rows are what is counted, since
 * workers serve no metrics.
 */
export function countDeliveries() {
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
      const { handler, state, finishedAt } = outboxDeliveries
      const rows = await db()
        .select({
          handler,
          state: sql<string>`case when ${state} = 'waiting' and ${outboxDeliveries.error} is not null
            then 'failed' else ${state}::text end`.as('counted'),
          total: count(),
        })
        .from(outboxDeliveries)
        .where(or(inArray(state, ['waiting', 'dead']), gt(finishedAt, sql`now() - interval '1 day'`)))
        .groupBy(handler, sql`counted`)
        // without its database a process still tells the rest
        .catch(() => [])
      gauge.reset()
      for (const row of rows) gauge.set({ handler: row.handler, state: row.state }, row.total)
    },
  })
}
