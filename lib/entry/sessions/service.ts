import type { SQL } from 'drizzle-orm'
import { z } from 'zod'
import { type Database, db, type Transaction } from '@/db/client'
import { auditFrom } from '@/lib/kernel/audit'
import { digest, randomToken } from '@/lib/kernel/crypto/secrets'
import type { Cookies, Ctx, CtxSession, CtxUser } from '@/lib/kernel/ctx'
import { enqueue } from '@/lib/kernel/jobs'
import { tell } from '@/lib/kernel/live'
import { log } from '@/lib/kernel/log'
import { dropOnward } from '@/lib/kernel/navigation/onward'
import { redis } from '@/lib/kernel/redis'
import { accessOf } from '@/lib/people/roles/service'
import { platformSettings } from '@/lib/platform/settings/service'
import { type Origin, openSession, sealSession } from './cookie'
import { deviceOf } from './device'
import {
  bindSession,
  endSessionRow,
  findByOidcUid,
  findLiveSession,
  insertSession,
  liveSessionIds,
  sessionOrigin,
  touchByOidcUid,
  touchSession,
} from './queries'

const sessionCookie = 'session'
const deviceCookie = 'device'
const deviceCookieAge = 34_560_000

/** Seconds for which Redis may answer for PostgreSQL; also how exact the last access is. */
const keptFor = 60
const keyOf = (sessionId: string) => `principal:${sessionId}`
const ended = 'ended'

const Principal = z.object({
  userId: z.string(),
  login: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  temporary: z.boolean(),
  navMini: z.boolean().nullable(),
  pagination: z.number().nullable(),
  lang: z.string().nullable(),
  cookieConsent: z.boolean(),
  methods: z.array(z.string()),
  methodIds: z.array(z.string()),
  expiresAt: z.number(),
})
type Principal = z.output<typeof Principal>

/** What Redis kept; null when it is of another version or none of ours. */
function readPrincipal(kept: string): Principal | null {
  try {
    return Principal.parse(JSON.parse(kept))
  } catch {
    return null
  }
}

export type CurrentSession = {
  session: CtxSession
  user: CtxUser
  /** The language the person chose, if any. */
  lang: string | null
  cookieConsent: boolean
}

async function loadPrincipal(sessionId: string, now: Date, passive: boolean): Promise<Principal | null> {
  const row = await findLiveSession(sessionId)
  if (!row) return null
  const { sessionIdleAlive } = await platformSettings()
  const idleUntil = row.lastAccessAt.getTime() + sessionIdleAlive * 1000
  if (row.expiresAt <= now || idleUntil <= now.getTime()) {
    await db().transaction((tx) => endSessionRow(tx, sessionId, 'expired', now))
    return null
  }
  if (!passive && now.getTime() - row.lastAccessAt.getTime() >= keptFor * 1000) await touchSession(sessionId, now)
  const { methods, methodIds } = await accessOf(row.userId)
  return {
    userId: row.userId,
    login: row.login,
    firstName: row.firstName,
    lastName: row.lastName,
    temporary: row.temporary,
    navMini: row.navMini,
    pagination: row.pagination,
    lang: row.lang,
    cookieConsent: row.cookieConsent === true,
    methods: [...methods],
    methodIds: [...methodIds],
    expiresAt: row.expiresAt.getTime(),
  }
}

/**
 * Who holds the session cookie, or null for nobody: forged, ended, expired, idle too long, or disabled.
 * The only reader of sessions. Redis answers for a minute; PostgreSQL is the truth and answers when Redis can't.
 * `passive`: a page asks by itself, which is no access and keeps no session from running out.
 */
export async function currentSession(cookies: Cookies, now: Date, passive = false): Promise<CurrentSession | null> {
  const cookie = cookies.get(sessionCookie)
  const session = cookie ? await openSession(cookie) : undefined
  if (!session) return null
  const { id: sessionId } = session

  let principal: Principal | null = null
  const kept = await redis()
    .get(keyOf(sessionId))
    .catch(() => null)
  if (kept === ended || unmarked.has(sessionId)) return null
  if (kept) principal = readPrincipal(kept)
  if (!principal) {
    principal = await loadPrincipal(sessionId, now, passive)
    if (!principal) return null
    // NX: a session that was ended meanwhile has left its mark there, which must stay.
    // Kept by a passive look, it would hide the next true access
    if (!passive)
      await redis()
        .set(keyOf(sessionId), JSON.stringify(principal), 'EX', keptFor, 'NX')
        .catch(() => null)
  }
  if (principal.expiresAt <= now.getTime()) return null
  const { userId, methods, methodIds, lang, cookieConsent, expiresAt: _, ...person } = principal
  return {
    session,
    user: {
      id: userId,
      ...person,
      methods: new Set(methods),
      methodIds: new Set(methodIds),
    },
    lang,
    cookieConsent,
  }
}

/** Ended while Redis was away: what it cached of them is older. */
const unmarked = new Set<string>()

/** Marks sessions as ended where they are cached. Call after the commit that ended them. */
async function forgetSessions(ids: string[]) {
  if (ids.length === 0) return
  const batch = redis().pipeline()
  for (const id of ids) batch.set(keyOf(id), ended, 'EX', keptFor * 2)
  try {
    const failed = (await batch.exec())?.find(([error]) => error)?.[0]
    if (failed) throw failed
    for (const id of ids) unmarked.delete(id)
  } catch (error) {
    log.warn({ err: error }, 'ended sessions are marked once Redis is back')
    if (unmarked.size === 0) redis().once('ready', () => void forgetSessions([...unmarked]))
    for (const id of ids) unmarked.add(id)
    // nothing is cached for longer
    setTimeout(() => ids.forEach((id) => void unmarked.delete(id)), keptFor * 2_000).unref()
  }
}

