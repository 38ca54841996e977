import type { Transaction } from '@/db/client'
import type { EntityName } from '../contracts/entity-names.generated'
import { storeEvents } from './delivery/store'
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
 * Stores changes of objects of one entity in their transaction, and a delivery for each handler of the entity, in one
 * statement. Throws NotComposedError in a process that has not called compose().
 */
export async function putEvents(tx: Transaction, entity: EntityName, events: readonly RecordedEvent[]): Promise<void> {
  const rows = events.map(({ changes, ...common }) => ({ ...common, topic: entity, payload: changes }))
  const types = [...new Set(events.map(({ type }) => type))].sort()
  const groupHandlers = types.flatMap((type) => {
    const subscribers = groupSubscribers({ entity, type })
    return subscribers ? [{ type, subscribers }] : []
  })
  await storeEvents(tx, rows, [...deliveryHandlers(entity).keys()], groupHandlers)
}

/** Stores a change of one object, as `putEvents` does. */
export const putEvent = (tx: Transaction, event: RecordedEvent): Promise<void> => putEvents(tx, event.entity, [event])
