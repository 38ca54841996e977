import type { SQL } from 'drizzle-orm'
import { z } from 'zod'
import { type Database, db, type Transaction } from '@/db/client'
import { accessOf } from '@/lib/access/roles/service'
import { userEntity } from '@/lib/accounts/users/entity'
import { audit, auditEventFrom } from '@/lib/base/audit/audit'
import { sendLiveEvent } from '@/lib/base/cache/live-events'
import type { Cookies, Ctx, CtxSession, CtxUser } from '@/lib/base/context/ctx'
import { StoredColumns } from '@/lib/base/contracts/list-columns'
import { digest, randomToken } from '@/lib/base/crypto/encryption'
import { enqueue } from '@/lib/base/jobs/jobs'
import { dropOnward, onward } from '@/lib/base/navigation/onward'
import { redis } from '@/lib/base/redis/redis'
import { log } from '@/lib/base/runtime/log'
import { platformSettings } from '@/lib/site/settings/service'
import { deviceOf } from '../device'
import { type SignedInBy, successFrom } from '../log/record'
import { announceChanges, isKnownEnded, isStillTrue, markEnded, receivesChanges } from './changes'
import { cookieKey, type Origin, openSession, resealed, sealSession } from './cookie'
import { sessionEntity } from './entity'
import {
  bindSession,
  endSessionRow,
  forgetBrowserOf,
  insertSession,
  selectLiveSession,
  selectLiveSessionIds,
  selectSessionByOidcUid,
  selectSessionOrigin,
  storeSealingKey,
  touchByOidcUid,
  touchSession,
} from './queries'

const sessionCookie = 'session'
const deviceCookie = 'device'
const deviceCookieAge = 34_560_000

/** Seconds for which data in Redis is used instead of PostgreSQL; also the accuracy of the last access. */
const keptFor = 60
const keyOf = (sessionId: string) => `principal:${sessionId}`
const ended = 'ended'

/** The data of a session in Redis. */
export const Principal = z.object({
  userId: z.string(),
  login: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  temporary: z.boolean(),
  navMini: z.boolean().nullable(),
  pagination: z.number().nullable(),
  columns: StoredColumns,
  picture: z.string().nullish(),
  lang: z.string().nullable(),
  timeZone: z.string().nullish(),
  chosenTimeZone: z.string().nullish(),
  cookieConsent: z.boolean(),
  methods: z.array(z.string()),
  methodIds: z.array(z.string()),
  /** Which agreements the person has agreed to; the previous version doesn't store it. */
  agreed: z.array(z.object({ documentId: z.string(), version: z.number() })).optional(),
  expiresAt: z.number(),
  at: z.number().optional(),
  behind: z.number().optional(),
})
type Principal = z.output<typeof Principal>

/** Parses the data in Redis; null if it is of another version or invalid. */
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
  /** The zone of the browser that the person used last, if known. */
  timeZone: string | null
  /** The zone that they have chosen. */
  chosenTimeZone: string | null
  cookieConsent: boolean
  /** Which agreements the person had agreed to at most a minute ago. */
  agreed: readonly { documentId: string; version: number }[]
}

async function loadPrincipal(sessionId: string, now: Date, passive: boolean): Promise<Principal | null> {
  const row = await selectLiveSession(sessionId)
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
    columns: StoredColumns.parse(row.columns),
    picture: row.picture,
    lang: row.lang,
    timeZone: row.timeZone,
    chosenTimeZone: row.chosenTimeZone,
    cookieConsent: row.cookieConsent === true,
    methods: [...methods],
    methodIds: [...methodIds],
    agreed: row.agreed,
    expiresAt: row.expiresAt.getTime(),
    at: row.at,
    behind: row.behind,
  }
}

/** Doesn't overwrite the mark of a session that was ended meanwhile. */
const keeping = `
if redis.call('get', KEYS[1]) == ARGV[3] then return 0 end
redis.call('set', KEYS[1], ARGV[1], 'EX', ARGV[2])
return 1`

const keep = (sessionId: string, principal: Principal) =>
  redis()
    .eval(keeping, 1, keyOf(sessionId), JSON.stringify(principal), keptFor, ended)
    .catch(() => null)

/**
 * Returns the cookie's session and user; null if forged, ended, expired, idle for too long, or if the user is disabled.
 * Data in Redis is used for a minute, if this process has received all changes since; else PostgreSQL is read.
 * `passive`: the page polls by itself, which doesn't count as an access.
 */
