import { type Database, db, type Transaction } from '@/db/client'
import { keepingAdministrator } from '@/lib/access/rights/last-administrator'
import { refreshRights, requireAssignable } from '@/lib/access/rights/service'
import { type Holding, roleEntity } from '@/lib/access/roles/entity'
import { audit, auditMany } from '@/lib/base/audit/audit'
import { requireMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { emit } from '@/lib/base/events/events'
import { AppError, fieldError } from '@/lib/base/runtime/errors'
import { lockAdministered, requireAccount } from '../users/administer'
import { userEntity } from '../users/entity'
import { touchAccounts } from '../users/own'
import type * as calls from './contract'
import {
  deleteHolder,
  insertHolders,
  type RolePlace,
  selectMembers,
  selectPlace,
  selectRoleOf,
  selectRolesOf,
  shareRole,
} from './queries'
import { placeOf } from './service'

/** A role with the place in which somebody holds it. */
export type PlacedRole = RolePlace & { roleId: string }

const keyOf = ({ roleId, organizationId, contractorId }: PlacedRole) => `${roleId} ${organizationId} ${contractorId}`
const except = (roles: readonly PlacedRole[], excludedRoles: readonly PlacedRole[]) =>
  roles.filter((role) => !excludedRoles.some((excluded) => keyOf(excluded) === keyOf(role)))

type RolesByUser = Awaited<ReturnType<typeof selectRolesOf>>
const placedRoles = (roles: ReturnType<RolesByUser['get']>): PlacedRole[] => [
  ...(roles?.roles ?? []).map((roleId) => ({ roleId, organizationId: null, contractorId: null })),
  ...(roles?.organizationRoles ?? []).map((role) => ({ ...role, contractorId: null })),
  ...(roles?.contractorRoles ?? []),
]

/** Returns the roles that a person holds, each with its place. */
const placedRolesOf = async (tx: Transaction, userId: string) =>
  placedRoles((await selectRolesOf(tx, [userId])).get(userId))

/** Returns a function that tells whether one of these people holds all of some roles, each in its place. */
export async function rolesHeldBy(tx: Database | Transaction, userIds: readonly string[]) {
  const rolesByUser = await selectRolesOf(tx, [...userIds])
  return (userId: string, roles: readonly PlacedRole[]): boolean =>
    except(roles, placedRoles(rolesByUser.get(userId))).length === 0
}

/** Returns the roles that a person holds, in the form of the account's audit events. */
export async function auditedRolesOf(tx: Transaction, userId: string) {
  const roles = (await selectRolesOf(tx, [userId])).get(userId)
  return roles ?? { roles: [], organizationRoles: [], contractorRoles: [] }
}

/** Returns the roles that each of several people holds, in the form of their audit events. */
export const rolesOf = (tx: Transaction, userIds: readonly string[]) => selectRolesOf(tx, [...userIds])

/**
 * Runs `work`. If it throws a fault of a place, such as `organizationId`, throws it as one below a field of the body,
 * such as `roles.0.organizationId`.
 */
async function withFieldPrefix<T>(field: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const faults = error instanceof AppError && error.status === 400 ? error.data.errorList : undefined
    const [fault] = (faults ?? []) as { field: string; code: string }[]
    throw fault ? fieldError(`${field}.${fault.field}`, fault.code) : error
  }
}

type RoleChange = {
  give: readonly (PlacedRole & { field: string })[]
  take: readonly PlacedRole[]
  updatedAt?: string | undefined
  /**
   * The whole set of roles that the person should hold afterwards. A further one that the person holds, and that the
   * caller hasn't seen, is answered by 409.
   */
  only?: readonly PlacedRole[]
}

/**
 * Gives roles to a person and takes others away. Call it first in the transaction, and inside `keepingAdministrator` if
 * it takes any. The caller must hold the methods of these roles and those of the person. Returns a function to run
 * after the commit; undefined if nothing changes. Throws 404, 400 by field, 403 forbiddenRole and forbiddenUser, 409
 * (docs/rules/people.md#administration-of-users).
 */
