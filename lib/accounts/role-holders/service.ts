import { db, type Transaction } from '@/db/client'
import { keepingAdministrator } from '@/lib/access/rights/administrators'
import { refreshRights, requireAssignable } from '@/lib/access/rights/service'
import { type Holding, roleEntity } from '@/lib/access/roles/entity'
import { audit } from '@/lib/base/audit/audit'
import { callerId, holdsMethod, requireMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { emit } from '@/lib/base/events/events'
import { AppError, fieldError, notFound } from '@/lib/base/runtime/errors'
import { userEntity } from '../users/entity'
import { touchAccount } from '../users/own'
import type * as calls from './contract'
import {
  deleteHolder,
  insertHolders,
  isAvailable,
  lockPeople,
  type Place,
  placesShown,
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

/** Returns one page of the people who hold a role, by name, with where they hold it. Needs roles.read. Throws 404. */
export async function listHolders(ctx: Ctx, { params: { id }, query }: ServiceInput<typeof calls.listHolders>) {
  requireMethod(ctx, 'roles.read')
  const role = await roleOf(db(), id)
  const known = holdsMethod(ctx, 'users.read')
  const { rows, meta } = await selectHolderPage(role, query, callerId(ctx), ctx.user?.pagination ?? null, known)
  const ids = rows.map((person) => person.id)
  const places = await selectPlaces(role, ids, ctx.locale)
  const holders = rows.map(({ login, name, ...person }) => {
    const held = places.filter(({ user_id }) => user_id === person.id)
    return {
      ...person,
      name,
      login: known ? login : null,
      places: held.slice(0, placesShown).map(({ organization, contractor }) => ({ organization, contractor })),
      more: held.length > placesShown,
    }
  })
  return { holders, meta }
}

/** Returns the place that a role of this type is held in. Throws 400 by field for any other place. */
export async function placeOf(
  tx: Transaction,
  roleType: string,
  wanted: { organizationId?: string | undefined; contractorId?: string | undefined },
) {
  const place: Place = { organizationId: wanted.organizationId ?? null, contractorId: wanted.contractorId ?? null }
  const asked = { organizationId: roleType !== 'systemic', contractorId: roleType === 'contractor' }
  for (const field of ['contractorId', 'organizationId'] as const) {
    if (asked[field] && place[field] === null) throw fieldError(field, 'errorEmpty')
    if (!asked[field] && place[field] !== null) throw fieldError(field, 'errorRolePlace')
  }
  const there = await selectPlace(tx, place)
  if (place.contractorId && !there.contractor) throw fieldError('contractorId', 'errorRolePlace')
  const closed = place.organizationId && !there.organization?.enabled
  const shut =
    place.contractorId && place.organizationId && !(await isAvailable(tx, place.contractorId, place.organizationId))
  if (closed || shut) throw fieldError('organizationId', 'errorRoleOrganization')
  return place
}

/** Records on a role who got or lost it, and on the person every role of theirs. */
async function recordHolders(
  tx: Transaction,
  ctx: Ctx,
  roleId: string,
  ids: string[],
  { organizationId, contractorId }: Place,
  { given, before }: { given: boolean; before: Awaited<ReturnType<typeof selectRolesOf>> },
) {
  const after = await selectRolesOf(tx, ids)
  for (const id of ids) {
    await audit(tx, ctx, userEntity, id, before.get(id) ?? null, after.get(id) ?? null)
    const holding: Holding = {
      userId: id,
      ...(organizationId ? { organizationId } : {}),
      ...(contractorId ? { contractorId } : {}),
    }
    const [was, is] = given ? [[], [holding]] : [[holding], []]
    await audit(tx, ctx, roleEntity, roleId, { holders: was }, { holders: is })
    // the version of an account covers its roles
    await touchAccount(tx, id)
  }
}

/** Makes the change act at once, and tells its people; whoever gives or takes their own role knows it. */
async function told(
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
  const heard = await emit(tx, ctx, 'roleHolders', event)
  return async () => {
    await refreshed()
    await heard()
  }
}

/**
 * Gives a role to people in a place; who holds it there already keeps it. Needs roles.write. Throws 404; 400 by field for
 * unknown people, for a place in which a role of this type isn't held, and for people who aren't in the contractor; 403
 * forbiddenRole and forbiddenUser (docs/rules/access.md#granting); 409 lastAdministrator.
 */
export async function addHolders(ctx: Ctx, { params: { id }, body }: ServiceInput<typeof calls.addHolders>) {
  requireMethod(ctx, 'roles.write')
  const give = async (tx: Transaction) => {
    await shareRole(tx, id)
    const role = await roleOf(tx, id)
    const contractor = role.roleType === 'contractor' ? (body.contractorId ?? null) : null
    await requireAssignable(tx, ctx, { roles: [id], contractor }, 'forbiddenRole')
    const place = await placeOf(tx, role.roleType, body)
    const people = await lockPeople(tx, body.users)
    const found = new Set(people.map((person) => person.id))
    const unknown = body.users.findIndex((userId) => !found.has(userId))
    if (unknown >= 0) throw fieldError(`users.${unknown}`, 'errorUser')
    await requireAssignable(tx, ctx, { people: body.users, contractor }, 'forbiddenUser')
    if (place.contractorId) {
      const members = await selectMembers(tx, place.contractorId, body.users)
      const stranger = body.users.findIndex((userId) => !members.has(userId))
      if (stranger >= 0) throw fieldError(`users.${stranger}`, 'errorRoleMember')
    }
    const before = await selectRolesOf(tx, body.users)
    const added = await insertHolders(tx, id, body.users, place)
    const given = people.flatMap((person) => (added.has(person.id) ? [person.id] : []))
    if (given.length === 0) return undefined
    await recordHolders(tx, ctx, id, given, place, { given: true, before })
    return told(tx, ctx, role, given, true)
  }
  // a role can bring another schema of sign-in
  const afterCommit = await db().transaction((tx) => keepingAdministrator(tx, () => give(tx)))
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
  const take = async (tx: Transaction) => {
    const role = await roleOf(tx, id)
    await shareRole(tx, id)
    const contractor = role.roleType === 'contractor' ? contractorId : null
    await requireAssignable(tx, ctx, { roles: [id], contractor }, 'forbiddenRole')
    // a merge of the contractor must not copy what is being taken
    await selectPlace(tx, place)
    await lockPeople(tx, [userId])
    await requireAssignable(tx, ctx, { people: [userId], contractor }, 'forbiddenUser')
    const before = await selectRolesOf(tx, [userId])
    if (!(await deleteHolder(tx, id, userId, place))) throw new AppError(404)
    await recordHolders(tx, ctx, id, [userId], place, { given: false, before })
    return told(tx, ctx, role, [userId], false)
  }
  const afterCommit = await db().transaction((tx) => keepingAdministrator(tx, () => take(tx)))
  await afterCommit()
  return {}
}

/** Returns the places in which a role can be given. Needs roles.read. */
export async function searchRolePlaces(ctx: Ctx, { query }: ServiceInput<typeof calls.searchRolePlaces>) {
  requireMethod(ctx, 'roles.read')
  return { places: await selectRolePlaces(query, ctx.locale) }
}
