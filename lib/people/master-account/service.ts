import type { Database, Transaction } from '@/db/client'
import { requireMethod, requireUser } from '@/lib/kernel/access'
import { audit } from '@/lib/kernel/audit'
import type { Ctx, CtxUser } from '@/lib/kernel/ctx'
import { AppError, type FieldError, notFound } from '@/lib/kernel/errors'
import {
  contractorRoleIds,
  insertContractorRoles,
  isMasterOf,
  isMember,
  linkContractor,
  openOrganizations,
  type RoleInOrganization,
  rolesBeyond,
} from './queries'

/** Contractor roles as forms write them: by organization. */
export type ContractorAccess = { organizationId: string; roles: string[] }

/** Whether one of these users is in the contractor. */
export const isInContractor = isMember

/**
 * Narrows to whoever may decide for this contractor: holds masterAccountAccess for it by a contractor role, or
 * platform-wide by a systemic one (decisions.md section 2). Throws 401, 403, 404 for a contractor that isn't theirs.
 */
export async function requireMasterOf(
  ctx: Ctx,
  contractorId: string,
): Promise<Ctx & { user: CtxUser; session: { id: string } }> {
  requireUser(ctx)
  requireMethod(ctx, 'masterAccountAccess')
  if (!(await isMasterOf(ctx.user.id, contractorId))) throw notFound()
  return ctx
}

/**
 * What of this access may be given for the contractor: contractor roles alone, and only in its available
 * organizations. Throws 404 without the contractor, 400 by field, 403 forbiddenRole for a role that carries a method
 * which the granter lacks (decisions.md section 3).
 */
export async function grantable(
  tx: Transaction | Database,
  granterId: string,
  contractorId: string,
  access: ContractorAccess[],
): Promise<RoleInOrganization[]> {
  const open = await openOrganizations(contractorId, tx)
  if (!open) throw notFound()
  const errorList: FieldError[] = []
  if (access.length === 0) errorList.push({ field: 'access', code: 'errorEmpty' })
  const wanted = [...new Set(access.flatMap(({ roles }) => roles))]
  const known = await contractorRoleIds(wanted, tx)
  access.forEach(({ organizationId, roles }, at) => {
    if (!open.includes(organizationId))
      errorList.push({ field: `access.${at}.organizationId`, code: 'errorOrganization' })
    if (roles.length === 0) errorList.push({ field: `access.${at}.roles`, code: 'errorEmpty' })
    else if (!roles.every((id) => known.includes(id)))
      errorList.push({ field: `access.${at}.roles`, code: 'errorRole' })
  })
  if (errorList.length > 0) throw new AppError(400, undefined, { errorList })
  const beyond = await rolesBeyond(granterId, contractorId, wanted, tx)
  if (beyond.length > 0) {
    const refused = access.flatMap(({ roles }, at): FieldError[] =>
      roles.some((id) => beyond.includes(id)) ? [{ field: `access.${at}.roles`, code: 'forbiddenRole' }] : [],
    )
    throw new AppError(403, 'forbiddenRole', { errorList: refused })
  }
  const pairs = new Map(
    access.flatMap(({ organizationId, roles }) =>
      roles.map((roleId) => [`${organizationId} ${roleId}`, { organizationId, roleId }] as const),
    ),
  )
  return [...pairs.values()]
}

/** Puts a user into a contractor with these roles, and writes what was new of it into the history. */
export async function joinContractor(
  tx: Transaction,
  ctx: Ctx,
  {
    userId,
    contractorId,
    roles,
    changerId,
  }: { userId: string; contractorId: string; roles: RoleInOrganization[]; changerId?: string | null },
) {
  const joined = await linkContractor(tx, userId, contractorId, ctx.now())
  const given = await insertContractorRoles(tx, userId, contractorId, roles)
  const changes = {
    ...(joined ? { contractors: { current: [contractorId] } } : {}),
    ...(given.length > 0 ? { contractorRoles: { current: given.map((role) => ({ contractorId, ...role })) } } : {}),
  }
  await audit(tx, ctx, { type: 'update', entity: 'users', entityId: userId, changes, changerId })
}
