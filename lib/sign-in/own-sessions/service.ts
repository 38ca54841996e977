import { db } from '@/db/client'
import { requireUser } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { notFound } from '@/lib/base/runtime/errors'
import { clearSessionCookie } from '../sessions/service'
import type * as calls from './contract'
import { endSelected, type Selection, sessionPageOf } from './of-person'
import { isSessionOpen, storeDisplay } from './queries'

/** Returns one page of the signed-in person's live sessions, this one first. Throws 401. */
export async function listSessions(ctx: Ctx, { query }: ServiceInput<typeof calls.listSessions>) {
  requireUser(ctx)
  return sessionPageOf(ctx, ctx.user.id, query)
}

/** Ends the person's selected live sessions, and records an audit event of each. */
async function endSessionsOf(ctx: Ctx, selection: Selection) {
  requireUser(ctx)
  const { user, session } = ctx
  const { ended, afterCommit } = await db().transaction((tx) => endSelected(tx, ctx, user.id, selection, 'endedByUser'))
  await afterCommit()
  const current = ended.includes(session.id)
  if (current) clearSessionCookie(ctx)
  return { ended: ended.length, current }
}

/** Ends all sessions of the person, or all except this one. Throws 401. */
export const endSessions = (ctx: Ctx, { query }: ServiceInput<typeof calls.endSessions>) =>
  endSessionsOf(ctx, query.current === 'false' ? { except: ctx.session?.id } : {})

/** Ends a session of the person. Throws 401, and 404 for a session that has ended or is another person's. */
export async function endSession(ctx: Ctx, { params: { sessionId } }: ServiceInput<typeof calls.endSession>) {
  const answer = await endSessionsOf(ctx, { only: sessionId })
  if (answer.ended === 0) throw notFound()
  return answer
}

/** Stores the screen of the caller's session: sizes such as `1920x1080`, zoom as a factor. Throws 401. */
export async function saveDisplay(
  ctx: Ctx,
  { displayZoom, ...sizes }: { displaySize: string; displayWindowSize: string; displayZoom: number },
) {
  requireUser(ctx)
  await storeDisplay(ctx.session.id, { ...sizes, displayZoom: String(displayZoom) }, ctx.now())
}

/** Returns whether the session hasn't ended; it reads the database, not the cache. */
export const isSessionLive = async (id: string) => (await isSessionOpen(id)) > 0
