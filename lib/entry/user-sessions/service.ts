import { db } from '@/db/client'
import { dropSessionCookie, endSessions as endRows } from '@/lib/entry/sessions/service'
import { requireUser } from '@/lib/kernel/access'
import type { Ctx } from '@/lib/kernel/ctx'
import { notFound } from '@/lib/kernel/errors'
import type { VerbInput } from '@/lib/kernel/http/contract'
import { record } from '@/lib/kernel/record/record'
import { platformSettings } from '@/lib/platform/settings/service'
import type { endSession, endSessions, listSessions } from './contract'
import { sessionEntity } from './entity'
import { liveSessions, sessionIsOpen, sessionPage, storeDisplay } from './queries'

/** Where the signed-in person is signed in, this session first. */
export async function sessions(ctx: Ctx, { query }: VerbInput<typeof listSessions>) {
  requireUser(ctx)
  const { sessionIdleAlive: idleAlive } = await platformSettings()
  const of = { userId: ctx.user.id, currentId: ctx.session.id, now: ctx.now(), idleAlive }
  const { rows, meta } = await sessionPage(query, ctx.user.pagination, of)
  return {
    sessions: rows.map(({ session, provider }) => ({
      id: session.id,
      current: session.id === ctx.session.id,
      start: session.createdAt.toISOString(),
      expiry: new Date(
        Math.min(session.expiresAt.getTime(), session.lastAccessAt.getTime() + idleAlive * 1000),
      ).toISOString(),
      lastAccess: session.lastAccessAt.toISOString(),
      update: session.changedAt.toISOString(),
      device: {
        browser: session.browser,
        system: session.system,
        type: session.deviceType,
        displaySize: session.displaySize,
        displayWindowSize: session.displayWindowSize,
        displayZoom: session.displayZoom === null ? null : Number(session.displayZoom),
      },
      ip: session.ip,
      provider,
    })),
    meta,
  }
}

/** Ends the person's live sessions that are wished for, each with its row of history. */
async function end(ctx: Ctx, wish: { only?: string; except?: string }) {
  requireUser(ctx)
  const { user, session } = ctx
  const { sessionIdleAlive: idleAlive } = await platformSettings()
  const { ended, afterCommit } = await db().transaction(async (tx) => {
    const open = await liveSessions(tx, { userId: user.id, now: ctx.now(), idleAlive }, wish)
    const done = await endRows(
      tx,
      ctx,
      open.map(({ id }) => id),
      'endedByUser',
    )
    for (const { id, ...session } of open)
      if (done.ended.includes(id)) await record(tx, ctx, sessionEntity, id, session, null)
    return done
  })
  await afterCommit()
  const current = ended.includes(session.id)
  if (current) dropSessionCookie(ctx)
  return { ended: ended.length, current }
}

/** Ends all of the person's sessions, or all but this one. */
export const endOwnSessions = (ctx: Ctx, { query }: VerbInput<typeof endSessions>) =>
  end(ctx, query.current === 'false' ? { except: ctx.session?.id } : {})

/** Ends one of the person's sessions. Throws 404 for one that is over or somebody else's. */
export async function endOwnSession(ctx: Ctx, { params: { sessionId } }: VerbInput<typeof endSession>) {
  const answer = await end(ctx, { only: sessionId })
  if (answer.ended === 0) throw notFound()
  return answer
}

/** Keeps on this session what its screen is like: sizes as `1920x1080`, zoom as a factor. */
export async function keepDisplay(
  ctx: Ctx,
  { displayZoom, ...sizes }: { displaySize: string; displayWindowSize: string; displayZoom: number },
) {
  requireUser(ctx)
  await storeDisplay(ctx.session.id, { ...sizes, displayZoom: String(displayZoom) }, ctx.now())
}

/** Whether the session hasn't ended, asked of the database itself. */
export const sessionIsLive = async (id: string) => (await sessionIsOpen(id)) > 0