export async function currentSession(cookies: Cookies, now: Date, passive = false): Promise<CurrentSession | null> {
  const cookie = cookies.get(sessionCookie)
  const session = cookie ? await openSession(cookie) : undefined
  if (!session) return null
  const { id: sessionId } = session

  if (isKnownEnded(sessionId)) return null
  const kept = receivesChanges()
    ? await redis()
        .get(keyOf(sessionId))
        .catch(() => null)
    : null
  if (kept === ended) return null
  let principal = kept ? readPrincipal(kept) : null
  if (!principal || !isStillTrue(principal.userId, principal)) {
    principal = await loadPrincipal(sessionId, now, passive)
    if (!principal) return null
    // if a passive request stored it in Redis, the next real access would go unnoticed
    if (!passive) await keep(sessionId, principal)
  }
  if (principal.expiresAt <= now.getTime()) return null
  const {
    userId,
    methods,
    methodIds,
    lang,
    cookieConsent,
    agreed = [],
    expiresAt: _,
    at: _at,
    behind: _behind,
    picture = null,
    timeZone = null,
    chosenTimeZone = null,
    ...person
  } = principal
  return {
    session,
    user: {
      id: userId,
      ...person,
      picture,
      methods: new Set(methods),
      methodIds: new Set(methodIds),
    },
    lang,
    timeZone,
    chosenTimeZone,
    cookieConsent,
    agreed,
  }
}

/**
 * Marks sessions as ended in this process and in Redis. Call it after the commit that ended them. Other processes get a
 * notification from PostgreSQL; the marks are for those of the previous version and for those that start later.
 */
export async function forgetSessions(ids: string[]) {
  if (ids.length === 0) return
  for (const id of ids) markEnded(id)
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
 * Reseals this browser's cookie if an older key sealed it, so that the key can be removed while people work. Call it
 * only in route handlers. Never throws: the old cookie works too.
 */
export async function renewCookie({ session, cookies }: Ctx) {
  try {
    const fresh = session ? await resealed(cookies.get(sessionCookie) ?? '') : undefined
    if (!session || !fresh) return
    await storeSealingKey(session.id, cookieKey())
    cookies.set(sessionCookie, fresh.value, { maxAge: fresh.maxAge })
  } catch (error) {
    log.debug({ err: error }, 'a cookie was not sealed anew')
  }
}

/**
 * Binds the OpenID Provider's session `oidcUid` to this session, which has only one in its life: both end together.
 * Returns the bound session's uid, another one if there was one already, and when this session began; null if it has
 * ended.
 */
export const bindProviderSession = (sessionId: string, oidcUid: string) => bindSession(sessionId, oidcUid)

/** Returns the live session that is bound to a session of the OpenID Provider, with its user; null if there is none. */
export async function providerSession(oidcUid: string, now: Date) {
  const { sessionIdleAlive } = await platformSettings()
  return selectSessionByOidcUid(oidcUid, now, new Date(now.getTime() - sessionIdleAlive * 1000))
}

/** Counts an application's request for the person as an access, so that their session doesn't become idle. */
export async function touchByProvider(oidcUid: string, now: Date): Promise<void> {
  const { sessionIdleAlive } = await platformSettings()
  const [idle, exact] = [sessionIdleAlive, keptFor].map((seconds) => new Date(now.getTime() - seconds * 1000))
  if (idle && exact) await touchByOidcUid(oidcUid, now, { accessedAfter: idle, accessedBefore: exact })
}

/** Returns when a session began; null for an unknown one. */
export const signedInAt = async (sessionId: string): Promise<Date | null> =>
  (await selectSessionOrigin(sessionId))?.createdAt ?? null

/**
 * Makes every process read a user's sessions again as soon as the transaction commits, because their data has changed:
 * rights, names, settings. Takes the transaction of the change. Call the returned function after the commit.
 */
export const refreshSessions = (tx: Transaction | Database, userId: string, now: Date) =>
  refreshSessionsOf(tx, [userId], now)

/** The same for the sessions of several users, in two statements, or of everybody (null). */
export async function refreshSessionsOf(tx: Transaction | Database, userIds: string[] | null, now: Date) {
  const hear = await announceChanges(tx, userIds)
  // everybody's would be too many keys to delete; a process of the previous version reads those for a minute more
  const ids = userIds ? await selectLiveSessionIds(tx, userIds, now) : []
  return async () => {
    hear()
    // for processes of the previous version
    if (ids.length > 0)
      await redis()
        .del(ids.map(keyOf))
        .catch(() => 0)
  }
}

/** Returns the digest of the browser's device cookie, which outlives sessions; null for a new browser. */
export const deviceHashOf = (ctx: Ctx): string | null => {
  const token = ctx.cookies.get(deviceCookie)
  return token ? digest(token) : null
}

/** What was typed, where the person goes, and the provider that has proven who they are. */
type Coming = {
  kind?: SignedInBy
  path?: string | null
  provider?: { id: string; subject: string; sid: string | null; left?: string | undefined } | null | undefined
}

/**
 * Starts a session for a user in this browser, with a new id; a session that the browser had before is ended. `claim`
 * is the statement that gives the right to it, so that both happen or neither; if it returns no row, the result is
 * null. `origin` is how the person proved themselves, `kind` what they typed, `path` where they go: the sign-in log has
 * them. Call the returned `afterCommit` after the commit.
 */
export async function startSession(
  tx: Transaction | Database,
  ctx: Ctx,
  userId: string,
  claim: SQL,
  origin: Origin = {},
  { kind = null, path = null, provider = null }: Coming = {},
) {
  const now = ctx.now()
  const { sessionAlive } = await platformSettings()
  const token = ctx.cookies.get(deviceCookie) ?? randomToken()
  const { browser, system } = deviceOf(ctx.userAgent)
  const previous = ctx.session?.id
  const chosen = ctx.cookies.get('chosenLocale')
  const signedIn = {
    userId,
    kind,
    flows: origin.proven ?? [],
    path: path ?? onward(ctx),
    providerId: provider?.id ?? null,
    reason: provider?.left ?? null,
  }
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
      providerId: provider?.id ?? null,
      providerSubject: provider?.subject ?? null,
      providerSid: provider?.sid ?? null,
    },
    {
      claim,
      history: auditEventFrom(ctx, userEntity, userId, 'login', 'claimed', { changerId: userId }),
      logged: await successFrom(ctx, 'claimed', signedIn),
      replaced: previous,
      // a consent from before the sign-in is stored for the user (docs/rules/texts-and-look.md#cookie-notice)
      cookieConsent: ctx.cookies.get('cookieConsent') === '1',
      // so is a language that they chose in the header (docs/rules/requests.md#language)
      lang: chosen && ctx.domain.locales.includes(chosen) ? chosen : null,
    },
  )
  if (!sessionId) return null
  if (previous && ctx.user) {
    await sendLiveEvent(tx, 'session-ended', { userId: ctx.user.id, sessionId: previous }, { reason: 'replaced' })
    const before = ctx.user.id === userId ? null : await selectSessionOrigin(previous, tx)
    if (before?.oidcUid) await enqueue(tx, 'oidcSessionEnded', { uid: before.oidcUid })
  }
  return {
    sessionId,
    async afterCommit() {
      if (previous) await forgetSessions([previous])
      ctx.cookies.set(sessionCookie, await sealSession(sessionId, sessionAlive, origin), { maxAge: sessionAlive })
      ctx.cookies.set(deviceCookie, token, { maxAge: deviceCookieAge })
      // the next person in this browser chooses for themselves
      if (chosen) ctx.cookies.set('chosenLocale', null, { httpOnly: false })
    },
  }
}

