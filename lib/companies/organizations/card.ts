import type { z } from 'zod'
import { countedHolders } from '@/lib/access/roles/contract'
import { callerId, requireMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { OrganizationContractorQuery } from './contract'
import { selectContractorPage, selectRolesHeld } from './queries'

/** The query of the contractors of a card. */
export type OrganizationContractors = z.output<typeof OrganizationContractorQuery>

/**
 * Returns the roles that people hold in an organization, each with how many people hold it. Needs organizations.read.
 * For an unknown organization there are none.
 */
export async function organizationRoles(ctx: Ctx, id: string) {
  requireMethod(ctx, 'organizations.read')
  const rows = await selectRolesHeld(id, ctx.locale, countedHolders)
  return rows.map((row) => ({ ...row, nameEn: row.nameEn ?? '' }))
}

/** Returns one page of the contractors that have an organization available. Needs both areas' read methods. */
export async function organizationContractors(ctx: Ctx, id: string, { query }: { query: OrganizationContractors }) {
  requireMethod(ctx, 'organizations.read')
  requireMethod(ctx, 'contractors.read')
  const { rows, meta } = await selectContractorPage(id, query, callerId(ctx), ctx.user?.pagination ?? null)
  return { contractors: rows.map((row) => ({ ...row, inn: row.inn ?? '' })), meta }
}
