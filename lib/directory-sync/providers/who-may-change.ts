import { db, type Transaction } from '@/db/client'
import { methodsNotHeld, peopleWithMore, requireAssignable, requireChangeable } from '@/lib/access/rights/service'
import { jointPreparer, preparer } from '@/lib/accounts/users/prepared'
import { holdsMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import { preparerAt } from '@/lib/identity-providers/connections/service'
import { lockSyncs, providerRows, selectMapped, selectPeopleOf } from './queries'

/**
 * Requires that the caller holds every method of the provider's people and may give every role and method that its
 * mappers give: a person who can change the address of a provider or the mappers could sign in as any of its people.
 * Locks the mappers until the transaction ends. Throws 403 forbiddenUser and forbiddenRole
 * (docs/rules/providers.md#providers).
 */
export async function requireMayChangeProvider(tx: Transaction, ctx: Ctx, providerId: string): Promise<void> {
  await lockSyncs(tx, providerId)
  await requireChangeable(tx, ctx, await selectPeopleOf(tx, providerId))
  const { roles, methods } = await selectMapped(tx, providerId)
  if (roles.length > 0) await requireAssignable(tx, ctx, { roles }, 'forbiddenRole')
  if (methods.length > 0) await requireAssignable(tx, ctx, { methods }, 'forbiddenRole')
}

/**
 * Returns whether the caller may change a provider and read its secret, by the same rule as `requireMayChangeProvider`.
 */
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
 * Ends that an administrator vouches for a provider after another person has changed its address or its mappers. Writes
 * a new version even if nobody vouched for it: an administrator who has read the previous version doesn't vouch for
 * this one (docs/rules/providers.md#who-vouches-for-a-provider).
 */
export async function withdrawVouching(tx: Transaction, ctx: Ctx, providerId: string): Promise<void> {
  const preparerId = await preparer(tx, ctx)
  if (!preparerId) return
  const enteredBy = jointPreparer([await preparerAt(tx, providerId), preparerId])
  await providerRows.update(tx, providerId, { enteredBy })
}