/** Lets the OpenID Provider's session `oidcUid` live and end with this one. */
export const bindProviderSession = async (sessionId: string, oidcUid: string): Promise<void> =>
  void (await bindSession(sessionId, oidcUid))

/** The live session, and its user, with which a session of the OpenID Provider goes; null when there is none. */
export async function providerSession(oidcUid: string, now: Date) {
  const { sessionIdleAlive } = await platformSettings()
  return findByOidcUid(oidcUid, now, new Date(now.getTime() - sessionIdleAlive * 1000))
}

/** Counts what an application does for the person as an access: it keeps their session from running idle. */
export async function touchByProvider(oidcUid: string, now: Date): Promise<void> {
  const { sessionIdleAlive } = await platformSettings()
  const [idle, exact] = [sessionIdleAlive, keptFor].map((seconds) => new Date(now.getTime() - seconds * 1000))
  if (idle && exact) await touchByOidcUid(oidcUid, now, { accessedAfter: idle, accessedBefore: exact })
}

/** When a session began; null for an unknown one. */
export const signedInAt = async (sessionId: string): Promise<Date | null> =>
  (await sessionOrigin(sessionId))?.createdAt ?? null

/** Lets a user's sessions be read afresh: something that they carry has changed. Call after the commit. */
export async function refreshSessions(userId: string, now: Date) {
  const ids = await liveSessionIds(db(), userId, now)
  if (ids.length > 0)
    await redis()
      .del(ids.map(keyOf))
      .catch(() => 0)
}

/** Digest of the browser's device cookie, which outlives sessions; null for a new browser. */
export const deviceHashOf = (ctx: Ctx): string | null => {
  const token = ctx.cookies.get(deviceCookie)
  return token ? digest(token) : null
}

/**
 * Starts a session for a user in this browser. The id is new at each sign-in; a session that the browser had
 * before is ended. `claim` is the statement that gives the right to it, so that both happen or neither; null when
 * it gave no row. `origin` is how the person proved themselves. Gives what to do once that is committed.
 */
export async function startSession(
  tx: Transaction | Database,
  ctx: Ctx,
  userId: string,
  claim: SQL,
  origin: Origin = {},
) {
  const now = ctx.now()
  const { sessionAlive } = await platformSettings()
  const token = ctx.cookies.get(deviceCookie) ?? randomToken()
  const { browser, system } = deviceOf(ctx.userAgent)
  const previous = ctx.session?.id
  const sessionId = await insertSession(
    tx,
    {
      userId,
      domainId: ctx.domain.id,
      createdAt: now,
      expiresAt: new Date(now.getTime() + sessionAlive * 1000),
      ip: ctx.ip,
      userAgent: ctx.userAgent.slice(0, 512),
      browser,
      system,
      deviceType: ctx.deviceType,
      deviceHash: digest(token),
    },
    {
      claim,
      history: auditFrom(ctx, { type: 'login', entity: 'users', entityId: userId, changerId: userId }, 'claimed'),
      replaced: previous,
      // agreed to before signing in: from now on the server knows it too (portal.md section 4)
      cookieConsent: ctx.cookies.get('cookieConsent') === '1',
    },
  )
  if (!sessionId) return null
  if (previous && ctx.user) {
    await tell(tx, 'session-ended', { userId: ctx.user.id, sessionId: previous }, { reason: 'replaced' })
    const before = ctx.user.id === userId ? null : await sessionOrigin(previous, tx)
    if (before?.oidcUid) await enqueue(tx, 'oidcSessionEnded', { uid: before.oidcUid })
  }
  return {
    sessionId,
    async afterCommit() {
      if (previous) await forgetSessions([previous])
      ctx.cookies.set(sessionCookie, await sealSession(sessionId, sessionAlive, origin), { maxAge: sessionAlive })
      ctx.cookies.set(deviceCookie, token, { maxAge: deviceCookieAge })
    },
  }
}

/** Signs this browser out; whoever comes next to it was not on the way to where this person was. */
export function dropSessionCookie(ctx: Ctx) {
  ctx.cookies.set(sessionCookie, null)
  dropOnward(ctx)
}

/** Ends this browser's session, if there is one; the cookie goes in any case. */
export async function endCurrentSession(ctx: Ctx, reason: string) {
  if (ctx.session) {
    const { id } = ctx.session
    await db().transaction((tx) => endSessionRow(tx, id, reason, ctx.now()))
    await forgetSessions([ctx.session.id])
  }
  dropSessionCookie(ctx)
}

/** Ends these sessions in the given transaction; gives which of them were live and what to call after the commit. */
export async function endSessions(tx: Transaction, ctx: Ctx, ids: string[], reason: string) {
  const ended: string[] = []
  for (const id of ids) if (await endSessionRow(tx, id, reason, ctx.now())) ended.push(id)
  return { ended, afterCommit: () => forgetSessions(ended) }
}

/** Ends a user's sessions in the given transaction; call the returned function after its commit. */
export async function endUserSessions(tx: Transaction, ctx: Ctx, userId: string, reason: string, except?: string) {
  const ids = await liveSessionIds(tx, userId, ctx.now(), except)
  return (await endSessions(tx, ctx, ids, reason)).afterCommit
}
