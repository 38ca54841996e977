import { count, gt, inArray, or, sql } from 'drizzle-orm'
import { db } from '@/db/client'
import { messages } from '@/db/schema/operations'
import { addSharedGauge } from '../cache/shared-gauge'

async function readMessages() {
  const rows = await db()
    .select({ kind: messages.kind, status: messages.status, value: count() })
    .from(messages)
    .where(or(inArray(messages.status, ['queued', 'failed']), gt(messages.createdAt, sql`now() - interval '1 day'`)))
    .groupBy(messages.kind, messages.status)
  return rows.map(({ kind, status, value }) => ({ labels: { kind, status }, value }))
}

/**
 * Adds the number of messages by kind and status to the metrics of the process: all queued and failed ones, and those
 * sent or dropped within a day, so that counting stays cheap.
 */
export const addMessageMetrics = () =>
  addSharedGauge({
    name: 'platform_messages',
    help: 'Mails and SMS: queued and failed in all, sent and dropped within a day',
    labelNames: ['kind', 'status'],
    read: readMessages,
  })
