import { db, type Transaction } from '@/db/client'
import type { deliveryState } from '@/db/schema/operations'
import { requireMethod } from '@/lib/kernel/access'
import { invalidate } from '@/lib/kernel/cache'
import type { Ctx } from '@/lib/kernel/ctx'
import { type Stream, scheduleDelivery } from '@/lib/kernel/delivery/store'
import { AppError, notFound } from '@/lib/kernel/errors'
import type { VerbInput } from '@/lib/kernel/http/contract'
import { record } from '@/lib/kernel/record/record'
import type { listUndelivered, retryEvent, skipEvent } from './contract'
import { eventEntity } from './entity'
import { reviveDelivery, skipDelivery, undeliveredPage } from './queries'

/** Events that somebody did not get, without what they say. Needs monitoring.read. */
export async function undeliveredList(ctx: Ctx, { query }: VerbInput<typeof listUndelivered>) {
  requireMethod(ctx, 'monitoring.read')
  const { rows, meta } = await undeliveredPage(query, ctx.user?.pagination ?? null)
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
  stream?: Stream | undefined
}

/** Decides on one delivery, records that, and has its stream looked at. Throws 404, 409 when there is no decision left. */
const deciding = (ctx: Ctx, id: string, current: Decided, work: (tx: Transaction) => Promise<Decision>) =>
  db().transaction(async (tx) => {
    const { before, stream } = await work(tx)
    if (!before) throw notFound()
    if (!stream) throw new AppError(409)
    await scheduleDelivery(tx, stream)
    // the number in the menu counts what nobody has decided on
    await invalidate(tx, 'overview')
    await record(tx, ctx, eventEntity, id, { state: before.state }, { state: current })
  })

/**
 * Delivers an event that was given up anew, with all its tries, and then what waits behind it. Needs monitoring.write.
 * Throws 404, 409 when it wasn't given up or somebody has decided already.
 */
export async function retryUndelivered(ctx: Ctx, { params: { id } }: VerbInput<typeof retryEvent>) {
  requireMethod(ctx, 'monitoring.write')
  await deciding(ctx, id, 'waiting', (tx) => reviveDelivery(tx, id))
  return {}
}

/**
 * Gives an event up for good; what waits behind it is delivered. Needs monitoring.write. Throws 404, 409 unless it was
 * given up or waits for a handler that nobody knows.
 */
export async function skipUndelivered(ctx: Ctx, { params: { id } }: VerbInput<typeof skipEvent>) {
  requireMethod(ctx, 'monitoring.write')
  await deciding(ctx, id, 'skipped', (tx) => skipDelivery(tx, id))
  return {}
}