async function changeRolesOf(tx: Transaction, ctx: Ctx, userId: string, change: RoleChange) {
  const { give, take, only, updatedAt } = change
  await requireAccount(tx, userId)
  const changedRoles = [...give, ...take]
  const roles = new Map<string, NonNullable<Awaited<ReturnType<typeof selectRoleOf>>>>()
  // roles, then places, then the person: every change of one of them locks them in this order
  for (const roleId of [...new Set(changedRoles.map((placed) => placed.roleId))].sort()) {
    await shareRole(tx, roleId)
    const role = await selectRoleOf(tx, roleId)
    const field = give.find((placed) => placed.roleId === roleId)?.field
    if (!role) throw field === undefined ? new AppError(409) : fieldError(`${field}.roleId`, 'errorRole')
    roles.set(roleId, role)
  }
  const roleOf = ({ roleId }: PlacedRole) => roles.get(roleId) as NonNullable<ReturnType<typeof roles.get>>
  for (const { field, organizationId, contractorId, ...placed } of give) {
    const place = {
      ...(organizationId ? { organizationId } : {}),
      ...(contractorId ? { contractorId } : {}),
    }
    await withFieldPrefix(field, () => placeOf(tx, roleOf({ ...placed, organizationId, contractorId }).roleType, place))
  }
  for (const placed of take) await selectPlace(tx, placed)
  await lockAdministered(tx, ctx, userId, updatedAt)
  for (const { roleId, contractorId } of changedRoles)
    await requireAssignable(tx, ctx, { roles: [roleId], contractor: contractorId }, 'forbiddenRole')
  for (const { contractorId, field } of give) {
    const isMember = !contractorId || (await selectMembers(tx, contractorId, [userId])).has(userId)
    if (!isMember) throw fieldError(`${field}.contractorId`, 'errorRoleMember')
  }
  const rolesBefore = (await selectRolesOf(tx, [userId])).get(userId) ?? null
  if (only && except(await placedRolesOf(tx, userId), [...only, ...take]).length > 0) throw new AppError(409)
  const changes: { role: NonNullable<Awaited<ReturnType<typeof selectRoleOf>>>; given: boolean }[] = []
  for (const [placedRolesToWrite, isGiven] of [
    [take, false],
    [give, true],
  ] as const)
    for (const placedRole of placedRolesToWrite) {
      const { roleId, organizationId, contractorId } = placedRole
      const isChanged = isGiven
        ? (await insertHolders(tx, roleId, [userId], placedRole)).size > 0
        : await deleteHolder(tx, roleId, userId, placedRole)
      if (!isChanged) continue
      const holding: Holding = {
        userId,
        ...(organizationId ? { organizationId } : {}),
        ...(contractorId ? { contractorId } : {}),
      }
      const [holdersBefore, holdersAfter] = isGiven ? [[], [holding]] : [[holding], []]
      await audit(tx, ctx, roleEntity, roleId, { holders: holdersBefore }, { holders: holdersAfter })
      changes.push({ role: roleOf(placedRole), given: isGiven })
    }
  if (changes.length === 0) return undefined
  await audit(tx, ctx, userEntity, userId, rolesBefore, (await selectRolesOf(tx, [userId])).get(userId) ?? null)
  await touchAccounts(tx, [userId])
  const afterCommit = [await refreshRights(tx, ctx, { people: [userId] })]
  if (userId !== ctx.user?.id)
    for (const { role, given: isGiven } of changes)
      afterCommit.push(
        await emit(tx, ctx, 'roleHolders', { userIds: [userId], given: isGiven, role: role.name, roleEn: role.nameEn }),
      )
  return async () => {
    for (const each of afterCommit) await each()
  }
}

/**
 * Gives roles to an account in a transaction, for rows of an import. Returns a function to run after the commit;
 * undefined if the account holds all of them. Throws as `changeRolesOf`, with the field `roles.<index>`.
 */
export const giveRolesIn = (tx: Transaction, ctx: Ctx, userId: string, roles: readonly PlacedRole[]) =>
  changeRolesOf(tx, ctx, userId, { give: roles.map((role, index) => ({ ...role, field: `roles.${index}` })), take: [] })

/**
 * Gives roles to an account and takes others away in a transaction, inside `keepingAdministrator`. Returns and throws
 * as `giveRolesIn`.
 */
export const exchangeRolesIn = (
  tx: Transaction,
  ctx: Ctx,
  userId: string,
  { give, take }: { give: readonly PlacedRole[]; take: readonly PlacedRole[] },
) => changeRolesOf(tx, ctx, userId, { give: give.map((role, index) => ({ ...role, field: `roles.${index}` })), take })

/** Replaces the roles of an account. Needs users.write. Throws as `changeRolesOf`, and 409 lastAdministrator. */
export async function setUserRoles(ctx: Ctx, { params: { id }, body }: ServiceInput<typeof calls.setUserRoles>) {
  requireMethod(ctx, 'users.write')
  const newRoles = body.roles.map(({ roleId, organizationId = null, contractorId = null }, index) => ({
    ...{ roleId, organizationId, contractorId },
    field: `roles.${index}`,
  }))
  const afterCommit = await db().transaction((tx) =>
    keepingAdministrator(tx, async () => {
      const heldRoles = await placedRolesOf(tx, id)
      const added = except(newRoles, heldRoles) as typeof newRoles
      return changeRolesOf(tx, ctx, id, {
        give: added,
        take: except(heldRoles, newRoles),
        only: newRoles,
        updatedAt: body.updatedAt,
      })
    }),
  )
  await afterCommit?.()
  return {}
}

