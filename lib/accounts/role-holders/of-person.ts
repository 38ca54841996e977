import { type Database, db, type Transaction } from '@/db/client'
import { keepingAdministrator } from '@/lib/access/rights/administrators'
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
import { touchAccount } from '../users/own'
import type * as calls from './contract'
import {
  deleteHolder,
  insertHolders,
  type Place,
  selectMembers,
  selectPlace,
  selectRoleOf,
  selectRolesOf,
  shareRole,
} from './queries'
import { placeOf } from './service'

/** A role in the place where somebody holds it. */
export type Held = Place & { roleId: string }

const keyOf = ({ roleId, organizationId, contractorId }: Held) => `${roleId} ${organizationId} ${contractorId}`
const without = (list: readonly Held[], others: readonly Held[]) =>
  list.filter((one) => !others.some((other) => keyOf(other) === keyOf(one)))

type RolesOf = Awaited<ReturnType<typeof selectRolesOf>>
const withPlaces = (held: ReturnType<RolesOf['get']>): Held[] => [
  ...(held?.roles ?? []).map((roleId) => ({ roleId, organizationId: null, contractorId: null })),
  ...(held?.organizationRoles ?? []).map((one) => ({ ...one, contractorId: null })),
  ...(held?.contractorRoles ?? []),
]

/** Returns the roles that a person holds, each with its place. */
const heldBy = async (tx: Transaction, userId: string) => withPlaces((await selectRolesOf(tx, [userId])).get(userId))

/** Returns a function that says whether one of these people holds all of some roles, each in its place. */
export async function rolesHeldBy(tx: Database | Transaction, userIds: readonly string[]) {
  const held = await selectRolesOf(tx, [...userIds])
  return (userId: string, roles: readonly Held[]): boolean => without(roles, withPlaces(held.get(userId))).length === 0
}

/** Returns the roles and contractors that a person holds, as they are recorded. */
export async function heldOf(tx: Transaction, userId: string) {
  const held = (await selectRolesOf(tx, [userId])).get(userId)
  return held ?? { roles: [], organizationRoles: [], contractorRoles: [] }
}

/** Returns the roles and contractors that each of several people holds. */
export const rolesOf = (tx: Transaction, userIds: readonly string[]) => selectRolesOf(tx, [...userIds])

/** Runs what throws faults of a place, which are those of this field of the body. */
async function at<T>(field: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const faults = error instanceof AppError && error.status === 400 ? error.data.errorList : undefined
    const [fault] = (faults ?? []) as { field: string; code: string }[]
    throw fault ? fieldError(`${field}.${fault.field}`, fault.code) : error
  }
}

type Change = {
  give: readonly (Held & { field: string })[]
  take: readonly Held[]
  updatedAt?: string | undefined
  /** With a whole set: what nobody saw must not be there. */
  only?: readonly Held[]
}

/**
 * Gives roles to a person and takes others away, first in the transaction; if it takes any, inside `keepingAdministrator`. Whoever calls
 * holds what is given, taken, and held by the person. Returns what runs after the commit. Throws 404, 400 by field, 403
 * forbiddenRole and forbiddenUser, 409 (docs/rules/people.md#administration-of-users).
 */