/** Removes the session cookie, and the address to which this person was going: it isn't the next person's. */
export function clearSessionCookie(ctx: Ctx) {
  ctx.cookies.set(sessionCookie, null)
  dropOnward(ctx)
}

/**
 * Ends this browser's session, if there is one, records that like any end that somebody decides on
 * (docs/rules/sessions.md#ending), and removes its cookie in any case.
 */
export async function endCurrentSession(ctx: Ctx, reason: string) {
  if (ctx.session) {
    const { id } = ctx.session
    await db().transaction(async (tx) => {
      const row = await endSessionRow(tx, id, reason, ctx.now())
      if (!row) return
      const { userId, browser, system, ip } = row
      await audit(tx, ctx, sessionEntity, id, { browser, system, ip }, null, { changerId: userId })
    })
    await forgetSessions([ctx.session.id])
  }
  clearSessionCookie(ctx)
}

/** Ends these sessions in the given transaction. Returns which of them were live, and what to call after the commit. */
export async function endSessions(tx: Transaction, ctx: Ctx, ids: string[], reason: string) {
  const ended: string[] = []
  for (const id of ids) if (await endSessionRow(tx, id, reason, ctx.now())) ended.push(id)
  return { ended, afterCommit: () => forgetSessions(ended) }
}

/** Ends a user's sessions in the given transaction; call the returned function after its commit. */
export async function endUserSessions(tx: Transaction, ctx: Ctx, userId: string, reason: string, except?: string) {
  const ids = await selectLiveSessionIds(tx, [userId], ctx.now(), except)
  return (await endSessions(tx, ctx, ids, reason)).afterCommit
}

/** Forgets the browser in which a session was started, so that the account doesn't know it at a later sign-in. */
export const forgetBrowser = (tx: Transaction, userId: string, sessionId: string) =>
  forgetBrowserOf(tx, userId, sessionId)
