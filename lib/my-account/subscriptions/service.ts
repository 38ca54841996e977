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

/** Returns the channels of this installation, and whether this person can be reached by each. */
async function channelsFor(userId: string): Promise<Map<ChannelId, boolean>> {
  const [contacts, disabled] = await Promise.all([selectReach(userId), channelsOff()])
  const active = { email: Boolean(contacts?.email), sms: Boolean(contacts?.mobile), local: true }
  return new Map(
    channelIds.filter((id) => !disabled.has(id) && (id !== 'sms' || smsReady())).map((id) => [id, active[id]]),
  )
}

/** Returns the subscriptions of the signed-in person (docs/rules/profile.md#subscriptions). Throws 401. */
export async function getSubscriptions(ctx: Ctx): Promise<ServiceOutput<typeof calls.getSubscriptions>> {
  requireUser(ctx)
  const [{ choices, updatedAt }, channelStates] = await Promise.all([
    choicesOf(db(), ctx.user.id),
    channelsFor(ctx.user.id),
  ])
  return {
    subscribes: subscriptionIds.map((id) => {
      const { period, channels } = choiceFrom(id, choices)
      return {
        id,
        period,
        availablePeriods: [...subscriptionRules[id].periods],
        channels: channelsOf(id)
          .filter((channel) => channelStates.has(channel) || isLocked(id, channel))
          .map((channel) => ({ id: channel, enabled: channels[channel] === true, locked: isLocked(id, channel) })),
      }
    }),
    subscribesChannels: [...channelStates].map(([id, active]) => ({ id, active })),
    updatedAt: updatedAt?.toISOString() ?? null,
  }
}

type Item = ServiceInput<typeof calls.putSubscriptions>['body']['subscribes'][number]

/** Returns the faults of one item of the list. */
function faultsOf(items: readonly Item[], index: number, stored: StoredChoices, channels: Map<ChannelId, boolean>) {
  const item = items[index]
  if (!item) return []
  const { subscribeId: id, channelId, enabled, period } = item
  const fault = (part: keyof Item, code: string): FieldError => ({ field: `subscribes.${index}.${part}`, code })
  if (!channelsOf(id).includes(channelId) || !channels.has(channelId))
    return [fault('channelId', 'errorSubscribeChannel')]
  const earlier = items.slice(0, index).filter((earlierItem) => earlierItem.subscribeId === id)
  const turnedOn = enabled && choiceFrom(id, stored).channels[channelId] !== true
  return [
    ...(earlier.some((earlierItem) => earlierItem.channelId === channelId)
      ? [fault('channelId', 'errorSubscribeTwice')]
      : []),
    ...(!enabled && isLocked(id, channelId) ? [fault('enabled', 'errorSubscribeLocked')] : []),
    ...(turnedOn && !channels.get(channelId) ? [fault('enabled', 'errorSubscribeContact')] : []),
    ...(!subscriptionRules[id].periods.includes(period) || earlier.some((earlierItem) => earlierItem.period !== period)
      ? [fault('period', 'errorSubscribePeriod')]
      : []),
  ]
}

/** Returns the choices after the change. Choices that another version stored stay. */
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
  const channels = await channelsFor(userId)
  await db().transaction(async (tx) => {
    await lockEnabledAccount(tx, userId)
    const { choices: stored, updatedAt: version, created, store } = await lockedChoices(tx, userId)
    const before = partsOf(stored)
    // null: they were read before the person had chosen anything
    const readVersion = updatedAt === null ? (created ? undefined : new Date(0).toISOString()) : updatedAt
    await requireVersion(tx, ctx, userEntity, {
      own: true,
      id: userId,
      row: version && { ...before, updatedAt: version },
      updatedAt: readVersion,
    })
    const errorList = items.flatMap((_, index) => faultsOf(items, index, stored, channels))
    if (errorList.length > 0) throw new AppError(400, undefined, { errorList })
    const after = withItems(stored, items)
    await store(after)
    await audit(tx, ctx, userEntity, userId, before, partsOf(after))
  })
  return getSubscriptions(ctx)
}