/** Gives a role to an account or takes it away, for actions on several accounts. Throws as `setUserRoles`, and 404. */
export async function switchUserRole(ctx: Ctx, userId: string, role: PlacedRole, isGiven: boolean) {
  requireMethod(ctx, 'users.write')
  const change = isGiven ? { give: [{ ...role, field: 'role' }], take: [] } : { give: [], take: [role] }
  const afterCommit = await db().transaction((tx) =>
    keepingAdministrator(tx, () => changeRolesOf(tx, ctx, userId, change)),
  )
  await afterCommit?.()
}

/**
 * Returns a function that tells whether the caller may give a role in its place: the role and the place exist, and the
 * caller holds the methods of the role. The answers stay true until the transaction ends. Whether people belong to the
 * contractor isn't checked.
 */
export async function assignableCheck(
  tx: Transaction,
  ctx: Ctx,
  roles: readonly PlacedRole[],
): Promise<(placed: PlacedRole) => boolean> {
  const distinctRoles = [...new Map(roles.map((placed) => [keyOf(placed), placed])).values()]
  const assignableKeys = new Set<string>()
  const roleTypes = new Map<string, string>()
  for (const roleId of [...new Set(distinctRoles.map((placed) => placed.roleId))].sort()) {
    await shareRole(tx, roleId)
    const role = await selectRoleOf(tx, roleId)
    if (role) roleTypes.set(roleId, role.roleType)
  }
  for (const placed of distinctRoles.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))) {
    const { roleId, organizationId, contractorId } = placed
    const roleType = roleTypes.get(roleId)
    if (!roleType) continue
    const place = { ...(organizationId ? { organizationId } : {}), ...(contractorId ? { contractorId } : {}) }
    try {
      await placeOf(tx, roleType, place)
      await requireAssignable(tx, ctx, { roles: [roleId], contractor: contractorId }, 'forbiddenRole')
      assignableKeys.add(keyOf(placed))
    } catch (error) {
      if (!(error instanceof AppError)) throw error
    }
  }
  return (placed) => assignableKeys.has(keyOf(placed))
}

/**
 * Gives roles to accounts that the transaction has created, in few statements, with the same result as `giveRolesIn`
 * for each. Check the roles with `assignableCheck` before, and that each account belongs to the contractors of its
 * roles. Returns functions to run after the commit.
 */
export async function giveRolesInBatch(
  tx: Transaction,
  ctx: Ctx,
  accounts: readonly { userId: string; roles: readonly PlacedRole[] }[],
): Promise<(() => Promise<void>)[]> {
  const people = accounts.filter(({ roles }) => roles.length > 0)
  if (people.length === 0) return []
  const ids = people.map(({ userId }) => userId)
  const rolesBefore = await selectRolesOf(tx, ids)
  const assignments = people.flatMap(({ userId, roles }) => roles.map((held) => ({ userId, held })))
  const afterCommit: (() => Promise<void>)[] = []
  for (const [, group] of Map.groupBy(assignments, ({ held }) => keyOf(held))) {
    const [{ held } = { held: null }] = group
    if (!held) continue
    const { roleId, organizationId, contractorId } = held
    const newHolders = await insertHolders(tx, roleId, [...new Set(group.map(({ userId }) => userId))], held)
    const place = { ...(organizationId ? { organizationId } : {}), ...(contractorId ? { contractorId } : {}) }
    await auditMany(
      tx,
      ctx,
      roleEntity,
      [...newHolders].map((userId) => ({
        id: roleId,
        before: { holders: [] },
        after: { holders: [{ userId, ...place }] },
      })),
    )
    const role = await selectRoleOf(tx, roleId)
    if (role && newHolders.size > 0)
      afterCommit.push(
        await emit(tx, ctx, 'roleHolders', {
          userIds: [...newHolders],
          given: true,
          role: role.name,
          roleEn: role.nameEn,
        }),
      )
  }
  const rolesAfter = await selectRolesOf(tx, ids)
  await auditMany(
    tx,
    ctx,
    userEntity,
    ids.flatMap((id) => {
      const [userBefore, userAfter] = [rolesBefore.get(id), rolesAfter.get(id)]
      return userBefore && userAfter ? [{ id, before: userBefore, after: userAfter }] : []
    }),
  )
  return afterCommit
}
