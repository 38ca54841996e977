import { and, count, eq, or, type SQL, sql } from 'drizzle-orm'
import { db, type Transaction } from '@/db/client'
import { paged, selectPage } from '@/db/list'
import { outboxDeliveries, outboxEvents } from '@/db/schema/operations'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { isStranded } from '@/lib/base/events/delivery/housekeeping'
import type { listUndelivered } from './contract'

type ListInput = ServiceInput<typeof listUndelivered>['query']

const isDead = eq(outboxDeliveries.state, 'dead')
const eventOfDelivery = eq(outboxEvents.id, outboxDeliveries.eventId)

/** The number of later events in the same delivery queue. */
const laterCount = sql<number>`(select count(*)::int from ${outboxDeliveries} later
  where later.state in ('waiting', 'dead') and later.handler = ${outboxDeliveries.handler}
    and later.entity = ${outboxDeliveries.entity} and later.entity_id = ${outboxDeliveries.entityId}
    and later.event_id > ${outboxDeliveries.eventId})`

/** Returns one page of undelivered events. */
export const selectUndeliveredPage = (query: ListInput, pageSize: number | null) =>
  selectPage(
    query,
    pageSize,
    {
      sorts: { date: outboxEvents.date, handler: outboxDeliveries.handler },
      tie: outboxDeliveries.id,
      filters: {
        handler: (name) => eq(outboxDeliveries.handler, name),
        entity: (name) => eq(outboxDeliveries.entity, name),
      },
    },
    {
      rows: ({ where, ...parts }) =>
        paged(
          db()
            .select({
              id: outboxDeliveries.id,
              state: outboxDeliveries.state,
              handler: outboxDeliveries.handler,
              topic: outboxEvents.topic,
              entity: outboxDeliveries.entity,
              entityId: outboxDeliveries.entityId,
              date: outboxEvents.date,
              attempts: outboxDeliveries.attempts,
              error: outboxDeliveries.error,
              waiting: laterCount,
            })
            .from(outboxDeliveries)
            .innerJoin(outboxEvents, eventOfDelivery)
            .$dynamic(),
          { ...parts, where: and(or(isDead, isStranded()), where) },
        ),
      count: async (where) => {
        const [row] = await db()
          .select({ total: count() })
          .from(outboxDeliveries)
          .innerJoin(outboxEvents, eventOfDelivery)
          .where(and(or(isDead, isStranded()), where))
        return row?.total ?? 0
      },
    },
  )

type Change = { state: 'waiting' | 'skipped'; attempts?: number; tryAt?: SQL; error?: null; finishedAt: SQL | null }

async function setState(tx: Transaction, id: string, decidable: SQL | undefined, change: Change) {
  const [current] = await tx
    .select({ state: outboxDeliveries.state, decidable: sql<boolean>`${decidable}` })
    .from(outboxDeliveries)
    .innerJoin(outboxEvents, eventOfDelivery)
    .where(eq(outboxDeliveries.id, id))
    .for('update', { of: outboxDeliveries })
  if (!current?.decidable) return { before: current }
  const [queue] = await tx.update(outboxDeliveries).set(change).where(eq(outboxDeliveries.id, id)).returning({
    handler: outboxDeliveries.handler,
    entity: outboxDeliveries.entity,
    entityId: outboxDeliveries.entityId,
  })
  return { before: current, queue }
}

/**
 * Makes a dead delivery wait again with all its attempts. Returns its previous state, if it exists, and its delivery
 * queue, if it was dead.
 */
export const reviveDelivery = (tx: Transaction, id: string) =>
  setState(tx, id, isDead, { state: 'waiting', attempts: 0, tryAt: sql`now()`, error: null, finishedAt: null })

/** Skips a delivery that is dead or has no known handler. Returns the same as `reviveDelivery`. */
export const skipDelivery = (tx: Transaction, id: string) =>
  setState(tx, id, or(isDead, isStranded()), { state: 'skipped', finishedAt: sql`now()` })
