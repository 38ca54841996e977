import { randomUUID } from 'node:crypto'
import { db } from '@/db/client'
import { outboxDeliveries, outboxEvents } from '@/db/schema'
import { listUndelivered, retryEvent, skipEvent } from '@/lib/operations/undelivered-events/contract'
import type { Caller } from '../../factories/caller'
import { first } from '../../factories/platform'
import { proof } from '../../factories/proofs'

/** A delivery that was given up, to its own handler. */
const deadDelivery = async () => {
  const [handler, object] = [randomUUID(), { entity: 'things', entityId: randomUUID() }]
  const happened = { ...object, topic: 'things', payload: {}, requestId: '', date: new Date() }
  const event = first(await db().insert(outboxEvents).values(happened).returning())
  const delivery = { ...object, eventId: event.id, handler, state: 'dead' as const }
  return { id: first(await db().insert(outboxDeliveries).values(delivery).returning()).id, handler }
}
const undelivered = async (caller: Caller, handler: string) =>
  (await caller.call(listUndelivered, { query: { filter: { handler } } })).events

/** A delivery that somebody has decided on already. */
const decided = async (caller: Caller) => {
  const params = { id: (await deadDelivery()).id }
  await caller.call(skipEvent, { params })
  return { params }
}
const decision = {
  makes: ['update events'],
  prepare: deadDelivery,
  input: ({ id }: { id: string }) => ({ params: { id } }),
  look: (caller: Caller, { handler }: { handler: string }) => undelivered(caller, handler),
  shows: () => [],
  errors: { conflict: { input: decided } },
}

export default [
  proof(listUndelivered, {
    prepare: deadDelivery,
    input: ({ handler }) => ({ query: { filter: { handler } } }),
    shows: ({ id, handler }) => ({ events: [{ id, handler, reason: 'failed' }] }),
  }),
  proof(retryEvent, decision),
  proof(skipEvent, decision),
]
