import { requireMethod } from '@/lib/kernel/access'
import { changing } from '@/lib/kernel/change'
import type { Ctx } from '@/lib/kernel/ctx'
import type { EnableCall } from '@/lib/kernel/http/area-calls'
import type { VerbInput } from '@/lib/kernel/http/contract'
import { switchEnabled } from '@/lib/kernel/toggle'
import { accessListEntity } from './entity'
import { keepingOwnAddress } from './own-address'
import { allEntries, entryRows } from './queries'

/** A verb that switches entries of one list. */
const enabling = (list: 'whitelist' | 'blacklist') => async (ctx: Ctx, input: VerbInput<EnableCall>) => {
  requireMethod(ctx, 'access-lists.write')
  // aliases name subnets too: what drops them from the cache drops the lists
  await changing('network-aliases', (tx) =>
    keepingOwnAddress(tx, ctx, 'enabled', () =>
      switchEnabled(tx, ctx, input, { ...entryRows(list), entity: accessListEntity }),
    ),
  )
  return {}
}

/** Throws 404, 409 if somebody changed the entry since `updatedAt`, 400 where it would shut out the caller. */
export const enableInWhitelist = enabling('whitelist')
/** Throws 404, 409 if somebody changed the entry since `updatedAt`, 400 where it would shut out the caller. */
export const enableInBlacklist = enabling('blacklist')

/** The newest 50 entries of both lists. Needs access-lists.read. */
export async function accessListEntries(ctx: Ctx) {
  requireMethod(ctx, 'access-lists.read')
  return (await allEntries()).map(({ updatedAt, ...entry }) => ({ ...entry, updatedAt: updatedAt.toISOString() }))
}
