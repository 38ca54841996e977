import { requireMethod } from '@/lib/kernel/access'
import { changing } from '@/lib/kernel/change'
import type { Ctx } from '@/lib/kernel/ctx'
import type { EnableCall } from '@/lib/kernel/http/area-calls'
import type { VerbInput } from '@/lib/kernel/http/contract'
import { switchEnabled } from '@/lib/kernel/toggle'
import { accessListEntity } from './entity'
import { keepingOwnAddress } from './own-address'
import { entryRows, selectEntries } from './queries'

/** Makes the verb that switches the entries of one list. */
const enabling = (list: 'whitelist' | 'blacklist') => async (ctx: Ctx, input: VerbInput<EnableCall>) => {
  requireMethod(ctx, 'access-lists.write')
  // the compiled lists contain the subnets of aliases, so they are cached under the name of the aliases
  await changing('network-aliases', (tx) =>
    keepingOwnAddress(tx, ctx, 'enabled', () =>
      switchEnabled(tx, ctx, input, { ...entryRows(list), entity: accessListEntity }),
    ),
  )
  return {}
}

/**
 * Switches an entry of the whitelist on or off. Throws 404, 409 if somebody has changed the entry since `updatedAt`,
 * and 400 if the change would shut out the caller.
 */
export const enableWhitelistEntry = enabling('whitelist')
/** The same for the blacklist. */
export const enableBlacklistEntry = enabling('blacklist')

/** Returns the newest 50 entries of both lists. Needs access-lists.read. */
export async function accessListEntries(ctx: Ctx) {
  requireMethod(ctx, 'access-lists.read')
  return (await selectEntries()).map(({ updatedAt, ...entry }) => ({ ...entry, updatedAt: updatedAt.toISOString() }))
}
