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

type NewState = 'waiting' | 'skipped'
type Decision = {
  before: { state: (typeof deliveryState.enumValues)[number] } | undefined
  queue?: DeliveryQueue | undefined
}

/**
 * Decides on one delivery, makes an audit event and schedules its queue. Throws 404, and 409 if somebody has already
 * decided.
 */
const recordDecision = (ctx: Ctx, id: string, newState: NewState, work: (tx: Transaction) => Promise<Decision>) =>
  db().transaction(async (tx) => {
    const { before, queue } = await work(tx)
    if (!before) throw notFound()
    if (!queue) throw new AppError(409)
    await scheduleDelivery(tx, queue)
    // the number in the menu counts deliveries that nobody has decided on
    await invalidate(tx, 'overview')
    await audit(tx, ctx, eventEntity, id, { state: before.state }, { state: newState })
  })

/**
 * Delivers a dead event again, with all its attempts, and then the events behind it in its queue. Needs
 * monitoring.write. Throws 404, and 409 if it isn't dead or somebody has already decided.
 */
export async function retryEvent(ctx: Ctx, { params: { id } }: ServiceInput<typeof calls.retryEvent>) {
  requireMethod(ctx, 'monitoring.write')
  await recordDecision(ctx, id, 'waiting', (tx) => reviveDelivery(tx, id))
  return {}
}

/**
 * Skips an event for ever, so that the events behind it in its queue are delivered. Needs monitoring.write. Throws 404,
 * and 409 unless it is dead or waits for a handler that this version doesn't have.
 */
export async function skipEvent(ctx: Ctx, { params: { id } }: ServiceInput<typeof calls.skipEvent>) {
  requireMethod(ctx, 'monitoring.write')
  await recordDecision(ctx, id, 'skipped', (tx) => skipDelivery(tx, id))
  return {}
}
