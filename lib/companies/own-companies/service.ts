import { db } from '@/db/client'
import { changingRolesOf } from '@/lib/access/rights/last-administrator'
import { refreshRights } from '@/lib/access/rights/service'
import { placesOf } from '@/lib/access/role-places'
import { lockEnabledAccount } from '@/lib/accounts/users/own'
import { userServices } from '@/lib/applications/menu/service'
import { requireUser } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { notFound } from '@/lib/base/runtime/errors'
import { profileValues } from '../contractors/fields'
import { auditingMemberships } from '../contractors/memberships'
import { lockMembershipRows, lostByLeaving } from '../managers/service'
import { requisitesOf } from '../requisites'
import type * as calls from './contract'
import { removeMember, selectCompanyPage, selectHeldRoles, selectMethodsWithout } from './queries'

/** Returns one page of the companies that the signed-in person belongs to, with the person's roles. Throws 401. */
export async function listCompanies(ctx: Ctx, { query }: ServiceInput<typeof calls.listCompanies>) {
  requireUser(ctx)
  const { id: userId, pagination } = ctx.user
  const { rows, meta } = await selectCompanyPage(userId, query, pagination)
  const ids = rows.map(({ contractor }) => contractor.id)
  const heldRoles = ids.length > 0 ? await selectHeldRoles(userId, ids, ctx.locale) : []
  const companies = await Promise.all(
    rows.map(async ({ contractor, date }): Promise<calls.Company> => {
      const { id, name, enabled, values } = contractor
      return {
        id,
        name,
        ...requisitesOf(contractor),
        enabled,
        date: date.toISOString(),
        access: placesOf(heldRoles.filter(({ contractorId }) => contractorId === id)),
        additionalInfo: await profileValues(values),
      }
    }),
  )
  return { companies, meta }
}

/**
 * Returns what the signed-in person would lose by leaving a company. Throws 401, and 404 if they don't belong to it.
 */
export async function previewLeaving(
  ctx: Ctx,
  { params: { id } }: ServiceInput<typeof calls.previewLeaving>,
): Promise<calls.Leaving> {
  requireUser(ctx)
  const leaving = await lostByLeaving(db(), ctx.user.id, id, ctx.now())
  if (!leaving) throw notFound()
  const { otherManager, ...loss } = leaving
  const [servicesNow, servicesAfter] = await Promise.all([
    userServices(ctx.user, ctx.domain),
    selectMethodsWithout(ctx.user.id, id).then((ids) => userServices({ methodIds: new Set(ids) }, ctx.domain)),
  ])
  const remainingIds = new Set(servicesAfter.map((service) => service.id))
  const lostServices = servicesNow.filter((service) => !remainingIds.has(service.id))
  return {
    ...loss,
    services: lostServices.map(({ title, titleEn }) => ({ title, titleEn })),
    lastManager: loss.manager && !otherManager,
  }
}

/**
 * Takes the signed-in person out of a company: the roles that they hold for it are gone at once, also in open sessions
 * and tokens; the account stays (docs/rules/profile.md#companies). Throws 401, 404 if they don't belong to it, and
 * 409 lastAdministrator.
 */
export async function leaveCompany(ctx: Ctx, { params: { id } }: ServiceInput<typeof calls.leaveCompany>) {
  requireUser(ctx)
  const userId = ctx.user.id
  const afterCommit = await changingRolesOf(userId, async (tx) => {
    // a merge of the contractor waits, so that it doesn't copy the membership
    await lockMembershipRows(tx, id)
    await lockEnabledAccount(tx, userId)
    await auditingMemberships(tx, ctx, [userId], async () => {
      if (!(await removeMember(tx, userId, id))) throw notFound()
    })
    return refreshRights(tx, ctx, { people: [userId] })
  })
  await afterCommit()
  return {}
}