async function changeRolesOf(tx: Transaction, ctx: Ctx, userId: string, change: Change) {
  const { give, take, only, updatedAt } = change
  await requireAccount(tx, userId)
  const all = [...give, ...take]
  const roles = new Map<string, NonNullable<Awaited<ReturnType<typeof selectRoleOf>>>>()
  // roles, then places, then the person: whoever changes one of them locks them in this order
  for (const roleId of [...new Set(all.map((one) => one.roleId))].sort()) {
    await shareRole(tx, roleId)
    const role = await selectRoleOf(tx, roleId)
    const field = give.find((one) => one.roleId === roleId)?.field
    if (!role) throw field === undefined ? new AppError(409) : fieldError(`${field}.roleId`, 'errorRole')
    roles.set(roleId, role)
  }
  const roleOf = ({ roleId }: Held) => roles.get(roleId) as NonNullable<ReturnType<typeof roles.get>>
  for (const { field, organizationId, contractorId, ...one } of give) {
    const wanted = {
      ...(organizationId ? { organizationId } : {}),
      ...(contractorId ? { contractorId } : {}),
    }
    await at(field, () => placeOf(tx, roleOf({ ...one, organizationId, contractorId }).roleType, wanted))
  }
  for (const one of take) await selectPlace(tx, one)
  await lockAdministered(tx, ctx, userId, updatedAt)
  for (const { roleId, contractorId } of all)
    await requireAssignable(tx, ctx, { roles: [roleId], contractor: contractorId }, 'forbiddenRole')
  for (const { contractorId, field } of give) {
    const member = !contractorId || (await selectMembers(tx, contractorId, [userId])).has(userId)
    if (!member) throw fieldError(`${field}.contractorId`, 'errorRoleMember')
  }
  const before = (await selectRolesOf(tx, [userId])).get(userId) ?? null
  if (only && without(await heldBy(tx, userId), [...only, ...take]).length > 0) throw new AppError(409)
  const changed: { role: NonNullable<Awaited<ReturnType<typeof selectRoleOf>>>; given: boolean }[] = []
  for (const [list, given] of [
    [take, false],
    [give, true],
  ] as const)
    for (const held of list) {
      const { roleId, organizationId, contractorId } = held
      const done = given
        ? (await insertHolders(tx, roleId, [userId], held)).size > 0
        : await deleteHolder(tx, roleId, userId, held)
      if (!done) continue
      const holding: Holding = {
        userId,
        ...(organizationId ? { organizationId } : {}),
        ...(contractorId ? { contractorId } : {}),
      }
      const [was, is] = given ? [[], [holding]] : [[holding], []]
      await audit(tx, ctx, roleEntity, roleId, { holders: was }, { holders: is })
      changed.push({ role: roleOf(held), given })
    }
  if (changed.length === 0) return undefined
  await audit(tx, ctx, userEntity, userId, before, (await selectRolesOf(tx, [userId])).get(userId) ?? null)
  await touchAccount(tx, userId)
  const after = [await refreshRights(tx, ctx, { people: [userId] })]
  if (userId !== ctx.user?.id)
    for (const { role, given } of changed)
      after.push(await emit(tx, ctx, 'roleHolders', { userIds: [userId], given, role: role.name, roleEn: role.nameEn }))
  return async () => {
    for (const each of after) await each()
  }
}

/**
 * Gives roles to an account in a transaction, for rows of an import. Returns what runs after the commit, undefined if it
 * holds them all. Throws as `changeRolesOf`, with the field `roles.<at>`.
 */
export const giveRolesIn = (tx: Transaction, ctx: Ctx, userId: string, roles: readonly Held[]) =>
  changeRolesOf(tx, ctx, userId, { give: roles.map((held, at) => ({ ...held, field: `roles.${at}` })), take: [] })

/**
 * Gives roles to an account and takes others away in a transaction, inside `keepingAdministrator`. Returns and throws as
 * `giveRolesIn`.
 */
export const exchangeRolesIn = (
  tx: Transaction,
  ctx: Ctx,
  userId: string,
  { give, take }: { give: readonly Held[]; take: readonly Held[] },
) => changeRolesOf(tx, ctx, userId, { give: give.map((held, at) => ({ ...held, field: `roles.${at}` })), take })

/** Replaces the roles of an account. Needs users.write. Throws as `changeRolesOf`, and 409 lastAdministrator. */
export async function setUserRoles(ctx: Ctx, { params: { id }, body }: ServiceInput<typeof calls.setUserRoles>) {
  requireMethod(ctx, 'users.write')
  const wanted = body.roles.map(({ roleId, organizationId = null, contractorId = null }, n) => ({
    ...{ roleId, organizationId, contractorId },
    field: `roles.${n}`,
  }))
  const afterCommit = await db().transaction((tx) =>
    keepingAdministrator(tx, async () => {
      const held = await heldBy(tx, id)
      const give = without(wanted, held) as typeof wanted
      return changeRolesOf(tx, ctx, id, { give, take: without(held, wanted), only: wanted, updatedAt: body.updatedAt })
    }),
  )
  await afterCommit?.()
  return {}
}

