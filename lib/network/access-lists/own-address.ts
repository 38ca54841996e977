import type { Transaction } from '@/db/client'
import type { Ctx } from '@/lib/base/context/ctx'
import { env } from '@/lib/base/runtime/env'
import { AppError } from '@/lib/base/runtime/errors'
import { settingsIn } from '@/lib/site/settings/service'
import { type AccessRules, deniedBy, isMisread, shutOutAt } from './lockout'
import { lockRules, selectEnabledEntries, selectSubnets } from './queries'
import { compileLists } from './verdict'

/** Returns the rules as this transaction sees them. */
export async function rulesIn(tx: Transaction): Promise<AccessRules> {
  const { whitelistMode, reverseProxy } = await settingsIn(tx)
  const proxies = reverseProxy.length > 0 ? await selectSubnets(tx, reverseProxy) : []
  const lists = compileLists(await selectEnabledEntries(tx))
  return { lists, whitelistMode, proxies: [...env().REVERSE_PROXY, ...proxies] }
}

/**
 * Runs a change that decides which addresses are allowed: an entry of the lists, its dates, an alias, whitelistMode,
 * reverseProxy. Call it first in the transaction, before any row is locked. Returns what `change` returns.
 * Such changes run one after another, so that two changes, each harmless by itself, can't shut somebody out.
 * Throws 400 on `field` if the change would shut out the caller (docs/rules/address-lists.md#own-address):
 * ownAddressDenied if it does so at once, ownAddressDeniedLater if from a later `date` (in milliseconds) on, both with
 * the `list` that denies, `proxy` if the caller's address would be another one; and ownAddressMisread if the caller's
 * request would be read as coming from a trusted proxy.
 */
export async function keepingOwnAddress<T>(
  tx: Transaction,
  ctx: Ctx,
  field: string,
  change: () => Promise<T>,
): Promise<T> {
  await lockRules(tx)
  // a command of the shell has no address
  if (!ctx.ip) return change()
  const before = await rulesIn(tx)
  const result = await change()
  const after = await rulesIn(tx)
  const now = ctx.now()
  const deniedFrom = shutOutAt(before, after, ctx, now)
  if (!deniedFrom && isMisread(before, after, ctx))
    throw new AppError(400, 'ownAddressMisread', { errorList: [{ field, code: 'ownAddressMisread' }] })
  if (!deniedFrom) return result
  const code = deniedFrom > now ? 'ownAddressDeniedLater' : 'ownAddressDenied'
  const params = {
    list: deniedBy(before, after, ctx, deniedFrom),
    ...(deniedFrom > now ? { date: deniedFrom.getTime() } : {}),
  }
  throw new AppError(400, code, { errorList: [{ field, code, params }] })
}
