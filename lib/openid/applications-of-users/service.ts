import { db } from '@/db/client'
import { lockAdministered } from '@/lib/accounts/users/administer'
import { requireMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { notFound } from '@/lib/base/runtime/errors'
import { isPerson } from '@/lib/sign-in/own-sessions/of-person'
import { applicationsOf, withdrawApplication } from '../consents/service'
import type * as calls from './contract'

/** Returns a page of the applications that have access to a person's data. Needs users.read. Throws 404. */
export async function listApplicationsOfUser(
  ctx: Ctx,
  { params: { id }, query }: ServiceInput<typeof calls.listApplicationsOfUser>,
) {
  requireMethod(ctx, 'users.read')
  if (!(await isPerson(id))) throw notFound()
  return applicationsOf(ctx, id, query)
}

/**
 * Withdraws an application's access to a person's data. Needs users.write. Throws what `lockAdministered` throws, and
 * 404 for an application without access (docs/rules/people.md#administration-of-users).
 */
export async function withdrawApplicationOfUser(
  ctx: Ctx,
  { params: { id, applicationId } }: ServiceInput<typeof calls.withdrawApplicationOfUser>,
) {
  requireMethod(ctx, 'users.write')
  await db().transaction(async (tx) => {
    await lockAdministered(tx, ctx, id)
    await withdrawApplication(tx, ctx, id, applicationId)
  })
  return {}
}
