import type { Transaction } from '@/db/client'
import type { Ctx } from '@/lib/kernel/ctx'
import { env } from '@/lib/kernel/env'
import { AppError } from '@/lib/kernel/errors'
import { settingsIn } from '@/lib/platform/settings/service'
import { enabledEntries, lockRules, subnetsOf } from './queries'
import { type AccessRules, shutOutAt } from './shut-out'
import { compileLists } from './verdict'

/** The rules as this transaction sees them. */
export async function rulesIn(tx: Transaction): Promise<AccessRules> {
  const { whitelistMode, reverseProxy } = await settingsIn(tx)
  const proxies = reverseProxy.length > 0 ? await subnetsOf(tx, reverseProxy) : []
  const lists = compileLists(await enabledEntries(tx))
  return { lists, whitelistMode, proxies: [...env().REVERSE_PROXY, ...proxies] }
}

/**
 * Runs a change of what decides who gets in: an entry of the lists, its dates, an alias, whitelistMode, reverseProxy.
 * It comes first in its transaction, before any row is held.
 * Throws 400 on `field` when it would shut out whoever makes it (docs/rules/address-lists.md#own-address):
 * ownAddressDenied at once, ownAddressDeniedLater from the moment that its `date` tells, in milliseconds. Such changes
 * follow one another, so that two which are harmless alone can't do it together.
 */
export async function keepingOwnAddress<T>(
  tx: Transaction,
  ctx: Ctx,
  field: string,
  change: () => Promise<T>,
): Promise<T> {
  await lockRules(tx)
  // a command of the shell comes from no address
  if (!ctx.ip) return change()
  const before = await rulesIn(tx)
  const done = await change()
  const now = ctx.now()
  const at = shutOutAt(before, await rulesIn(tx), ctx, now)
  if (!at) return done
  const code = at > now ? 'ownAddressDeniedLater' : 'ownAddressDenied'
  const fault = at > now ? { field, code, params: { date: at.getTime() } } : { field, code }
  throw new AppError(400, code, { errorList: [fault] })
}
