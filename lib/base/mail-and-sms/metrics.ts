import { count, gt, inArray, or, sql } from 'drizzle-orm'
import { Gauge } from 'prom-client'
import { db } from '@/db/client'
import { messages } from '@/db/schema/operations'
import { metrics } from '../runtime/metrics'

const name = 'platform_messages'

/**
 * Adds the number of messages by kind and status to the metrics of the process: all queued and failed ones, and those
 * sent or dropped within a day, so that counting stays cheap.
 */
export function addMessageMetrics() {
  const { registry } = metrics()
  if (registry.getSingleMetric(name)) return
  const gauge = new Gauge({
    name,
    help: 'Mails and SMS: queued and failed in all, sent and dropped within a day',
    labelNames: ['kind', 'status'] as const,
    registers: [registry],
    // every process of a cluster counts the same rows
    aggregator: 'max',
    async collect() {
      const rows = await db()
        .select({ kind: messages.kind, status: messages.status, total: count() })
        .from(messages)
        .where(
          or(inArray(messages.status, ['queued', 'failed']), gt(messages.createdAt, sql`now() - interval '1 day'`)),
        )
        .groupBy(messages.kind, messages.status)
        // a process without its database still reports its other metrics
        .catch(() => [])
      gauge.reset()
      for (const { kind, status, total } of rows) gauge.set({ kind, status }, total)
    },
  })
}
