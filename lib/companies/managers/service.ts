import type { Database, Transaction } from '@/db/client'
import type { ManagedContractors } from '@/db/held-roles'
import { methodsNotHeld } from '@/lib/access/rights/service'
import { userEntity } from '@/lib/accounts/users/entity'
import { audit } from '@/lib/base/audit/audit'
import { requireMethod, requireUser } from '@/lib/base/context/access'
import type { Ctx, CtxUser } from '@/lib/base/context/ctx'
import { AppError, type FieldError, notFound } from '@/lib/base/runtime/errors'
import {
  holdsSystemicRole,
  insertContractorRoles,
  isEnabled,
  isMasterOf,
  isMember,
  keepPlaces as keepPlacesAsTheyAre,
  linkContractor,
  lockMember,
  type RoleInOrganization,
  selectAvailable,
  selectContractorRoleIds,
  selectLeaving,
  selectListeners,
  selectManaged,
  selectMembership,
  selectMembersOf,
  selectOpenOrganizations,
  selectRolesBeyond,
} from './queries'

/** Returns what a person manages (docs/rules/access.md#granting). */
export const managedBy = (userId: string, tx?: Transaction): Promise<ManagedContractors> => selectManaged(userId, tx)

/** Returns who hears of requests for companies with these numbers: these accounts, and the companies' managers. */
export const whoDecides = (tx: Transaction, userIds: readonly string[], inns: readonly string[]) =>
  selectListeners(tx, userIds, inns)

/**
 * Returns whether an account may invite to this contractor now, in a job, where no request has asked: `gone` if it is
 * disabled, `stranger` if it doesn't manage the contractor.
 */
export async function maySendInvitations(tx: Transaction, userId: string, contractorId: string) {
  if (!(await isEnabled(tx, userId))) return 'gone'
  return (await isMasterOf(userId, contractorId, tx)) ? 'yes' : 'stranger'
}

/** Contractor roles as forms send them: by organization. */
export type ContractorAccess = { organizationId: string; roles: string[] }

/** Returns those of these roles that a user may not give for a contractor, because they lack a method of them. */
export const rolesWithMore = (userId: string, contractorId: string, roleIds: string[]) =>
  selectRolesBeyond(userId, contractorId, roleIds)

/**
 * Returns what leaving a contractor takes from a person: null if they don't belong to it, else how many roles, whether
 * they stop managing it, whether another enabled person of it does, and how many of their invitations to it are open.
 */
export const lostByLeaving = selectLeaving

/**
 * Keeps these roles, this contractor and these organizations as they are until the transaction ends, so that what may be
 * given there stays true until it is given. Call it before people are locked. Returns the contractor; null if there is
 * none.
 */
export const keepPlaces = keepPlacesAsTheyAre

/** Returns the enabled organizations in which people of these contractors may hold roles, with names in a language. */
export const availableOrganizations = selectAvailable

/** Returns whether one of these users is in the contractor. */
export const isInContractor = isMember

/** Returns which of these users are in which of these contractors, as `user contractor`. */
export const membersOf = selectMembersOf

/**
 * Requires that the caller may decide for this contractor: that they hold masterAccountAccess for it by a contractor
 * role, or platform-wide by a systemic role (docs/rules/access.md#granting). Throws 401, 403, and 404 for a contractor
 * for which they may not decide.
 */
export async function requireManagerOf(
  ctx: Ctx,
  contractorId: string,
): Promise<Ctx & { user: CtxUser; session: { id: string } }> {
  requireUser(ctx)
  requireMethod(ctx, 'masterAccountAccess')
  if (!(await isMasterOf(ctx.user.id, contractorId))) throw notFound()
  return ctx
}

/**
 * Checks that this access may be granted for the contractor: only contractor roles, and only in its available
 * organizations. Returns the pairs of role and organization, each once. `held` are pairs that the person holds already:
 * they may stay whatever they are, and nothing is asked for. Throws 404 for an unknown contractor, 400 by field, and 403
 * forbiddenRole for a role with a method that the granter lacks (docs/rules/access.md#granting).
 */
export async function assignableRoles(
  tx: Transaction | Database,
  granterId: string,
  contractorId: string,
  access: ContractorAccess[],
  held?: readonly RoleInOrganization[],
): Promise<RoleInOrganization[]> {
  const isHeld = (organizationId: string, roleId: string) =>
    held?.some((pair) => pair.organizationId === organizationId && pair.roleId === roleId) === true
  const open = await selectOpenOrganizations(contractorId, tx)
  if (!open) throw notFound()
  const errorList: FieldError[] = []
  if (access.length === 0 && !held) errorList.push({ field: 'access', code: 'errorEmpty' })
  const added = access.map(({ organizationId, roles }) => roles.filter((id) => !isHeld(organizationId, id)))
  const wanted = [...new Set(added.flat())]
  const known = await selectContractorRoleIds(wanted, tx)
  access.forEach(({ organizationId, roles }, at) => {
    const asked = added[at] ?? []
    if ((!held || asked.length > 0) && !open.includes(organizationId))
      errorList.push({ field: `access.${at}.organizationId`, code: 'errorOrganization' })
    if (roles.length === 0 && !held) errorList.push({ field: `access.${at}.roles`, code: 'errorEmpty' })
    else if (!asked.every((id) => known.includes(id)))
      errorList.push({ field: `access.${at}.roles`, code: 'errorRole' })
  })
  if (errorList.length > 0) throw new AppError(400, undefined, { errorList })
  const beyond = await selectRolesBeyond(granterId, contractorId, wanted, tx)
  if (beyond.length > 0) {
    const refused = added.flatMap((roles, at): FieldError[] =>
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

/** Adds a user to a contractor with these roles, and records all their contractors and contractor roles. */
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
  await lockMember(tx, userId)
  const before = await selectMembership(tx, userId)
  await linkContractor(tx, userId, contractorId, ctx.now())
  await insertContractorRoles(tx, userId, contractorId, roles)
  await audit(tx, ctx, userEntity, userId, before, await selectMembership(tx, userId), { changerId })
}

/**
 * Returns whether a manager may change what this person holds: not if the person holds a method that the manager lacks,
 * and for whoever manages only some contractors also not if the person holds a systemic role besides `user`. With a
 * contractor the change is about that one alone (docs/rules/access.md#granting).
 */
export async function mayEdit(
  run: Transaction | Database,
  ctx: Ctx,
  managed: ManagedContractors,
  userId: string,
  contractorId: string | null = null,
): Promise<boolean> {
  const rights = { people: [userId], contractor: contractorId }
  if ((await methodsNotHeld(run, ctx, rights, 1)).length > 0) return false
  return managed.all || !(await holdsSystemicRole(run, userId))
}

/** Requires what `mayEdit` returns. Throws 403 forbiddenUser. */
export async function requireEditable(...of: Parameters<typeof mayEdit>): Promise<void> {
  if (!(await mayEdit(...of))) throw new AppError(403, 'forbiddenUser')
}
