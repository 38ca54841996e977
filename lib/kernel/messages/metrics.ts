import { count, gt, inArray, or, sql } from 'drizzle-orm'
import { Gauge } from 'prom-client'
import { db } from '@/db/client'
import { messages } from '@/db/schema/operations'
import { metrics } from '../metrics'

const name = 'platform_messages'

/**
 * Counts messages by kind and status in the process's metrics: all that wait and all dead letters, and of those that
 * were sent or dropped the last day's, so that counting stays cheap.
 */
export function countMessages() {
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
        // without its database a process still tells the rest
        .catch(() => [])
      gauge.reset()
      for (const { kind, status, total } of rows) gauge.set({ kind, status }, total)
    },
  })
}