/** Gives a role to an account or takes it away, for actions on several accounts. Throws as `setUserRoles`, and 404. */
export async function switchUserRole(ctx: Ctx, userId: string, held: Held, given: boolean) {
  requireMethod(ctx, 'users.write')
  const change = given ? { give: [{ ...held, field: 'role' }], take: [] } : { give: [], take: [held] }
  const afterCommit = await db().transaction((tx) =>
    keepingAdministrator(tx, () => changeRolesOf(tx, ctx, userId, change)),
  )
  await afterCommit?.()
}

/**
 * Returns a function that says whether a role can be given in a place: there is such a role and place, and the caller
 * holds what it gives. Until the transaction ends that stays so. Whether people are in the contractor isn't asked.
 */
export async function givable(tx: Transaction, ctx: Ctx, wanted: readonly Held[]): Promise<(held: Held) => boolean> {
  const places = [...new Map(wanted.map((held) => [keyOf(held), held])).values()]
  const can = new Set<string>()
  const types = new Map<string, string>()
  for (const roleId of [...new Set(places.map((held) => held.roleId))].sort()) {
    await shareRole(tx, roleId)
    const role = await selectRoleOf(tx, roleId)
    if (role) types.set(roleId, role.roleType)
  }
  for (const held of places.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))) {
    const { roleId, organizationId, contractorId } = held
    const roleType = types.get(roleId)
    if (!roleType) continue
    const place = { ...(organizationId ? { organizationId } : {}), ...(contractorId ? { contractorId } : {}) }
    try {
      await placeOf(tx, roleType, place)
      await requireAssignable(tx, ctx, { roles: [roleId], contractor: contractorId }, 'forbiddenRole')
      can.add(keyOf(held))
    } catch (error) {
      if (!(error instanceof AppError)) throw error
    }
  }
  return (held) => can.has(keyOf(held))
}

/**
 * Gives roles that are `givable` to accounts that the transaction has created, as `giveRolesIn` does each. A role for a
 * contractor is for its people only. Returns what runs after the commit.
 */
export async function giveRolesTogether(
  tx: Transaction,
  ctx: Ctx,
  given: readonly { userId: string; roles: readonly Held[] }[],
): Promise<(() => Promise<void>)[]> {
  const people = given.filter(({ roles }) => roles.length > 0)
  if (people.length === 0) return []
  const ids = people.map(({ userId }) => userId)
  const before = await selectRolesOf(tx, ids)
  const each = people.flatMap(({ userId, roles }) => roles.map((held) => ({ userId, held })))
  const after: (() => Promise<void>)[] = []
  for (const [, group] of Map.groupBy(each, ({ held }) => keyOf(held))) {
    const [{ held } = { held: null }] = group
    if (!held) continue
    const { roleId, organizationId, contractorId } = held
    const got = await insertHolders(tx, roleId, [...new Set(group.map(({ userId }) => userId))], held)
    const place = { ...(organizationId ? { organizationId } : {}), ...(contractorId ? { contractorId } : {}) }
    await auditMany(
      tx,
      ctx,
      roleEntity,
      [...got].map((userId) => ({ id: roleId, before: { holders: [] }, after: { holders: [{ userId, ...place }] } })),
    )
    const role = await selectRoleOf(tx, roleId)
    if (role && got.size > 0)
      after.push(
        await emit(tx, ctx, 'roleHolders', { userIds: [...got], given: true, role: role.name, roleEn: role.nameEn }),
      )
  }
  const now = await selectRolesOf(tx, ids)
  await auditMany(
    tx,
    ctx,
    userEntity,
    ids.flatMap((id) => {
      const [was, is] = [before.get(id), now.get(id)]
      return was && is ? [{ id, before: was, after: is }] : []
    }),
  )
  return after
}
