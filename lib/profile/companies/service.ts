import { db } from '@/db/client'
import { requireUser } from '@/lib/kernel/access'
import type { Ctx } from '@/lib/kernel/ctx'
import { notFound } from '@/lib/kernel/errors'
import type { VerbInput } from '@/lib/kernel/http/contract'
import { profileValues } from '@/lib/people/contractors/fields'
import { recordingMemberships } from '@/lib/people/contractors/memberships'
import { keepPlaces, lostByLeaving } from '@/lib/people/master-account/service'
import { requisitesOf } from '@/lib/people/requisites'
import { changingHeldBy } from '@/lib/people/rights/administrators'
import { refreshRights } from '@/lib/people/rights/service'
import { placesOf } from '@/lib/people/role-places'
import { lockEnabledAccount } from '@/lib/people/users/own'
import { userServices } from '@/lib/platform/menu/service'
import type * as calls from './contract'
import { removeMember, selectCompanyPage, selectHeld, selectMethodsWithout } from './queries'

/** Returns one page of the companies that the signed-in person belongs to, with the person's roles. Throws 401. */
export async function listCompanies(ctx: Ctx, { query }: VerbInput<typeof calls.listCompanies>) {
  requireUser(ctx)
  const { id: userId, pagination } = ctx.user
  const { rows, meta } = await selectCompanyPage(userId, query, pagination)
  const ids = rows.map(({ contractor }) => contractor.id)
  const held = ids.length > 0 ? await selectHeld(userId, ids, ctx.locale) : []
  const companies = await Promise.all(
    rows.map(async ({ contractor, date }): Promise<calls.Company> => {
      const { id, name, enabled, values } = contractor
      return {
        id,
        name,
        ...requisitesOf(contractor),
        enabled,
        date: date.toISOString(),
        access: placesOf(held.filter(({ contractorId }) => contractorId === id)),
        additionalInfo: await profileValues(values),
      }
    }),
  )
  return { companies, meta }
}

/** Returns what the signed-in person would lose by leaving a company. Throws 401, and 404 if they don't belong to it. */
export async function previewLeaving(
  ctx: Ctx,
  { params: { id } }: VerbInput<typeof calls.previewLeaving>,
): Promise<calls.Leaving> {
  requireUser(ctx)
  const found = await lostByLeaving(db(), ctx.user.id, id, ctx.now())
  if (!found) throw notFound()
  const { otherManager, ...loss } = found
  const [now, then] = await Promise.all([
    userServices(ctx.user, ctx.domain),
    selectMethodsWithout(ctx.user.id, id).then((ids) => userServices({ methodIds: new Set(ids) }, ctx.domain)),
  ])
  const kept = new Set(then.map((service) => service.id))
  const services = now.filter((service) => !kept.has(service.id))
  return {
    ...loss,
    services: services.map(({ title, titleEn }) => ({ title, titleEn })),
    lastManager: loss.manager && !otherManager,
  }
}

/**
 * Takes the signed-in person out of a company: the roles that they hold for it are gone at once, also in open sessions
 * and tokens; the account stays (docs/rules/profile.md#companies). Throws 401, 404 if they don't belong to it, and
 * 409 lastAdministrator.
 */
export async function leaveCompany(ctx: Ctx, { params: { id } }: VerbInput<typeof calls.leaveCompany>) {
  requireUser(ctx)
  const userId = ctx.user.id
  const afterCommit = await changingHeldBy(userId, async (tx) => {
    // a merge of the contractor must not copy what is being taken
    await keepPlaces(tx, id)
    await lockEnabledAccount(tx, userId)
    await recordingMemberships(tx, ctx, [userId], async () => {
      if (!(await removeMember(tx, userId, id))) throw notFound()
    })
    return refreshRights(tx, ctx, { people: [userId] })
  })
  await afterCommit()
  return {}
}
