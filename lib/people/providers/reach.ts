import type { Transaction } from '@/db/client'
import type { Ctx } from '@/lib/kernel/ctx'
import { requireChangeable, requireGrantable } from '@/lib/people/rights/service'
import { lockSyncs, selectMappedRoles, selectPeopleOf } from './queries'

/**
 * Requires that the caller holds what a provider's people may come to, and what its mappers give: whoever decides where these
 * people come from, or what is read of them, could become any of them. Its mappers stay as they are until the transaction
 * ends. Throws 403 forbiddenUser and forbiddenRole (docs/rules/providers.md#providers).
 */
export async function requireReach(tx: Transaction, ctx: Ctx, providerId: string): Promise<void> {
  await lockSyncs(tx, providerId)
  await requireChangeable(tx, ctx, await selectPeopleOf(tx, providerId))
  const roles = await selectMappedRoles(tx, providerId)
  if (roles.length > 0) await requireGrantable(tx, ctx, { roles }, 'forbiddenRole')
}
