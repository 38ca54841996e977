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
  type Sight,
  selectContactPage,
  selectContractorsOf,
  selectHeldRoles,
  selectPeople,
  selectSeenContractors,
} from './queries'
import { type Pair, selectInvitations, selectInvitedRoles, selectRolesOf } from './role-queries'
import { isManaged, isSeen, visibilityOf } from './visibility'

type Held = Awaited<ReturnType<typeof selectRolesOf>>[number]
type Named = { id: string; name: string }

const statusOf = ({ active }: { active: boolean }): calls.AccessStatus => (active ? 'active' : 'inactive')

const rolesOnce = (held: readonly Held[]): Named[] => [
  ...new Map(held.map(({ roleId, role }) => [roleId, { id: roleId, name: role }])).values(),
]

/** What the rows of a page show of colleagues. */
async function colleaguesOf(ctx: Ctx, sight: Sight, ids: readonly string[]): Promise<Map<string, calls.Contact>> {
  if (ids.length === 0) return new Map()
  const [people, joined, held] = await Promise.all([
    selectPeople(sight, ids),
    selectContractorsOf(sight, ids),
    selectRolesOf(sight, ids, ctx.locale),
  ])
  const contractorsOf = (userId: string) =>
    joined.flatMap((row) => {
      if (row.userId !== userId) return []
      const { id, name } = row
      return { id, name, roles: rolesOnce(held.filter((one) => one.userId === userId && one.contractorId === id)) }
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

/** What the rows of a page show of open invitations. */
async function invitedOf(ctx: Ctx, ids: readonly string[]): Promise<Map<string, calls.Contact>> {
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
  const sight = await visibilityOf(ctx)
  const only = query.filter.contractorId
  // a contractor out of sight has no contacts, whoever of the colleagues is in it
  const within = only !== undefined && !isSeen(sight, only) ? { ...sight, contractors: [] } : sight
  const { rows, meta } = await selectContactPage(within, query, {
    pageSize: ctx.user?.pagination ?? null,
    now: ctx.now(),
  })
  const idsOf = (invited: boolean) => rows.flatMap((row) => (row.invited === invited ? [row.id] : []))
  const [people, invited] = await Promise.all([colleaguesOf(ctx, sight, idsOf(false)), invitedOf(ctx, idsOf(true))])
  return { contacts: rows.flatMap(({ id }) => people.get(id) ?? invited.get(id) ?? []), meta }
}

/**
 * Returns what the list of contacts can be filtered by: the contractors in sight (null for who manages all: there are
 * too many), and the roles that people hold for them. `chosen` is the contractor in the address. Throws 401.
 */
export async function contactFilters(ctx: Ctx, chosen: string | undefined) {
  const sight = await visibilityOf(ctx)
  const [contractors, named, roles] = await Promise.all([
    sight.managed.all ? null : selectSeenContractors(sight),
    sight.managed.all && chosen ? selectSeenContractors(sight, [chosen]) : [],
    selectHeldRoles(sight, ctx.locale),
  ])
  return { contractors, named, roles, manages: sight.managed.all || sight.managed.ids.length > 0 }
}

/** Names what a person holds for a contractor, for a change that must see the same. */
export const versionOf = (held: readonly Pair[]): string =>
  digest(
    held
      .map(({ organizationId, roleId }) => `${organizationId} ${roleId}`)
      .toSorted()
      .join(),
  )

/**
 * Returns a contact with the contractors that the signed-in person has in common with them, or manages, and their roles
 * there. Throws 401, and 404 for whoever is no contact of theirs.
 */
export async function readContact(ctx: Ctx, { params: { userId } }: ServiceInput<typeof calls.readContact>) {
  const sight = await visibilityOf(ctx)
  requireUser(ctx)
  const person = (await selectPeople(sight, [userId])).get(userId)
  if (!person) throw notFound()
  const [joined, held] = await Promise.all([
    selectContractorsOf(sight, [userId]),
    selectRolesOf(sight, [userId], ctx.locale),
  ])
  const managed = joined.flatMap(({ id }) => (isManaged(sight, id) ? [id] : []))
  const available = managed.length > 0 ? await availableOrganizations(managed, ctx.locale) : []
  const editable = await Promise.all(managed.map((id) => mayEdit(db(), ctx, sight.managed, userId, id)))
  const { active, id: _, ...shown } = person
  return {
    ...shown,
    access: statusOf({ active }),
    contractors: joined.map(({ userId: _, date, inn, kpp, ...contractor }): calls.ContactContractor => {
      const here = held.filter(({ contractorId }) => contractorId === contractor.id)
      return {
        ...contractor,
        inn: inn ?? '',
        kpp: kpp ?? '',
        date: date.toISOString(),
        access: placesOf(here),
        managed: managed.includes(contractor.id),
        editable: editable[managed.indexOf(contractor.id)] ?? false,
        availableOrganizations: available.flatMap(({ contractorId, ...place }) =>
          contractorId === contractor.id ? [place] : [],
        ),
        version: versionOf(here),
      }
    }),
  }
}
