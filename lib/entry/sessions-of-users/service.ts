import { db } from '@/db/client'
import { clearSessionCookie } from '@/lib/entry/sessions/service'
import { endSelected, isPerson, sessionPageOf } from '@/lib/entry/user-sessions/of-person'
import { requireMethod } from '@/lib/kernel/access'
import type { Ctx } from '@/lib/kernel/ctx'
import { notFound } from '@/lib/kernel/errors'
import type { VerbInput } from '@/lib/kernel/http/contract'
import { lockAdministered } from '@/lib/people/users/administer'
import type * as calls from './contract'

/** Returns one page of somebody's live sessions. Needs users.read. Throws 404 for an unknown account. */
export async function listUserSessions(ctx: Ctx, { params: { id }, query }: VerbInput<typeof calls.listUserSessions>) {
  requireMethod(ctx, 'users.read')
  if (!(await isPerson(id))) throw notFound()
  return sessionPageOf(ctx, id, query)
}

/**
 * Ends all of somebody's live sessions, or one. Needs users.write. Throws what `lockAdministered` throws, and 404 for a
 * session that is over or another person's.
 */
export async function endUserSessions(
  ctx: Ctx,
  { params: { id }, query: { sessionId } }: VerbInput<typeof calls.endUserSessions>,
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
