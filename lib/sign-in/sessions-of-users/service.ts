import { db } from '@/db/client'
import { lockAdministered } from '@/lib/accounts/users/administer'
import { requireMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { notFound } from '@/lib/base/runtime/errors'
import { endSelected, isPerson, sessionPageOf } from '../own-sessions/of-person'
import { clearSessionCookie } from '../sessions/service'
import type * as calls from './contract'

/** Returns one page of a user's live sessions. Needs users.read. Throws 404 for an unknown account. */
export async function listUserSessions(
  ctx: Ctx,
  { params: { id }, query }: ServiceInput<typeof calls.listUserSessions>,
) {
  requireMethod(ctx, 'users.read')
  if (!(await isPerson(id))) throw notFound()
  return sessionPageOf(ctx, id, query)
}

/**
 * Ends all live sessions of a user, or one. Needs users.write. Throws what `lockAdministered` throws, and 404 for a
 * session that has ended or is another user's.
 */
export async function endUserSessions(
  ctx: Ctx,
  { params: { id }, query: { sessionId } }: ServiceInput<typeof calls.endUserSessions>,
) {
  requireMethod(ctx, 'users.write')
  const { ended, afterCommit } = await db().transaction(async (tx) => {
    await lockAdministered(tx, ctx, id)
    return endSelected(tx, ctx, id, sessionId ? { only: sessionId } : {}, 'endedByAdministrator')
  })
  await afterCommit()
  if (sessionId && ended.length === 0) throw notFound()
  if (ctx.session && ended.includes(ctx.session.id)) clearSessionCookie(ctx)
  return { ended: ended.length }
}
