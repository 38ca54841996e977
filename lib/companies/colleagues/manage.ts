import { db, type Transaction } from '@/db/client'
import { changingRolesOf } from '@/lib/access/rights/last-administrator'
import { refreshRights, requireAssignable } from '@/lib/access/rights/service'
import { roleEntity } from '@/lib/access/roles/entity'
import { userServices } from '@/lib/applications/menu/service'
import { audit } from '@/lib/base/audit/audit'
import type { Ctx, CtxUser } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { emit } from '@/lib/base/events/events'
import { AppError, notFound } from '@/lib/base/runtime/errors'
import { auditingMemberships } from '../contractors/memberships'
import {
  assignableRoles,
  lockMembershipRows,
  lostByLeaving,
  managedBy,
  requireEditable,
  requireManagerOf,
} from '../managers/service'
import type * as calls from './contract'
import {
  changeHeldPairs,
  type RoleInOrganization,
  removeMember,
  selectHeldPairs,
  selectMethodsOfContractorRoles,
  selectRoleNames,
} from './role-queries'
import { versionOf } from './service'

type ManagerCtx = Ctx & { user: CtxUser }
type Membership = { userId: string; contractorId: string }
type RoleChange = { given: readonly RoleInOrganization[]; taken: readonly RoleInOrganization[] }

const isSame = (a: RoleInOrganization, b: RoleInOrganization) =>
  a.organizationId === b.organizationId && a.roleId === b.roleId
const except = (pairs: readonly RoleInOrganization[], excludedPairs: readonly RoleInOrganization[]) =>
  pairs.filter((pair) => !excludedPairs.some((excluded) => isSame(pair, excluded)))

/**
 * Requires that the caller manages this contractor, and that the change isn't about themselves. Throws 401, 403, 404.
 */
async function managerOf(ctx: Ctx, { userId, contractorId }: Membership): Promise<ManagerCtx> {
  const manager = await requireManagerOf(ctx, contractorId)
  // nobody gives themselves roles, and a person who wants to go leaves the company
  if (manager.user.id === userId) throw notFound()
  return manager
}

/**
 * Runs a change of what a colleague holds, and records audit events. The caller is locked too: of two managers who
 * remove each other at once, one stays.
 */
const recordingChange = (tx: Transaction, ctx: ManagerCtx, userId: string, change: () => Promise<void>) =>
  auditingMemberships(tx, ctx, [userId, ctx.user.id], change)

/**
 * Records audit events on the roles that a person got or lost, and notifies the person, whose open sessions read their
 * rights anew. Returns a function to run after the commit.
 */
async function refreshAndNotify(
  tx: Transaction,
  ctx: Ctx,
  { userId, contractorId }: Membership,
  { given, taken }: RoleChange,
) {
  const refreshed = await refreshRights(tx, ctx, { people: [userId] })
  const ids = [...new Set([...given, ...taken].map(({ roleId }) => roleId))]
  const names = ids.length > 0 ? await selectRoleNames(tx, ids) : []
  const notifications: (() => Promise<void>)[] = []
  for (const { id, name, nameEn } of names.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    const holders = (pairs: readonly RoleInOrganization[]) =>
      pairs.flatMap(({ organizationId, roleId }) => (roleId === id ? [{ userId, organizationId, contractorId }] : []))
    const [lostHolders, newHolders] = [holders(taken), holders(given)]
    await audit(tx, ctx, roleEntity, id, { holders: lostHolders }, { holders: newHolders })
    for (const [given, holdings] of [
      [true, newHolders],
      [false, lostHolders],
    ] as const)
      if (holdings.length > 0)
        notifications.push(await emit(tx, ctx, 'roleHolders', { userIds: [userId], given, role: name, roleEn: nameEn }))
  }
  return async () => {
    await refreshed()
    for (const notify of notifications) await notify()
  }
}

/**
 * Throws 404 unless the caller still manages the contractor, and 403 unless they may give and take these roles for it
 * and change this person.
 */
async function requireRights(
  tx: Transaction,
  ctx: ManagerCtx,
  { userId, contractorId }: Membership,
  changedPairs: readonly RoleInOrganization[],
) {
  const managed = await managedBy(ctx.user.id, tx)
  if (!managed.all && !managed.ids.includes(contractorId)) throw notFound()
  await requireEditable(tx, ctx, managed, userId, contractorId)
  const roles = [...new Set(changedPairs.map(({ roleId }) => roleId))]
  if (roles.length > 0) await requireAssignable(tx, ctx, { roles, contractor: contractorId }, 'forbiddenRole')
}

