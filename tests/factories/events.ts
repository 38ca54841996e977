import { sql } from 'drizzle-orm'
import { db, type Transaction } from '@/db/client'
import type { EntityName } from '@/lib/base/contracts/entity-names.generated'
import { type DeliveryInfo, onDelivered } from '@/lib/base/events/handlers'
import { putEvent, type RecordedEvent } from '@/lib/base/events/outbox'

/** The entity whose events a test's handler gets. Each handler has its own, so that it gets no events of others. */
export const thingOf = (handler: string) => `things-of-${handler}`

export const change = (entity: string, entityId: string, more: Partial<RecordedEvent> = {}): RecordedEvent => ({
  type: 'update',
  // the product's names are a fixed set; tests use other names
  entity: entity as EntityName,
  entityId,
  changes: {},
  changerId: null,
  requestId: 'test',
  date: new Date(),
  ...more,
})

/**
 * Increases the count in the object's row, which stays locked until the commit, and stores the event. Returns the
 * count.
 */
export async function changeThing(tx: Transaction, handler: string, entityId: string): Promise<number> {
  const { rows } = await tx.execute<{ count: number }>(sql`
    insert into daily_counters (kind, key, day, count) values ('thing', ${entityId}, current_date, 1)
    on conflict (kind, key, day) do update set count = daily_counters.count + 1 returning count`)
  const count = Number(rows[0]?.count)
  await putEvent(
    tx,
    change(thingOf(handler), entityId, { changes: { count: { previous: count - 1, current: count } } }),
  )
  return count
}

type Taken = { entityId: string; count: number; info: DeliveryInfo }

/**
 * Registers a handler of this name for the entity of this name; `work` may throw. Returns the events that it handled,
 * without failed tries.
 */
export function listenToThings(handler: string, work: (taken: Taken) => Promise<void> | void = () => {}) {
  const deliveries: Taken[] = []
  onDelivered(thingOf(handler), handler, async ({ entityId, changes }, info) => {
    const one = { entityId, count: Number(changes.count?.current), info }
    await work(one)
    deliveries.push(one)
  })
  return deliveries
}

/** Makes everything due that waits for a later time: jobs, and tries of deliveries. */
export async function letTimePass() {
  // whoever changes several locks them in the order of their events, or deliveries that run meanwhile could deadlock
  await db().execute(sql`update outbox_deliveries set try_at = now() where id in (
    select id from outbox_deliveries where state = 'waiting' order by event_id for update)`)
  await db().execute(sql`update graphile_worker._private_jobs set run_at = now() where run_at > now()`)
}

/** Counts the deliveries of a handler by state. */
export async function statesOf(handler: string): Promise<Record<string, number>> {
  const { rows } = await db().execute<{ state: string; count: number }>(
    sql`select state, count(*)::int as count from outbox_deliveries where handler = ${handler} group by state`,
  )
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]))
}
