import { db } from '@/db/client'
import { placesOf } from '@/lib/access/role-places'
import { requireUser } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { digest } from '@/lib/base/crypto/encryption'
import { notFound } from '@/lib/base/runtime/errors'
import { availableOrganizations, mayEdit } from '../managers/service'
import type * as calls from './contract'
import {
  selectContactPage,
  selectContractorsOf,
  selectHeldRoles,
  selectPeople,
  selectVisibleContractors,
  type Visibility,
} from './queries'
import { type RoleInOrganization, selectInvitations, selectInvitedRoles, selectRolesOf } from './role-queries'
import { isManaged, isVisible, visibilityOf } from './visibility'

type HeldRole = Awaited<ReturnType<typeof selectRolesOf>>[number]
type NamedRole = { id: string; name: string }

const statusOf = ({ active }: { active: boolean }): calls.AccessStatus => (active ? 'active' : 'inactive')

const distinctRoles = (heldRoles: readonly HeldRole[]): NamedRole[] => [
  ...new Map(heldRoles.map(({ roleId, role }) => [roleId, { id: roleId, name: role }])).values(),
]

/** Returns the rows of a page that are colleagues, by id. */
async function colleaguesOf(
  ctx: Ctx,
  visibility: Visibility,
  ids: readonly string[],
): Promise<Map<string, calls.Contact>> {
  if (ids.length === 0) return new Map()
  const [people, memberships, heldRoles] = await Promise.all([
    selectPeople(visibility, ids),
    selectContractorsOf(visibility, ids),
    selectRolesOf(visibility, ids, ctx.locale),
  ])
  const contractorsOf = (userId: string) =>
    memberships.flatMap((row) => {
      if (row.userId !== userId) return []
      const { id, name } = row
      return {
        id,
        name,
        roles: distinctRoles(heldRoles.filter((role) => role.userId === userId && role.contractorId === id)),
      }
    })
  return new Map(
    [...people.values()].map(({ active, ...person }) => [
      person.id,
      {
        ...person,
        userId: person.id,
        access: statusOf({ active }),
        expiresAt: null,
        contractors: contractorsOf(person.id),
      },
    ]),
  )
}

/** Returns the rows of a page that are open invitations, by id. */
async function invitationsOf(ctx: Ctx, ids: readonly string[]): Promise<Map<string, calls.Contact>> {
  if (ids.length === 0) return new Map()
  const [invitations, roles] = await Promise.all([selectInvitations(ids), selectInvitedRoles(ids, ctx.locale)])
  const rolesOf = (id: string) => roles.flatMap(({ invitationId, ...role }) => (invitationId === id ? [role] : []))
  return new Map(
    [...invitations.values()].map(({ id, email, expiresAt, contractor }) => [
      id,
      {
        ...{ id, userId: null, name: '', email, mobile: null, picture: null, access: 'invitationSent' },
        expiresAt: expiresAt.toISOString(),
        contractors: [{ ...contractor, roles: rolesOf(id) }],
      },
    ]),
  )
}

/**
 * Returns one page of the contacts of the signed-in person: their colleagues, and the open invitations to contractors
 * that they manage (docs/rules/contacts.md#who-is-seen). Throws 401.
 */
export async function listContacts(ctx: Ctx, { query }: ServiceInput<typeof calls.listContacts>) {
  const visibility = await visibilityOf(ctx)
  const contractorId = query.filter.contractorId
  // a contractor that isn't visible has no contacts, even if a colleague belongs to it
  const pageVisibility =
    contractorId !== undefined && !isVisible(visibility, contractorId) ? { ...visibility, contractors: [] } : visibility
  const { rows, meta } = await selectContactPage(pageVisibility, query, {
    pageSize: ctx.user?.pagination ?? null,
    now: ctx.now(),
  })
  const idsOf = (invited: boolean) => rows.flatMap((row) => (row.invited === invited ? [row.id] : []))
  const [people, invited] = await Promise.all([
    colleaguesOf(ctx, visibility, idsOf(false)),
    invitationsOf(ctx, idsOf(true)),
  ])
  return { contacts: rows.flatMap(({ id }) => people.get(id) ?? invited.get(id) ?? []), meta }
}

/**
 * Returns what the list of contacts can be filtered by: the visible contractors (null for a person who manages all:
 * there are too many), and the roles that people hold for them. `chosen` is the contractor in the address. Throws 401.
 */
export async function contactFilters(ctx: Ctx, chosen: string | undefined) {
  const visibility = await visibilityOf(ctx)
  const [contractors, named, roles] = await Promise.all([
    visibility.managed.all ? null : selectVisibleContractors(visibility),
    visibility.managed.all && chosen ? selectVisibleContractors(visibility, [chosen]) : [],
    selectHeldRoles(visibility, ctx.locale),
  ])
  return { contractors, named, roles, manages: visibility.managed.all || visibility.managed.ids.length > 0 }
}

/**
 * Returns a version of what a person holds for a contractor. A change that sends it is refused if the roles have
 * changed.
 */
export const versionOf = (pairs: readonly RoleInOrganization[]): string =>
  digest(
    pairs
      .map(({ organizationId, roleId }) => `${organizationId} ${roleId}`)
      .toSorted()
      .join(),
  )

/**
 * Returns a colleague with the contractors that the signed-in person shares with them or manages, and the colleague's
 * roles there. Throws 401, and 404 for a person who isn't a colleague.
 */
export async function readContact(ctx: Ctx, { params: { userId } }: ServiceInput<typeof calls.readContact>) {
  const visibility = await visibilityOf(ctx)
  requireUser(ctx)
  const person = (await selectPeople(visibility, [userId])).get(userId)
  if (!person) throw notFound()
  const [memberships, heldRoles] = await Promise.all([
    selectContractorsOf(visibility, [userId]),
    selectRolesOf(visibility, [userId], ctx.locale),
  ])
  const managed = memberships.flatMap(({ id }) => (isManaged(visibility, id) ? [id] : []))
  const available = managed.length > 0 ? await availableOrganizations(managed, ctx.locale) : []
  const editable = await Promise.all(managed.map((id) => mayEdit(db(), ctx, visibility.managed, userId, id)))
  const { active, id: _, ...details } = person
  return {
    ...details,
    access: statusOf({ active }),
    contractors: memberships.map(({ userId: _, date, inn, kpp, ...contractor }): calls.ContactContractor => {
      const contractorRoles = heldRoles.filter(({ contractorId }) => contractorId === contractor.id)
      return {
        ...contractor,
        inn: inn ?? '',
        kpp: kpp ?? '',
        date: date.toISOString(),
        access: placesOf(contractorRoles),
        managed: managed.includes(contractor.id),
        editable: editable[managed.indexOf(contractor.id)] ?? false,
        availableOrganizations: available.flatMap(({ contractorId, ...place }) =>
          contractorId === contractor.id ? [place] : [],
        ),
        version: versionOf(contractorRoles),
      }
    }),
  }
}
