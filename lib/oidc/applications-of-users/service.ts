import { db } from '@/db/client'
import { isPerson } from '@/lib/entry/user-sessions/of-person'
import { requireMethod } from '@/lib/kernel/access'
import type { Ctx } from '@/lib/kernel/ctx'
import { notFound } from '@/lib/kernel/errors'
import type { VerbInput } from '@/lib/kernel/http/contract'
import { applicationsOf, withdrawFrom } from '@/lib/oidc/consents/service'
import { lockAdministered } from '@/lib/people/users/administer'
import type * as calls from './contract'

/** Returns a page of the applications that have access to data of somebody. Needs users.read. Throws 404. */
export async function listApplicationsOfUser(
  ctx: Ctx,
  { params: { id }, query }: VerbInput<typeof calls.listApplicationsOfUser>,
) {
  requireMethod(ctx, 'users.read')
  if (!(await isPerson(id))) throw notFound()
  return applicationsOf(ctx, id, query)
}

/**
 * Withdraws an application's access to data of somebody. Needs users.write. Throws what `lockAdministered` throws, and 404
 * for an application without access (docs/rules/people.md#administration-of-users).
 */
export async function withdrawApplicationOfUser(
  ctx: Ctx,
  { params: { id, applicationId } }: VerbInput<typeof calls.withdrawApplicationOfUser>,
) {
  requireMethod(ctx, 'users.write')
  await db().transaction(async (tx) => {
    await lockAdministered(tx, ctx, id)
    await withdrawFrom(tx, ctx, id, applicationId)
  })
  return {}
}
