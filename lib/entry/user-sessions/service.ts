import { db } from '@/db/client'
import { clearSessionCookie, endSessions as endRows } from '@/lib/entry/sessions/service'
import { requireUser } from '@/lib/kernel/access'
import { countryOf } from '@/lib/kernel/country'
import type { Ctx } from '@/lib/kernel/ctx'
import { notFound } from '@/lib/kernel/errors'
import { emit } from '@/lib/kernel/events'
import type { VerbInput } from '@/lib/kernel/http/contract'
import { record } from '@/lib/kernel/record/record'
import { platformSettings } from '@/lib/platform/settings/service'
import type * as calls from './contract'
import { sessionEntity } from './entity'
import { isSessionOpen, selectLiveSessions, selectSessionPage, storeDisplay } from './queries'

/** Returns one page of the signed-in person's live sessions, this one first. Throws 401. */
export async function listSessions(ctx: Ctx, { query }: VerbInput<typeof calls.listSessions>) {
  requireUser(ctx)
  const { sessionIdleAlive: idleAlive } = await platformSettings()
  const of = { userId: ctx.user.id, currentId: ctx.session.id, now: ctx.now(), idleAlive }
  const { rows, meta } = await selectSessionPage(query, ctx.user.pagination, of)
  const countries = await Promise.all(rows.map(({ session }) => countryOf(session.ip)))
  return {
    sessions: rows.map(({ session, provider }, at) => ({
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
      country: countries[at] ?? null,
      provider,
    })),
    meta,
  }
}

/** Ends the person's selected live sessions, and records each end. */
async function end(ctx: Ctx, selection: { only?: string; except?: string }) {
  requireUser(ctx)
  const { user, session } = ctx
  const { sessionIdleAlive: idleAlive } = await platformSettings()
  const { ended, afterCommit } = await db().transaction(async (tx) => {
    const open = await selectLiveSessions(tx, { userId: user.id, now: ctx.now(), idleAlive }, selection)
    const done = await endRows(
      tx,
      ctx,
      open.map(({ id }) => id),
      'endedByUser',
    )
    for (const { id, ...session } of open)
      if (done.ended.includes(id)) await record(tx, ctx, sessionEntity, id, session, null)
    const count = done.ended.filter((id) => id !== session.id).length
    if (count === 0) return done
    const told = await emit(tx, ctx, 'sessionsEnded', { userId: user.id, count })
    return { ...done, afterCommit: () => done.afterCommit().then(told) }
  })
  await afterCommit()
  const current = ended.includes(session.id)
  if (current) clearSessionCookie(ctx)
  return { ended: ended.length, current }
}

/** Ends all of the person's sessions, or all but this one. Throws 401. */
export const endSessions = (ctx: Ctx, { query }: VerbInput<typeof calls.endSessions>) =>
  end(ctx, query.current === 'false' ? { except: ctx.session?.id } : {})

/** Ends one of the person's sessions. Throws 401, and 404 for one that is over or somebody else's. */
export async function endSession(ctx: Ctx, { params: { sessionId } }: VerbInput<typeof calls.endSession>) {
  const answer = await end(ctx, { only: sessionId })
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
