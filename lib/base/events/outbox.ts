import { sql } from 'drizzle-orm'
import type { Transaction } from '@/db/client'
import { outboxEvents } from '@/db/schema/operations'
import type { EntityName } from '../contracts/entity-names.generated'
import { storeEvent } from './delivery/store'
import { deliveryHandlers, groupSubscribers } from './handlers'

/** A recorded change: each field before and after; secrets are ***. */
export type RecordedEvent = {
  type: 'create' | 'update' | 'delete'
  entity: EntityName
  entityId: string
  changes: Record<string, { previous?: unknown; current?: unknown }>
  changerId: string | null
  requestId: string
  date: Date
}

/**
 * Stores a change in its transaction, and a delivery for each handler of its entity. Throws NotComposedError in a
 * process that has not called compose().
 */
export async function putEvent(tx: Transaction, event: RecordedEvent): Promise<void> {
  const { changes, ...common } = event
  const listeners = [...deliveryHandlers(event.entity).keys()]
  await storeEvent(tx, { ...common, topic: event.entity, payload: changes }, listeners, groupSubscribers(event))
}

/** Whether a handler of a subscriber group listens to one of these changes. */
async function hasGroupSubscriber(tx: Transaction, entity: EntityName, events: readonly RecordedEvent[]) {
  for (const type of new Set(events.map((event) => event.type))) {
    const subscribers = groupSubscribers({ entity, type })
    if (subscribers && (await tx.execute(sql`select from (${subscribers}) heard limit 1`)).rowCount) return true
  }
  return false
}

/** Stores changes of several objects of one entity as `putEvent` does each; in one statement if no handler listens. */
export async function putEvents(tx: Transaction, entity: EntityName, events: readonly RecordedEvent[]): Promise<void> {
  if (deliveryHandlers(entity).size > 0 || (await hasGroupSubscriber(tx, entity, events))) {
    for (const event of events) await putEvent(tx, event)
    return
  }
  const rows = events.map(({ changes, ...common }) => ({ ...common, topic: entity, payload: changes }))
  if (rows.length > 0) await tx.insert(outboxEvents).values(rows)
}
