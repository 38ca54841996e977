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
  isManagerOf,
  isMember,
  linkContractor,
  lockMember,
  lockMembershipRows as lockRows,
  type RoleInOrganization,
  selectAvailable,
  selectAvailableIds,
  selectContractorRoleIds,
  selectLoss,
  selectManaged,
  selectMembership,
  selectMembersOf,
  selectRequestRecipients,
  selectUnassignableRoles,
} from './queries'

/** Returns the contractors that a person manages (docs/rules/access.md#granting). */
export const managedBy = (userId: string, tx?: Transaction): Promise<ManagedContractors> => selectManaged(userId, tx)

/**
 * Returns the recipients of notifications of requests for companies with these inns: these accounts, and the companies'
 * managers.
 */
export const requestRecipients = (tx: Transaction, userIds: readonly string[], inns: readonly string[]) =>
  selectRequestRecipients(tx, userIds, inns)

/**
 * Returns whether an account may invite to this contractor now, for a job without a caller: `gone` if the account is
 * disabled or no longer exists, `stranger` if it doesn't manage the contractor.
 */
export async function maySendInvitations(tx: Transaction, userId: string, contractorId: string) {
  if (!(await isEnabled(tx, userId))) return 'gone'
  return (await isManagerOf(userId, contractorId, tx)) ? 'yes' : 'stranger'
}

/** Contractor roles as forms send them: by organization. */
export type ContractorAccess = { organizationId: string; roles: string[] }

/** Returns those of these roles that a user may not give for a contractor, because they lack a method of them. */
export const unassignableRoles = (userId: string, contractorId: string, roleIds: string[]) =>
  selectUnassignableRoles(userId, contractorId, roleIds)

/**
 * Returns what leaving a contractor takes from a person: null if they don't belong to it, else how many roles, whether
 * they stop managing it, whether another enabled person of it does, and how many of their invitations to it are open.
 */
export const lostByLeaving = selectLoss

/**
 * Locks these roles, this contractor and these organizations against changes until the transaction ends, so that what
 * may be given there stays the same until then. Call it before people are locked. Returns the contractor; null if there
 * is none.
 */
export const lockMembershipRows = lockRows

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
  if (!(await isManagerOf(ctx.user.id, contractorId))) throw notFound()
  return ctx
}

/**
 * Checks that this access may be given for the contractor: only contractor roles, and only in its available
 * organizations. Returns the pairs of role and organization, each once. `heldPairs` are pairs that the person holds
 * already: they may stay whatever they are, and aren't checked. Throws 404 for an unknown contractor, 400 by field, and
 * 403 forbiddenRole for a role with a method that the granter lacks (docs/rules/access.md#granting).
 */
export async function assignableRoles(
  tx: Transaction | Database,
  granterId: string,
  contractorId: string,
  access: ContractorAccess[],
  heldPairs?: readonly RoleInOrganization[],
): Promise<RoleInOrganization[]> {
  const isHeld = (organizationId: string, roleId: string) =>
    heldPairs?.some((pair) => pair.organizationId === organizationId && pair.roleId === roleId) === true
  const availableIds = await selectAvailableIds(contractorId, tx)
  if (!availableIds) throw notFound()
  const errorList: FieldError[] = []
  if (access.length === 0 && !heldPairs) errorList.push({ field: 'access', code: 'errorEmpty' })
  const addedRoles = access.map(({ organizationId, roles }) => roles.filter((id) => !isHeld(organizationId, id)))
  const addedRoleIds = [...new Set(addedRoles.flat())]
  const contractorRoleIds = await selectContractorRoleIds(addedRoleIds, tx)
  access.forEach(({ organizationId, roles }, index) => {
    const addedHere = addedRoles[index] ?? []
    if ((!heldPairs || addedHere.length > 0) && !availableIds.includes(organizationId))
      errorList.push({ field: `access.${index}.organizationId`, code: 'errorOrganization' })
    if (roles.length === 0 && !heldPairs) errorList.push({ field: `access.${index}.roles`, code: 'errorEmpty' })
    else if (!addedHere.every((id) => contractorRoleIds.includes(id)))
      errorList.push({ field: `access.${index}.roles`, code: 'errorRole' })
  })
  if (errorList.length > 0) throw new AppError(400, undefined, { errorList })
  const unassignable = await selectUnassignableRoles(granterId, contractorId, addedRoleIds, tx)
  if (unassignable.length > 0) {
    const refusals = addedRoles.flatMap((roles, index): FieldError[] =>
      roles.some((id) => unassignable.includes(id)) ? [{ field: `access.${index}.roles`, code: 'forbiddenRole' }] : [],
    )
    throw new AppError(403, 'forbiddenRole', { errorList: refusals })
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
 * Returns whether a manager may change what this person holds. They may not if the person holds a method that the
 * manager lacks; a manager of only some contractors also may not if the person holds a systemic role besides `user`.
 * With a contractor, only the methods for that one count (docs/rules/access.md#granting).
 */
export async function mayEdit(
  database: Transaction | Database,
  ctx: Ctx,
  managed: ManagedContractors,
  userId: string,
  contractorId: string | null = null,
): Promise<boolean> {
  const rights = { people: [userId], contractor: contractorId }
  if ((await methodsNotHeld(database, ctx, rights, 1)).length > 0) return false
  return managed.all || !(await holdsSystemicRole(database, userId))
}

/** Requires what `mayEdit` returns. Throws 403 forbiddenUser. */
export async function requireEditable(...args: Parameters<typeof mayEdit>): Promise<void> {
  if (!(await mayEdit(...args))) throw new AppError(403, 'forbiddenUser')
}
