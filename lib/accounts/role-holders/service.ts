import { db, type Transaction } from '@/db/client'
import { keepingAdministrator } from '@/lib/access/rights/last-administrator'
import { refreshRights, requireAssignable } from '@/lib/access/rights/service'
import { type Holding, roleEntity } from '@/lib/access/roles/entity'
import { auditMany } from '@/lib/base/audit/audit'
import { callerId, holdsMethod, requireMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { emit } from '@/lib/base/events/events'
import { AppError, fieldError, notFound } from '@/lib/base/runtime/errors'
import { userEntity } from '../users/entity'
import { touchAccounts } from '../users/own'
import type * as calls from './contract'
import {
  deleteHolder,
  insertHolders,
  isAvailable,
  lockPeople,
  placesShown,
  type RolePlace,
  selectHolderPage,
  selectMembers,
  selectPlace,
  selectPlaces,
  selectRoleOf,
  selectRolePlaces,
  selectRolesOf,
  shareRole,
} from './queries'

async function roleOf(tx: Parameters<typeof selectRoleOf>[0], id: string) {
  const role = await selectRoleOf(tx, id)
  if (!role) throw notFound()
  return { id, ...role }
}

/**
 * Returns one page of the people who hold a role, by name, with the places in which they hold it. Needs roles.read.
 * Throws 404.
 */
export async function listHolders(ctx: Ctx, { params: { id }, query }: ServiceInput<typeof calls.listHolders>) {
  requireMethod(ctx, 'roles.read')
  const role = await roleOf(db(), id)
  const mayReadUsers = holdsMethod(ctx, 'users.read')
  const { rows, meta } = await selectHolderPage(role, query, callerId(ctx), ctx.user?.pagination ?? null, mayReadUsers)
  const ids = rows.map((person) => person.id)
  const places = await selectPlaces(role, ids, ctx.locale)
  const holders = rows.map(({ login, name, ...person }) => {
    const placesOfPerson = places.filter(({ user_id }) => user_id === person.id)
    return {
      ...person,
      name,
      login: mayReadUsers ? login : null,
      places: placesOfPerson
        .slice(0, placesShown)
        .map(({ organization, contractor }) => ({ organization, contractor })),
      more: placesOfPerson.length > placesShown,
    }
  })
  return { holders, meta }
}

/** Returns a place, if a role of this type can be held in it. Throws 400 by field otherwise. */
export async function placeOf(
  tx: Transaction,
  roleType: string,
  input: { organizationId?: string | undefined; contractorId?: string | undefined },
) {
  const place: RolePlace = { organizationId: input.organizationId ?? null, contractorId: input.contractorId ?? null }
  const required = { organizationId: roleType !== 'systemic', contractorId: roleType === 'contractor' }
  for (const field of ['contractorId', 'organizationId'] as const) {
    if (required[field] && place[field] === null) throw fieldError(field, 'errorEmpty')
    if (!required[field] && place[field] !== null) throw fieldError(field, 'errorRolePlace')
  }
  const rows = await selectPlace(tx, place)
  if (place.contractorId && !rows.contractor) throw fieldError('contractorId', 'errorRolePlace')
  const isDisabled = place.organizationId && !rows.organization?.enabled
  const isUnavailable =
    place.contractorId && place.organizationId && !(await isAvailable(tx, place.contractorId, place.organizationId))
  if (isDisabled || isUnavailable) throw fieldError('organizationId', 'errorRoleOrganization')
  return place
}

/**
 * Records audit events: on the role, that these people got or lost it; on each person, all their roles before and
 * after.
 */
async function auditHolders(
  tx: Transaction,
  ctx: Ctx,
  roleId: string,
  ids: string[],
  { organizationId, contractorId }: RolePlace,
  { given, before }: { given: boolean; before: Awaited<ReturnType<typeof selectRolesOf>> },
) {
  const after = await selectRolesOf(tx, ids)
  await auditMany(
    tx,
    ctx,
    userEntity,
    ids.map((id) => ({ id, before: before.get(id) ?? null, after: after.get(id) ?? null })),
  )
  const place = { ...(organizationId ? { organizationId } : {}), ...(contractorId ? { contractorId } : {}) }
  const changeOf = (holding: Holding) => {
    const [nobody, holders] = [{ holders: [] }, { holders: [holding] }]
    return given ? { before: nobody, after: holders } : { before: holders, after: nobody }
  }
  await auditMany(
    tx,
    ctx,
    roleEntity,
    ids.map((userId) => ({ id: roleId, ...changeOf({ userId, ...place }) })),
  )
  // the version of an account covers its roles
  await touchAccounts(tx, ids)
}

/**
 * Makes the change of a role take effect at once, and notifies its people except the caller. Returns a function to run
 * after the commit.
 */
async function refreshAndNotify(
  tx: Transaction,
  ctx: Ctx,
  role: { name: string; nameEn: string | null },
  userIds: string[],
  given: boolean,
) {
  const refreshed = await refreshRights(tx, ctx, { people: userIds })
  const others = userIds.filter((userId) => userId !== ctx.user?.id)
  if (others.length === 0) return refreshed
  const event = { userIds: others, given, role: role.name, roleEn: role.nameEn }
  const notified = await emit(tx, ctx, 'roleHolders', event)
  return async () => {
    await refreshed()
    await notified()
  }
}

/**
 * Gives a role to people in a place; those who hold it there already keep it. Needs roles.write. Throws 404; 400 by
 * field for unknown people, for a place in which a role of this type isn't held, and for people who aren't in the
 * contractor; 403 forbiddenRole and forbiddenUser (docs/rules/access.md#granting); 409 lastAdministrator.
 */
export async function addHolders(ctx: Ctx, { params: { id }, body }: ServiceInput<typeof calls.addHolders>) {
  requireMethod(ctx, 'roles.write')
  const giveRole = async (tx: Transaction) => {
    await shareRole(tx, id)
    const role = await roleOf(tx, id)
    const contractor = role.roleType === 'contractor' ? (body.contractorId ?? null) : null
    await requireAssignable(tx, ctx, { roles: [id], contractor }, 'forbiddenRole')
    const place = await placeOf(tx, role.roleType, body)
    const people = await lockPeople(tx, body.users)
    const existingIds = new Set(people.map((person) => person.id))
    const unknownIndex = body.users.findIndex((userId) => !existingIds.has(userId))
    if (unknownIndex >= 0) throw fieldError(`users.${unknownIndex}`, 'errorUser')
    await requireAssignable(tx, ctx, { people: body.users, contractor }, 'forbiddenUser')
    if (place.contractorId) {
      const members = await selectMembers(tx, place.contractorId, body.users)
      const strangerIndex = body.users.findIndex((userId) => !members.has(userId))
      if (strangerIndex >= 0) throw fieldError(`users.${strangerIndex}`, 'errorRoleMember')
    }
    const before = await selectRolesOf(tx, body.users)
    const added = await insertHolders(tx, id, body.users, place)
    const newHolders = people.flatMap((person) => (added.has(person.id) ? [person.id] : []))
    if (newHolders.length === 0) return undefined
    await auditHolders(tx, ctx, id, newHolders, place, { given: true, before })
    return refreshAndNotify(tx, ctx, role, newHolders, true)
  }
  // a role can bring another authentication schema
  const afterCommit = await db().transaction((tx) => keepingAdministrator(tx, () => giveRole(tx)))
  await afterCommit?.()
  return {}
}

/**
 * Takes a role from a person in one place. Needs roles.write. Throws 404 if they don't hold it there, 403 forbiddenRole
 * and forbiddenUser, and 409 lastAdministrator.
 */
export async function removeHolder(ctx: Ctx, { params: { id }, query }: ServiceInput<typeof calls.removeHolder>) {
  requireMethod(ctx, 'roles.write')
  const { userId, organizationId = null, contractorId = null } = query
  const place = { organizationId, contractorId }
  const takeRole = async (tx: Transaction) => {
    const role = await roleOf(tx, id)
    await shareRole(tx, id)
    const contractor = role.roleType === 'contractor' ? contractorId : null
    await requireAssignable(tx, ctx, { roles: [id], contractor }, 'forbiddenRole')
    // a merge of the contractor waits, so that it doesn't copy the role
    await selectPlace(tx, place)
    await lockPeople(tx, [userId])
    await requireAssignable(tx, ctx, { people: [userId], contractor }, 'forbiddenUser')
    const before = await selectRolesOf(tx, [userId])
    if (!(await deleteHolder(tx, id, userId, place))) throw new AppError(404)
    await auditHolders(tx, ctx, id, [userId], place, { given: false, before })
    return refreshAndNotify(tx, ctx, role, [userId], false)
  }
  const afterCommit = await db().transaction((tx) => keepingAdministrator(tx, () => takeRole(tx)))
  await afterCommit()
  return {}
}

/** Returns the places in which a role can be given. Needs roles.read. */
export async function searchRolePlaces(ctx: Ctx, { query }: ServiceInput<typeof calls.searchRolePlaces>) {
  requireMethod(ctx, 'roles.read')
  return { places: await selectRolePlaces(query, ctx.locale) }
}
