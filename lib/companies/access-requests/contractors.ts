import { callerId, requireMethod, requireUser } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { notFound } from '@/lib/base/runtime/errors'
import { availableOrganizations, managedBy, requireManagerOf, unassignableRoles } from '../managers/service'
import type * as calls from './contract'
import { selectContractorName, selectContractorRoles, selectManagedPage } from './queries'

/** Returns one page of the enabled contractors that the caller manages. Needs masterAccountAccess. */
export async function listManagedContractors(ctx: Ctx, { query }: ServiceInput<typeof calls.listManagedContractors>) {
  requireUser(ctx)
  requireMethod(ctx, 'masterAccountAccess')
  const { user } = ctx
  const managed = await managedBy(user?.id ?? '')
  const { rows, meta } = await selectManagedPage(managed, query, callerId(ctx), user?.pagination ?? null)
  const ids = rows.map(({ id }) => id)
  const places = ids.length > 0 ? await availableOrganizations(ids, ctx.locale) : []
  const contractors = rows.map(({ id, name, inn, kpp, taxNumber }) => ({
    id,
    name,
    inn: inn ?? '',
    kpp: kpp ?? '',
    taxNumber: taxNumber ?? '',
    availableOrganizations: places.flatMap(({ contractorId, ...place }) => (contractorId === id ? [place] : [])),
  }))
  return { contractors, meta }
}

/**
 * Returns the contractor roles, each with whether the caller may give it for a contractor that they manage. Throws 401,
 * 403, 404.
 */
export async function listGrantableRoles(ctx: Ctx, { params: { id } }: ServiceInput<typeof calls.listGrantableRoles>) {
  const { user } = await requireManagerOf(ctx, id)
  if (!(await selectContractorName(id))) throw notFound()
  const rows = await selectContractorRoles(ctx.locale)
  const unassignable = await unassignableRoles(
    user.id,
    id,
    rows.map(({ roleId }) => roleId),
  )
  return {
    roles: rows.map(({ applicationIds: _, ...role }) => ({ ...role, allowed: !unassignable.includes(role.roleId) })),
  }
}
