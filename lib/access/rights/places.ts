import type { Database, Transaction } from '@/db/client'
import type { Ctx } from '@/lib/base/context/ctx'
import { AppError } from '@/lib/base/runtime/errors'
import { type RolePlaces, selectInvitedRoleIds } from './queries'
import { methodsNotHeld, type Refusal } from './service'

/**
 * Returns whether the caller may give and take the roles that people hold in these places, and those that open
 * invitations give there (docs/rules/access.md#granting).
 */
export async function mayAssignIn(run: Database | Transaction, ctx: Ctx, places: RolePlaces): Promise<boolean> {
  if ((await methodsNotHeld(run, ctx, places, 1)).length > 0) return false
  const roles = await selectInvitedRoleIds(run, places, ctx.now())
  const [contractor, ...otherContractors] = places.contractors ?? []
  const singleContractor = otherContractors.length === 0 ? (contractor ?? null) : null
  return roles.length === 0 || (await methodsNotHeld(run, ctx, { roles, contractor: singleContractor }, 1)).length === 0
}

/** Throws 403 with this code unless `mayAssignIn` returns true. */
export async function requireAssignableIn(tx: Transaction, ctx: Ctx, places: RolePlaces, code: Refusal): Promise<void> {
  if (!(await mayAssignIn(tx, ctx, places))) throw new AppError(403, code)
}
