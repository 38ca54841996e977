import { db, type Transaction } from '@/db/client'
import type { deliveryState } from '@/db/schema/operations'
import { audit } from '@/lib/base/audit/audit'
import { invalidate } from '@/lib/base/cache/cache'
import { requireMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { type DeliveryQueue, scheduleDelivery } from '@/lib/base/events/delivery/store'
import { AppError, notFound } from '@/lib/base/runtime/errors'
import type * as calls from './contract'
import { eventEntity } from './entity'
import { reviveDelivery, selectUndeliveredPage, skipDelivery } from './queries'

/** Returns one page of undelivered events, without their content. Needs monitoring.read. */
export async function listUndelivered(ctx: Ctx, { query }: ServiceInput<typeof calls.listUndelivered>) {
  requireMethod(ctx, 'monitoring.read')
  const { rows, meta } = await selectUndeliveredPage(query, ctx.user?.pagination ?? null)
  const events = rows.map(({ state, date, ...row }) => ({
    ...row,
    reason: state === 'dead' ? ('failed' as const) : ('unknown' as const),
    date: date.toISOString(),
  }))
  return { events, meta }
}

type Decided = 'waiting' | 'skipped'
type Decision = {
  before: { state: (typeof deliveryState.enumValues)[number] } | undefined
  stream?: DeliveryQueue | undefined
}

/** Decides on one delivery, records the decision and wakes its stream. Throws 404, and 409 if it is decided already. */
const deciding = (ctx: Ctx, id: string, current: Decided, work: (tx: Transaction) => Promise<Decision>) =>
  db().transaction(async (tx) => {
    const { before, stream } = await work(tx)
    if (!before) throw notFound()
    if (!stream) throw new AppError(409)
    await scheduleDelivery(tx, stream)
    // the number in the menu counts deliveries that nobody has decided on
    await invalidate(tx, 'overview')
    await audit(tx, ctx, eventEntity, id, { state: before.state }, { state: current })
  })

/**
 * Delivers an event that was given up again, with all its tries, and then the events that wait behind it. Needs
 * monitoring.write. Throws 404, and 409 if it wasn't given up or somebody has decided already.
 */
export async function retryEvent(ctx: Ctx, { params: { id } }: ServiceInput<typeof calls.retryEvent>) {
  requireMethod(ctx, 'monitoring.write')
  await deciding(ctx, id, 'waiting', (tx) => reviveDelivery(tx, id))
  return {}
}

/**
 * Gives an event up for good; the events that wait behind it are delivered. Needs monitoring.write. Throws 404, and 409
 * unless it was given up or waits for a handler that this version doesn't have.
 */
export async function skipEvent(ctx: Ctx, { params: { id } }: ServiceInput<typeof calls.skipEvent>) {
  requireMethod(ctx, 'monitoring.write')
  await deciding(ctx, id, 'skipped', (tx) => skipDelivery(tx, id))
  return {}
}