/**
 * Replaces the roles that a colleague holds for a contractor which the caller manages; with none the colleague stays in
 * it without roles. Roles that stay aren't checked. Throws 400 by field, 403 forbiddenRole and forbiddenUser, 404 for a
 * contractor that the caller doesn't manage or a person who doesn't belong to it, 409 lastAdministrator, 409 if the
 * roles have changed since `version` (docs/rules/contacts.md#changing-roles).
 */
export async function changeContactRoles(ctx: Ctx, { body }: ServiceInput<typeof calls.changeContactRoles>) {
  const { userId, contractorId, access, version } = body
  const manager = await managerOf(ctx, body)
  const afterCommit = await changingRolesOf(userId, async (tx) => {
    const roleIds = [...new Set(access.flatMap(({ roles }) => roles))]
    const organizationIds = access.map(({ organizationId }) => organizationId)
    await lockMembershipRows(tx, contractorId, roleIds, organizationIds)
    let change: RoleChange = { given: [], taken: [] }
    await recordingChange(tx, manager, userId, async () => {
      const heldPairs = await selectHeldPairs(tx, userId, contractorId)
      if (!heldPairs) throw notFound()
      if (version !== undefined && version !== versionOf(heldPairs)) throw new AppError(409, 'conflict')
      const newPairs = await assignableRoles(tx, manager.user.id, contractorId, access, heldPairs)
      change = { given: except(newPairs, heldPairs), taken: except(heldPairs, newPairs) }
      await requireRights(tx, manager, body, [...change.given, ...change.taken])
      await changeHeldPairs(tx, userId, contractorId, change)
    })
    return change.given.length + change.taken.length > 0 ? refreshAndNotify(tx, ctx, body, change) : undefined
  })
  await afterCommit?.()
  return {}
}

/**
 * Takes a colleague out of a contractor which the caller manages, with the roles that they hold for it, also in open
 * sessions and tokens. Throws 403 forbiddenUser, 404 for a contractor that the caller doesn't manage or a person who
 * doesn't belong to it, and 409 lastAdministrator.
 */
export async function removeContact(ctx: Ctx, { query }: ServiceInput<typeof calls.removeContact>) {
  const { userId, contractorId } = query
  const manager = await managerOf(ctx, query)
  const afterCommit = await changingRolesOf(userId, async (tx) => {
    // a merge of the contractor waits, so that it doesn't copy the membership
    await lockMembershipRows(tx, contractorId)
    let takenPairs: readonly RoleInOrganization[] = []
    await recordingChange(tx, manager, userId, async () => {
      const heldPairs = await selectHeldPairs(tx, userId, contractorId)
      if (!heldPairs) throw notFound()
      takenPairs = heldPairs
      // the roles of the person are checked among the methods that the person holds
      await requireRights(tx, manager, query, [])
      await removeMember(tx, userId, contractorId)
    })
    return refreshAndNotify(tx, ctx, query, { given: [], taken: takenPairs })
  })
  await afterCommit()
  return {}
}

/**
 * Returns what a colleague would lose if they were taken out of a contractor which the caller manages, without what the
 * colleague holds elsewhere. Throws 401, 403, 404.
 */
export async function previewRemoval(
  ctx: Ctx,
  { params }: ServiceInput<typeof calls.previewRemoval>,
): Promise<calls.Removal> {
  const { userId, contractorId } = params
  await managerOf(ctx, params)
  const heldPairs = await selectHeldPairs(db(), userId, contractorId)
  const loss = heldPairs && (await lostByLeaving(db(), userId, contractorId, ctx.now()))
  if (!loss) throw notFound()
  const [servicesOfRoles, servicesWithoutRoles] = await Promise.all([
    selectMethodsOfContractorRoles(userId, contractorId).then((ids) =>
      userServices({ methodIds: new Set(ids) }, ctx.domain),
    ),
    userServices({ methodIds: new Set() }, ctx.domain),
  ])
  const openIds = new Set(servicesWithoutRoles.map(({ id }) => id))
  const { roles, manager, invitations } = loss
  return {
    ...{ roles, manager, invitations },
    services: servicesOfRoles.flatMap(({ id, title, titleEn }) => (openIds.has(id) ? [] : [{ title, titleEn }])),
  }
}
