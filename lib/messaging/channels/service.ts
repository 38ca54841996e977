import { audit } from '@/lib/base/audit/audit'
import { changing, requireUnchanged } from '@/lib/base/audit/change'
import { cached } from '@/lib/base/cache/cache'
import { requireMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { smsReady } from '@/lib/base/mail-and-sms/transports'
import { type ChannelId, channelIds } from '../subscription-kinds'
import type * as calls from './contract'
import { notifyMethodEntity } from './entity'
import { notifyMethodRows, selectMethods } from './queries'

/** The name of the cache that a change of the channels invalidates. */
const cache = 'notify-methods'

/** Returns the channels that an administrator has switched off (docs/rules/profile.md#subscriptions). */
export const channelsOff = (): Promise<ReadonlySet<ChannelId>> =>
  cached(cache, async () => {
    const rows = await selectMethods()
    return new Set(channelIds.filter((channel) => rows.some(({ id, enabled }) => id === channel && !enabled)))
  })

/** Returns the channels, and whether each is enabled. Needs settings.read. */
export async function listNotifyMethods(ctx: Ctx) {
  requireMethod(ctx, 'settings.read')
  const rows = await selectMethods()
  const subscribesChannels = channelIds.flatMap((id) =>
    rows
      .filter((row) => row.id === id)
      .map(({ enabled, updatedAt }) => ({
        id,
        enabled,
        active: id !== 'sms' || smsReady(),
        updatedAt: updatedAt.toISOString(),
      })),
  )
  return { subscribesChannels }
}

/**
 * Enables or disables a channel for everybody, at once. Needs settings.write. Throws 404, and 409 if somebody has
 * switched it since `updatedAt`.
 */
export async function enableNotifyMethod(
  ctx: Ctx,
  { params: { id }, body: { enabled, updatedAt } }: ServiceInput<typeof calls.enableNotifyMethod>,
) {
  requireMethod(ctx, 'settings.write')
  await changing(cache, async (tx) => {
    const before = requireUnchanged(await notifyMethodRows.lock(tx, id), updatedAt)
    if (!(await audit(tx, ctx, notifyMethodEntity, id, { enabled: before.enabled }, { enabled }))) return
    await notifyMethodRows.update(tx, id, { enabled })
  })
  return {}
}
