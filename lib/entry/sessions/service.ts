import type { SQL } from 'drizzle-orm'
import { z } from 'zod'
import { type Database, db, type Transaction } from '@/db/client'
import { digest, randomToken } from '@/lib/kernel/crypto/secrets'
import type { Cookies, Ctx, CtxSession, CtxUser } from '@/lib/kernel/ctx'
import { enqueue } from '@/lib/kernel/jobs'
import { sendLiveEvent } from '@/lib/kernel/live'
import { log } from '@/lib/kernel/log'
import { dropOnward } from '@/lib/kernel/navigation/onward'
import { recordActFrom } from '@/lib/kernel/record/record'
import { redis } from '@/lib/kernel/redis'
import { accessOf } from '@/lib/people/roles/service'
import { userEntity } from '@/lib/people/users/entity'
import { platformSettings } from '@/lib/platform/settings/service'
import { announceChange, hearOfEnd, hearsOfChanges, isKnownEnded, isStillTrue } from './changes'
import { cookieKey, type Origin, openSession, resealed, sealSession } from './cookie'
import { deviceOf } from './device'
import {
  bindSession,
  endSessionRow,
  findByOidcUid,
  findLiveSession,
  insertSession,
  liveSessionIds,
  noteSealer,
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

/** What Redis keeps of a session. */
export const Principal = z.object({
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
  at: z.number().optional(),
  behind: z.number().optional(),
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
    at: row.at,
    behind: row.behind,
  }
}

/** A session that was ended meanwhile has left its mark, which must stay. */
const keeping = `
if redis.call('get', KEYS[1]) == ARGV[3] then return 0 end
redis.call('set', KEYS[1], ARGV[1], 'EX', ARGV[2])
return 1`

const keep = (sessionId: string, principal: Principal) =>
  redis()
    .eval(keeping, 1, keyOf(sessionId), JSON.stringify(principal), keptFor, ended)
    .catch(() => null)

/**
 * Who holds the session cookie, or null for nobody: forged, ended, expired, idle too long, or disabled.
 * The only reader of sessions. Redis answers for a minute, as long as changes arrive here and none came after what it
 * kept; PostgreSQL is the truth and answers otherwise.
 * `passive`: a page asks by itself, which is no access and keeps no session from running out.
 */
export async function currentSession(cookies: Cookies, now: Date, passive = false): Promise<CurrentSession | null> {
  const cookie = cookies.get(sessionCookie)
  const session = cookie ? await openSession(cookie) : undefined
  if (!session) return null
  const { id: sessionId } = session

  if (isKnownEnded(sessionId)) return null
  const kept = hearsOfChanges()
    ? await redis()
        .get(keyOf(sessionId))
        .catch(() => null)
    : null
  if (kept === ended) return null
  let principal = kept ? readPrincipal(kept) : null
  if (!principal || !isStillTrue(principal.userId, principal)) {
    principal = await loadPrincipal(sessionId, now, passive)
    if (!principal) return null
    // kept by a passive look, it would hide the next true access
    if (!passive) await keep(sessionId, principal)
  }
  if (principal.expiresAt <= now.getTime()) return null
  const {
    userId,
    methods,
    methodIds,
    lang,
    cookieConsent,
    expiresAt: _,
    at: _at,
    behind: _behind,
    ...person
  } = principal
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

/**
 * Marks sessions as ended, here and where they are cached. Call after the commit that ended them. Other processes hear
 * of the end by PostgreSQL: the marks are for those of the version before, and for those that start later.
 */
async function forgetSessions(ids: string[]) {
  if (ids.length === 0) return
  for (const id of ids) hearOfEnd(id)
  const batch = redis().pipeline()
  for (const id of ids) batch.set(keyOf(id), ended, 'EX', keptFor * 2)
  try {
    const failed = (await batch.exec())?.find(([error]) => error)?.[0]
    if (failed) throw failed
  } catch (error) {
    log.warn({ err: error }, 'ended sessions are not marked in Redis')
  }
}

/**
 * Seals this browser's cookie anew if an older key sealed it, so that the key may go while people work. Only in route
 * handlers. Never throws: the cookie as it is does as well.
 */
export async function renewCookie({ session, cookies }: Ctx) {
  try {
    const fresh = session ? await resealed(cookies.get(sessionCookie) ?? '') : undefined
    if (!session || !fresh) return
    await noteSealer(session.id, cookieKey())
    cookies.set(sessionCookie, fresh.value, { maxAge: fresh.maxAge })
  } catch (error) {
    log.debug({ err: error }, 'a cookie was not sealed anew')
  }
}

/**
 * Lets the OpenID Provider's session `oidcUid` live and end with this one, which has one for as long as it lives. Gives
 * the name of that one, another than was asked if there was one, and when this one began; null when it has ended.
 */
export const bindProviderSession = (sessionId: string, oidcUid: string) => bindSession(sessionId, oidcUid)

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

/**
 * Lets a user's sessions be read afresh by every process as soon as the transaction commits, for something that they
 * carry has changed: rights, names, settings. Give the transaction of the change; call what it gives after the commit.
 */
export async function refreshSessions(tx: Transaction | Database, userId: string, now: Date) {
  const [hear, ids] = [await announceChange(tx, userId), await liveSessionIds(tx, userId, now)]
  return async () => {
    hear()
    // for processes of the version before
    if (ids.length > 0)
      await redis()
        .del(ids.map(keyOf))
        .catch(() => 0)
  }
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
      sealedBy: cookieKey(),
    },
    {
      claim,
      history: recordActFrom(ctx, userEntity, userId, 'login', 'claimed', { changerId: userId }),
      replaced: previous,
      // agreed to before signing in: from now on the server knows it too (docs/rules/texts-and-look.md#cookie-notice)
      cookieConsent: ctx.cookies.get('cookieConsent') === '1',
    },
  )
  if (!sessionId) return null
  if (previous && ctx.user) {
    await sendLiveEvent(tx, 'session-ended', { userId: ctx.user.id, sessionId: previous }, { reason: 'replaced' })
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
