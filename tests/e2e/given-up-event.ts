import { basename } from 'node:path'
import { test } from '@playwright/test'
import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { outboxDeliveries, outboxEvents } from '@/db/schema/operations'
import { invalidate } from '@/lib/base/cache/cache'
import { stableId } from '@/lib/base/runtime/stable-id'

/** The object of the events; each test file has its own. */
export const eventObject = () => `e2e-${stableId('given up', basename(test.info().file))}`

export const forgetEvents = () => db().delete(outboxEvents).where(eq(outboxEvents.entityId, eventObject()))

/** Stores two events of one object; delivery of the first was given up. No handler of the platform has this name. */
export async function giveUp() {
  const object = eventObject()
  await forgetEvents()
  const event = { topic: 'users', type: 'update', entity: 'users', entityId: object, payload: {}, requestId: 'e2e' }
  const stored = await db()
    .insert(outboxEvents)
    .values([event, event].map((each) => ({ ...each, date: new Date() })))
    .returning()
  const delivery = { handler: 'e2e-listener', entity: 'users', entityId: object }
  await db()
    .insert(outboxDeliveries)
    .values(
      stored.map(({ id }, at) => ({
        ...delivery,
        eventId: id,
        ...(at === 0
          ? {
              state: 'dead' as const,
              attempts: 14,
              error: 'TypeError: the receiver answered 503 to each of the tries (ECONNREFUSED)',
              finishedAt: new Date(),
            }
          : {}),
      })),
    )
  // the overview may be some seconds old and not count it
  await invalidate(db(), 'overview')
}

/** Returns the states of the deliveries of the two events. */
export const statesOfEvents = async () =>
  (
    await db()
      .select({ state: outboxDeliveries.state })
      .from(outboxDeliveries)
      .where(eq(outboxDeliveries.entityId, eventObject()))
      .orderBy(outboxDeliveries.eventId)
  ).map(({ state }) => state)
