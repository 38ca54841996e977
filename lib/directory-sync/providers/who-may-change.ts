import { db, type Transaction } from '@/db/client'
import { methodsNotHeld, peopleWithMore, requireAssignable, requireChangeable } from '@/lib/access/rights/service'
import { jointPreparer, preparer } from '@/lib/accounts/users/prepared'
import { holdsMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import { preparerAt } from '@/lib/identity-providers/connections/service'
import { lockSyncs, selectMapped, selectPeopleOf, storeProvider } from './queries'

/**
 * Requires that the caller holds what a provider's people may come to, and what its mappers give: whoever decides where
 * these people come from, or what is read of them, could become any of them. Its mappers stay as they are until the
 * transaction ends. Throws 403 forbiddenUser and forbiddenRole (docs/rules/providers.md#providers).
 */
export async function requireMayChangeProvider(tx: Transaction, ctx: Ctx, providerId: string): Promise<void> {
  await lockSyncs(tx, providerId)
  await requireChangeable(tx, ctx, await selectPeopleOf(tx, providerId))
  const { roles, methods } = await selectMapped(tx, providerId)
  if (roles.length > 0) await requireAssignable(tx, ctx, { roles }, 'forbiddenRole')
  if (methods.length > 0) await requireAssignable(tx, ctx, { methods }, 'forbiddenRole')
}

/** Returns whether a provider and its secret are open to the caller, as `requireMayChangeProvider` asks of whoever changes it. */
export async function mayChangeProvider(ctx: Ctx, providerId: string): Promise<boolean> {
  if (!holdsMethod(ctx, 'providers.write')) return false
  const { roles, methods } = await selectMapped(db(), providerId)
  return (
    (await peopleWithMore(db(), ctx, await selectPeopleOf(db(), providerId))).size === 0 &&
    (roles.length === 0 || (await methodsNotHeld(db(), ctx, { roles }, 1)).length === 0) &&
    (methods.length === 0 || (await methodsNotHeld(db(), ctx, { methods }, 1)).length === 0)
  )
}

/**
 * Takes away that an administrator vouches for a provider, once somebody else has changed where it leads or what becomes
 * of what it says. It has a new version also if nobody vouched for it: an administrator who has read the one before doesn't
 * vouch for this one (docs/rules/providers.md#who-vouches-for-a-provider).
 */
export async function withdrawVouching(tx: Transaction, ctx: Ctx, providerId: string): Promise<void> {
  const who = await preparer(tx, ctx)
  if (!who) return
  const enteredBy = jointPreparer([await preparerAt(tx, providerId), who])
  await storeProvider(tx, providerId, { enteredBy })
}
