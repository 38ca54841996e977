import { and, asc, gt, isNotNull, max } from 'drizzle-orm'
import { db } from '@/db/client'
import { outboxEvents } from '@/db/schema'

/** Returns the place in the outbox after which `eventsSince` reads. */
export const newestEvent = async () =>
  (
    await db()
      .select({ id: max(outboxEvents.id) })
      .from(outboxEvents)
  )[0]?.id ?? 0

/** Returns the recorded changes whose events were committed after that place, in the order of the outbox. */
export async function eventsSince(id: number) {
  const rows = await db()
    .select()
    .from(outboxEvents)
    .where(and(gt(outboxEvents.id, id), isNotNull(outboxEvents.type)))
    .orderBy(asc(outboxEvents.id))
  return rows.map(({ type, entity, entityId, payload, changerId, requestId, date }) => ({
    type: type as 'create' | 'update' | 'delete',
    entity,
    entityId,
    changes: payload as Record<string, { previous?: unknown; current?: unknown }>,
    changerId,
    requestId,
    date,
  }))
}
