import { db, type Transaction } from '@/db/client'
import { changingRolesOf } from '@/lib/access/rights/administrators'
import { refreshRights, requireAssignable } from '@/lib/access/rights/service'
import { roleEntity } from '@/lib/access/roles/entity'
import { userServices } from '@/lib/applications/menu/service'
import { audit } from '@/lib/base/audit/audit'
import type { Ctx, CtxUser } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { emit } from '@/lib/base/events/events'
import { AppError, notFound } from '@/lib/base/runtime/errors'
import { recordingMemberships } from '../contractors/memberships'
import {
  assignableRoles,
  keepPlaces,
  lostByLeaving,
  managedBy,
  requireEditable,
  requireManagerOf,
} from '../managers/service'
import type * as calls from './contract'
import { changeHeld, type Pair, removeMember, selectHeld, selectMethodsHere, selectRoleNames } from './role-queries'
import { versionOf } from './service'

type Manager = Ctx & { user: CtxUser }
type Who = { userId: string; contractorId: string }
type Change = { given: readonly Pair[]; taken: readonly Pair[] }

const isSame = (a: Pair, b: Pair) => a.organizationId === b.organizationId && a.roleId === b.roleId
const without = (list: readonly Pair[], others: readonly Pair[]) =>
  list.filter((pair) => !others.some((other) => isSame(pair, other)))

/** Requires that the caller manages this contractor, and that it isn't about themselves. Throws 401, 403, 404. */
async function managerOf(ctx: Ctx, { userId, contractorId }: Who): Promise<Manager> {
  const manager = await requireManagerOf(ctx, contractorId)
  // nobody gives themselves roles, and whoever wants to go leaves the company
  if (manager.user.id === userId) throw notFound()
  return manager
}

/**
 * Runs a change of what a contact holds, and records it. The caller is locked along: of two managers who remove each
 * other at once, one stays.
 */
const changing = (tx: Transaction, ctx: Manager, userId: string, change: () => Promise<void>) =>
  recordingMemberships(tx, ctx, [userId, ctx.user.id], change)

/** Records on each role who got it or lost it, and tells the person, whose open sessions read their rights anew. */
async function told(tx: Transaction, ctx: Ctx, { userId, contractorId }: Who, { given, taken }: Change) {
  const refreshed = await refreshRights(tx, ctx, { people: [userId] })
  const ids = [...new Set([...given, ...taken].map(({ roleId }) => roleId))]
  const names = ids.length > 0 ? await selectRoleNames(tx, ids) : []
  const heard: (() => Promise<void>)[] = []
  for (const { id, name, nameEn } of names.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    const holders = (pairs: readonly Pair[]) =>
      pairs.flatMap(({ organizationId, roleId }) => (roleId === id ? [{ userId, organizationId, contractorId }] : []))
    const [lost, got] = [holders(taken), holders(given)]
    await audit(tx, ctx, roleEntity, id, { holders: lost }, { holders: got })
    for (const [given, some] of [
      [true, got],
      [false, lost],
    ] as const)
      if (some.length > 0)
        heard.push(await emit(tx, ctx, 'roleHolders', { userIds: [userId], given, role: name, roleEn: nameEn }))
  }
  return async () => {
    await refreshed()
    for (const hear of heard) await hear()
  }
}

/**
 * Throws 404 unless the caller still manages the contractor, and 403 unless they may give and take these roles for it and
 * change this person.
 */
async function requireRights(tx: Transaction, ctx: Manager, { userId, contractorId }: Who, changed: readonly Pair[]) {
  const managed = await managedBy(ctx.user.id, tx)
  if (!managed.all && !managed.ids.includes(contractorId)) throw notFound()
  await requireEditable(tx, ctx, managed, userId, contractorId)
  const roles = [...new Set(changed.map(({ roleId }) => roleId))]
  if (roles.length > 0) await requireAssignable(tx, ctx, { roles, contractor: contractorId }, 'forbiddenRole')
}

/**
 * Replaces the roles that a contact holds for a contractor which the caller manages; with none the contact stays in it
 * without roles. Roles that stay aren't asked for. Throws 400 by field, 403 forbiddenRole and forbiddenUser, 404 for a
 * contractor or a person out of the caller's reach, 409 lastAdministrator, 409 if the roles have changed since `version`
 * (docs/rules/contacts.md#changing-roles).
 */
export async function changeContactRoles(ctx: Ctx, { body }: ServiceInput<typeof calls.changeContactRoles>) {
  const { userId, contractorId, access, version } = body
  const manager = await managerOf(ctx, body)
  const afterCommit = await changingRolesOf(userId, async (tx) => {
    const wantedRoles = [...new Set(access.flatMap(({ roles }) => roles))]
    const places = access.map(({ organizationId }) => organizationId)
    await keepPlaces(tx, contractorId, wantedRoles, places)
    let change: Change = { given: [], taken: [] }
    await changing(tx, manager, userId, async () => {
      const held = await selectHeld(tx, userId, contractorId)
      if (!held) throw notFound()
      if (version !== undefined && version !== versionOf(held)) throw new AppError(409, 'conflict')
      const wanted = await assignableRoles(tx, manager.user.id, contractorId, access, held)
      change = { given: without(wanted, held), taken: without(held, wanted) }
      await requireRights(tx, manager, body, [...change.given, ...change.taken])
      await changeHeld(tx, userId, contractorId, change)
    })
    return change.given.length + change.taken.length > 0 ? told(tx, ctx, body, change) : undefined
  })
  await afterCommit?.()
  return {}
}

/**
 * Takes a contact out of a contractor which the caller manages, with the roles that they hold for it, also in open
 * sessions and tokens. Throws 403 forbiddenUser, 404 for a contractor or a person out of the
 * caller's reach, and 409 lastAdministrator.
 */
export async function removeContact(ctx: Ctx, { query }: ServiceInput<typeof calls.removeContact>) {
  const { userId, contractorId } = query
  const manager = await managerOf(ctx, query)
  const afterCommit = await changingRolesOf(userId, async (tx) => {
    // a merge of the contractor must not copy what is being taken
    await keepPlaces(tx, contractorId)
    let taken: readonly Pair[] = []
    await changing(tx, manager, userId, async () => {
      const held = await selectHeld(tx, userId, contractorId)
      if (!held) throw notFound()
      taken = held
      // their roles count among what they were given
      await requireRights(tx, manager, query, [])
      await removeMember(tx, userId, contractorId)
    })
    return told(tx, ctx, query, { given: [], taken })
  })
  await afterCommit()
  return {}
}

/**
 * Returns what a contact would lose by being taken out of a contractor which the caller manages. It says nothing of what
 * the contact holds elsewhere. Throws 401, 403, 404.
 */
export async function previewRemoval(
  ctx: Ctx,
  { params }: ServiceInput<typeof calls.previewRemoval>,
): Promise<calls.Removal> {
  const { userId, contractorId } = params
  await managerOf(ctx, params)
  const held = await selectHeld(db(), userId, contractorId)
  const found = held && (await lostByLeaving(db(), userId, contractorId, ctx.now()))
  if (!found) throw notFound()
  const [here, anyway] = await Promise.all([
    selectMethodsHere(userId, contractorId).then((ids) => userServices({ methodIds: new Set(ids) }, ctx.domain)),
    userServices({ methodIds: new Set() }, ctx.domain),
  ])
  const open = new Set(anyway.map(({ id }) => id))
  const { roles, manager, invitations } = found
  return {
    ...{ roles, manager, invitations },
    services: here.flatMap(({ id, title, titleEn }) => (open.has(id) ? [] : [{ title, titleEn }])),
  }
}
