import { db } from '@/db/client'
import { userEntity } from '@/lib/accounts/users/entity'
import { lockEnabledAccount } from '@/lib/accounts/users/own'
import { audit } from '@/lib/base/audit/audit'
import { requireVersion } from '@/lib/base/audit/conflict'
import { requireUser } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput, ServiceOutput } from '@/lib/base/contracts/contract'
import { smsReady } from '@/lib/base/mail-and-sms/transports'
import { AppError, type FieldError } from '@/lib/base/runtime/errors'
import { channelsOff } from '@/lib/messaging/channels/service'
import {
  type ChannelId,
  channelIds,
  channelsOf,
  choiceFrom,
  isLocked,
  partsOf,
  type StoredChoices,
  subscriptionIds,
  subscriptionRules,
} from '@/lib/messaging/subscription-kinds'
import { choicesOf, lockedChoices } from '@/lib/messaging/subscriptions/service'
import type * as calls from './contract'
import { selectReach } from './queries'

/** The channels of this installation, and whether this person can be reached by each. */
async function channelsFor(userId: string): Promise<Map<ChannelId, boolean>> {
  const [reach, off] = await Promise.all([selectReach(userId), channelsOff()])
  const active = { email: Boolean(reach?.email), sms: Boolean(reach?.mobile), local: true }
  return new Map(channelIds.filter((id) => !off.has(id) && (id !== 'sms' || smsReady())).map((id) => [id, active[id]]))
}

/** Returns what the signed-in person is told of (docs/rules/profile.md#subscriptions). Throws 401. */
export async function getSubscriptions(ctx: Ctx): Promise<ServiceOutput<typeof calls.getSubscriptions>> {
  requireUser(ctx)
  const [{ choices, updatedAt }, known] = await Promise.all([choicesOf(db(), ctx.user.id), channelsFor(ctx.user.id)])
  return {
    subscribes: subscriptionIds.map((id) => {
      const { period, channels } = choiceFrom(id, choices)
      return {
        id,
        period,
        availablePeriods: [...subscriptionRules[id].periods],
        channels: channelsOf(id)
          .filter((channel) => known.has(channel) || isLocked(id, channel))
          .map((channel) => ({ id: channel, enabled: channels[channel] === true, locked: isLocked(id, channel) })),
      }
    }),
    subscribesChannels: [...known].map(([id, active]) => ({ id, active })),
    updatedAt: updatedAt?.toISOString() ?? null,
  }
}

type Item = ServiceInput<typeof calls.putSubscriptions>['body']['subscribes'][number]

/** Returns what is wrong with the item at a place of the list. */
function faultsOf(items: readonly Item[], at: number, stored: StoredChoices, known: Map<ChannelId, boolean>) {
  const item = items[at]
  if (!item) return []
  const { subscribeId: id, channelId, enabled, period } = item
  const fault = (part: keyof Item, code: string): FieldError => ({ field: `subscribes.${at}.${part}`, code })
  if (!channelsOf(id).includes(channelId) || !known.has(channelId)) return [fault('channelId', 'errorSubscribeChannel')]
  const earlier = items.slice(0, at).filter((one) => one.subscribeId === id)
  const turnedOn = enabled && choiceFrom(id, stored).channels[channelId] !== true
  return [
    ...(earlier.some((one) => one.channelId === channelId) ? [fault('channelId', 'errorSubscribeTwice')] : []),
    ...(!enabled && isLocked(id, channelId) ? [fault('enabled', 'errorSubscribeLocked')] : []),
    ...(turnedOn && !known.get(channelId) ? [fault('enabled', 'errorSubscribeContact')] : []),
    ...(!subscriptionRules[id].periods.includes(period) || earlier.some((one) => one.period !== period)
      ? [fault('period', 'errorSubscribePeriod')]
      : []),
  ]
}

/** What is stored after the change. What another version has stored stays. */
function withItems(stored: StoredChoices, items: readonly Item[]): StoredChoices {
  const after: StoredChoices = { ...stored }
  for (const { subscribeId: id, channelId, enabled, period } of items)
    after[id] = { ...after[id], period, channels: { ...after[id]?.channels, [channelId]: enabled } }
  return after
}

/**
 * Changes channels and periods of the signed-in person's subscriptions, all or none; returns all of them. Throws 401,
 * 400 by item, and 409 if they were saved since they were read.
 */
export async function putSubscriptions(
  ctx: Ctx,
  { body: { updatedAt, subscribes: items } }: ServiceInput<typeof calls.putSubscriptions>,
): Promise<ServiceOutput<typeof calls.putSubscriptions>> {
  requireUser(ctx)
  const userId = ctx.user.id
  const known = await channelsFor(userId)
  await db().transaction(async (tx) => {
    await lockEnabledAccount(tx, userId)
    const { choices: stored, updatedAt: version, created, store } = await lockedChoices(tx, userId)
    const before = partsOf(stored)
    // null: they were read before anybody had chosen
    const read = updatedAt === null ? (created ? undefined : new Date(0).toISOString()) : updatedAt
    await requireVersion(tx, ctx, userEntity, {
      read: 'own',
      id: userId,
      row: version && { ...before, updatedAt: version },
      updatedAt: read,
    })
    const errorList = items.flatMap((_, at) => faultsOf(items, at, stored, known))
    if (errorList.length > 0) throw new AppError(400, undefined, { errorList })
    const after = withItems(stored, items)
    await store(after)
    await audit(tx, ctx, userEntity, userId, before, partsOf(after))
  })
  return getSubscriptions(ctx)
}
