import { callerId, holdsMethod, requireMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { notFound } from '@/lib/base/runtime/errors'
import type * as calls from './contract'
import { selectInvitationPage, selectInvitedRoles, selectPeoplePage, selectRolesOf } from './people-queries'
import { selectContractor } from './queries'

async function requireContractor(ctx: Ctx, id: string) {
  requireMethod(ctx, 'contractors.read')
  if (!(await selectContractor(id))) throw notFound()
}

/**
 * Returns one page of a contractor's people with the roles that they hold for it, by organization. Needs
 * contractors.read. Throws 404.
 */
export async function listContractorPeople(
  ctx: Ctx,
  { params: { id }, query }: ServiceInput<typeof calls.listContractorPeople>,
) {
  await requireContractor(ctx, id)
  const mayReadUsers = holdsMethod(ctx, 'users.read')
  const { rows, meta } = await selectPeoplePage(id, query, callerId(ctx), ctx.user?.pagination ?? null, mayReadUsers)
  const ids = rows.map((row) => row.id)
  const heldRoles = ids.length > 0 ? await selectRolesOf(id, ids, ctx.locale) : []
  const people = rows.map((person): calls.ContractorPerson => {
    const access = new Map<string, calls.ContractorPerson['access'][number]>()
    for (const { userId, organizationId, organization, roleId, role } of heldRoles) {
      if (userId !== person.id) continue
      const place = access.get(organizationId) ?? { organizationId, organization, roles: [] }
      place.roles.push({ id: roleId, name: role })
      access.set(organizationId, place)
    }
    return { ...person, login: mayReadUsers ? person.login : null, access: [...access.values()] }
  })
  return { people, meta }
}

/**
 * Returns one page of the invitations to a contractor, with the roles that an open one wouldn't give now. An invitation
 * that has expired counts as expired even before the job closes it. Needs contractors.read. Throws 404.
 */
export async function listContractorInvitations(
  ctx: Ctx,
  { params: { id }, query }: ServiceInput<typeof calls.listContractorInvitations>,
) {
  await requireContractor(ctx, id)
  const { rows, meta } = await selectInvitationPage(id, query, callerId(ctx), ctx.user?.pagination ?? null)
  const isOpen = ({ status, expiresAt }: (typeof rows)[number]) => status === 'active' && expiresAt > ctx.now()
  const openIds = rows.filter(isOpen).map((row) => row.id)
  const invitedRoles = openIds.length > 0 ? await selectInvitedRoles(openIds, ctx.locale) : []
  const invitations = rows.map((row): calls.ContractorInvitation => {
    const { status, createdAt, expiresAt, ...invitation } = row
    const roles = invitedRoles.filter(({ invitationId }) => invitationId === row.id)
    const withheld = roles.flatMap(({ fault, role, organization }) =>
      fault ? [{ reason: fault, role, organization }] : [],
    )
    const gives = withheld.length === roles.length ? 'nothing' : withheld.length > 0 ? 'part' : 'all'
    return {
      ...invitation,
      status: status === 'active' && !isOpen(row) ? 'deactivated' : status,
      gives: isOpen(row) ? gives : null,
      withheld,
      createdAt: createdAt.toISOString(),
      expiresAt: expiresAt.toISOString(),
    }
  })
  return { invitations, meta }
}
