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
import { cookieLifetime } from '@/lib/base/http/cookie-lifetime'
import { outcomeCookies } from '@/lib/base/http/page-form'
import { enqueue } from '@/lib/base/jobs/jobs'
import { dropOnward, onward } from '@/lib/base/navigation/onward'
import { redis } from '@/lib/base/redis/redis'
import { log } from '@/lib/base/runtime/log'
import { platformSettings } from '@/lib/site/settings/service'
import { deviceOf } from '../device'
import { type SignedInBy, successFrom } from '../log/record'
import { announceChanges, isKnownEnded, isStillCurrent, markEnded, receivesChanges } from './changes'
import { currentKeyId, decryptCookie, encryptCookie, reencryptCookie, type SessionOrigin } from './cookie'
import { sessionEntity } from './entity'
import {
  endSessionRows,
  forgetBrowserOf,
  insertSession,
  selectLiveSession,
  selectLiveSessionIds,
  selectOpenSession,
  selectSessionOrigin,
  storeCookieKeyId,
  touchSession,
} from './queries'

const sessionCookie = 'session'
const deviceCookie = 'device'

/** Seconds for which Redis is read instead of PostgreSQL; also the accuracy of the last access. */
export const cachedFor = 60
const keyOf = (sessionId: string) => `principal:${sessionId}`
const endedMark = 'ended'

/** The data of a session in Redis. */
export const CachedSession = z.object({
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
  /** The agreements that the person has agreed to. The previous version doesn't store them. */
  agreed: z.array(z.object({ documentId: z.string(), version: z.number() })).optional(),
  expiresAt: z.number(),
  at: z.number().optional(),
  behind: z.number().optional(),
})
type CachedSession = z.output<typeof CachedSession>

/** Parses the data of a session in Redis. Returns null if it is of another version or invalid. */
function parseCachedSession(text: string): CachedSession | null {
  try {
    return CachedSession.parse(JSON.parse(text))
  } catch {
    return null
  }
}

export type CurrentSession = {
  session: CtxSession
  user: CtxUser
  /** The language the person chose, if any. */
  lang: string | null
  /** The time zone of the browser that the person used last, if it is known. */
  timeZone: string | null
  /** The time zone that the person has chosen, if any. */
  chosenTimeZone: string | null
  cookieConsent: boolean
  /** The agreements that the person has agreed to. The list may be a minute old. */
  agreed: readonly { documentId: string; version: number }[]
}

async function loadSession(sessionId: string, now: Date, passive: boolean): Promise<CachedSession | null> {
  const row = await selectLiveSession(sessionId)
  if (!row) return null
  const { sessionIdleAlive } = await platformSettings()
  const idleUntil = row.lastAccessAt.getTime() + sessionIdleAlive * 1000
  if (row.expiresAt <= now || idleUntil <= now.getTime()) {
    await db().transaction((tx) => endSessionRows(tx, [sessionId], { reason: 'expired', now }))
    return null
  }
  if (!passive && now.getTime() - row.lastAccessAt.getTime() >= cachedFor * 1000) await touchSession(sessionId, now)
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

/** A script that stores the data of a session in Redis, unless the session is marked there as ended. */
const cacheUnlessEnded = `
if redis.call('get', KEYS[1]) == ARGV[3] then return 0 end
redis.call('set', KEYS[1], ARGV[1], 'EX', ARGV[2])
return 1`

const cacheSession = (sessionId: string, cached: CachedSession) =>
  redis()
    .eval(cacheUnlessEnded, 1, keyOf(sessionId), JSON.stringify(cached), cachedFor, endedMark)
    .catch(() => null)

/**
 * Returns the cookie's session and user. Returns null if it is forged, has ended, has expired or was idle for too long,
 * or if the user is disabled. Reads Redis if its data is at most a minute old and this process has received all changes
 * since; else PostgreSQL. `passive`: the page polls by itself, which doesn't count as an access.
 */
export async function currentSession(cookies: Cookies, now: Date, passive = false): Promise<CurrentSession | null> {
  const cookie = cookies.get(sessionCookie)
  const session = cookie ? await decryptCookie(cookie) : undefined
  if (!session) return null
  const { id: sessionId } = session

  if (isKnownEnded(sessionId)) return null
  const cachedText = receivesChanges()
    ? await redis()
        .get(keyOf(sessionId))
        .catch(() => null)
    : null
  if (cachedText === endedMark) return null
  let data = cachedText ? parseCachedSession(cachedText) : null
  if (!data || !isStillCurrent(data.userId, data)) {
    data = await loadSession(sessionId, now, passive)
    if (!data) return null
    // if a passive request stored the data in Redis, the next real access would not be recorded
    if (!passive) await cacheSession(sessionId, data)
  }
  if (data.expiresAt <= now.getTime()) return null
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
  } = data
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
 * Marks sessions as ended in this process and in Redis (for processes of the previous version and those that start
 * later). Call it after the commit. Others learn of it by the live event `session-ended` that `endSessionRows` sends.
 */
export async function markSessionsEnded(ids: string[]) {
  if (ids.length === 0) return
  for (const id of ids) markEnded(id)
  const batch = redis().pipeline()
  for (const id of ids) batch.set(keyOf(id), endedMark, 'EX', cachedFor * 2)
  try {
    const failed = (await batch.exec())?.find(([error]) => error)?.[0]
    if (failed) throw failed
  } catch (error) {
    log.warn({ err: error }, 'ended sessions are not marked in Redis')
  }
}

/**
 * Encrypts this browser's session cookie again if an older key encrypted it, so that the older key can be removed while
 * people work. Call it only in route handlers. It never throws: the old cookie works too.
 */
export async function renewCookie({ session, cookies }: Ctx) {
  try {
    const renewed = session ? await reencryptCookie(cookies.get(sessionCookie) ?? '') : undefined
    if (!session || !renewed) return
    await storeCookieKeyId(session.id, currentKeyId())
    cookies.set(sessionCookie, renewed.value, { maxAge: renewed.maxAge })
  } catch (error) {
    log.debug({ err: error }, 'a cookie was not encrypted anew')
  }
}

/** Returns whether a session hasn't ended, and keeps it from ending until the transaction does. */
export const isSessionOpen = (tx: Transaction, id: string): Promise<boolean> => selectOpenSession(tx, id)

/** Returns when a session began. Returns null for an unknown session. */
export const signedInAt = async (sessionId: string): Promise<Date | null> =>
  (await selectSessionOrigin(sessionId))?.createdAt ?? null

/**
 * Makes every process read the data of a user's sessions again as soon as the transaction commits, because it has
 * changed: rights, names, settings. Takes the transaction of the change. Call the returned function after the commit.
 */
export const invalidateSessions = (tx: Transaction | Database, userId: string, now: Date) =>
  invalidateSessionsOf(tx, [userId], now)

/** Does the same for the sessions of several users, in two statements, or for all sessions (null). */
export async function invalidateSessionsOf(tx: Transaction | Database, userIds: string[] | null, now: Date) {
  const markHere = await announceChanges(tx, userIds)
  // the keys of all sessions are too many to delete; a process of the previous version uses them for a minute more
  const ids = userIds ? await selectLiveSessionIds(tx, userIds, now) : []
  return async () => {
    markHere()
    // for processes of the previous version
    if (ids.length > 0)
      await redis()
        .del(ids.map(keyOf))
        .catch(() => 0)
  }
}

/** Returns the digest of the browser's device cookie, which outlives sessions. Returns null for a new browser. */
export const deviceHashOf = (ctx: Ctx): string | null => {
  const token = ctx.cookies.get(deviceCookie)
  return token ? digest(token) : null
}

/** What kind of identifier was typed, where the person goes, and the identity provider that has proven them. */
type SignInDetails = {
  kind?: SignedInBy
  path?: string | null
  provider?: { id: string; subject: string; sid: string | null; left?: string | undefined } | null | undefined
}

/**
 * Starts a session with a new id for a user in this browser, and ends the session that the browser had before. `claim`
 * is the statement that gives the right to a session: it runs in the same statement as the insert. Returns null if
 * `claim` returns no row. `origin` says how the person proved who they are, `kind` which kind of identifier they typed,
 * `path` where they go; the sign-in log records these. Call the returned `afterCommit` after the commit.
 */
export async function startSession(
  tx: Transaction | Database,
  ctx: Ctx,
  userId: string,
  claim: SQL,
  origin: SessionOrigin = {},
  { kind = null, path = null, provider = null }: SignInDetails = {},
) {
  const now = ctx.now()
  const { sessionAlive } = await platformSettings()
  const token = ctx.cookies.get(deviceCookie) ?? randomToken()
  const { browser, system } = deviceOf(ctx.userAgent)
  const previous = ctx.session?.id
  const chosenLocale = ctx.cookies.get('chosenLocale')
  const logEntry = {
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
      sealedBy: currentKeyId(),
      providerId: provider?.id ?? null,
      providerSubject: provider?.subject ?? null,
      providerSid: provider?.sid ?? null,
    },
    {
      claim,
      history: auditEventFrom(ctx, userEntity, userId, 'login', 'claimed', { changerId: userId }),
      logged: await successFrom(ctx, 'claimed', logEntry),
      replaced: previous,
      // a cookie consent from before the sign-in is stored for the user (docs/rules/texts-and-look.md#cookie-notice)
      cookieConsent: ctx.cookies.get('cookieConsent') === '1',
      // a language that the person chose in the header is stored too (docs/rules/requests.md#language)
      lang: chosenLocale && ctx.domain.locales.includes(chosenLocale) ? chosenLocale : null,
    },
  )
  if (!sessionId) return null
  if (previous && ctx.user) {
    await sendLiveEvent(tx, 'session-ended', { userId: ctx.user.id, sessionId: previous }, { reason: 'replaced' })
    const previousOrigin = ctx.user.id === userId ? null : await selectSessionOrigin(previous, tx)
    if (previousOrigin?.oidcUid) await enqueue(tx, 'oidcSessionEnded', { uid: previousOrigin.oidcUid })
  }
  return {
    sessionId,
    async afterCommit() {
      if (previous) await markSessionsEnded([previous])
      ctx.cookies.set(sessionCookie, await encryptCookie(sessionId, sessionAlive, origin), { maxAge: sessionAlive })
      ctx.cookies.set(deviceCookie, token, { maxAge: cookieLifetime })
      // the next person in this browser chooses for themselves
      if (chosenLocale) ctx.cookies.set('chosenLocale', null, { httpOnly: false })
    },
  }
}

/**
 * Removes the session cookie, and what the next person in this browser must not meet: the stored destination, and what
 * was typed into public forms.
 */
export function clearSessionCookie(ctx: Ctx) {
  ctx.cookies.set(sessionCookie, null)
  for (const name of outcomeCookies) if (ctx.cookies.get(name)) ctx.cookies.set(name, null)
  dropOnward(ctx)
}

/**
 * Ends this browser's session, if there is one, and records an audit event of it, as of every end that somebody decides
 * on (docs/rules/sessions.md#ending). Removes the session cookie in any case.
 */
export async function endCurrentSession(ctx: Ctx, reason: string) {
  if (ctx.session) {
    const { id } = ctx.session
    await db().transaction(async (tx) => {
      const [row] = await endSessionRows(tx, [id], { reason, now: ctx.now() })
      if (!row) return
      const { userId, browser, system, ip } = row
      await audit(tx, ctx, sessionEntity, id, { browser, system, ip }, null, { changerId: userId })
    })
    await markSessionsEnded([ctx.session.id])
  }
  clearSessionCookie(ctx)
}

/** Ends a user's sessions except `except` in the given transaction. Call the returned function after the commit. */
export async function endUserSessions(tx: Transaction, ctx: Ctx, userId: string, reason: string, except?: string) {
  const ids = await selectLiveSessionIds(tx, [userId], ctx.now(), except)
  const ended = await endSessionRows(tx, ids, { reason, now: ctx.now() })
  return () => markSessionsEnded(ended.map(({ id }) => id))
}

/** Removes the browser in which a session was started from those that the account knows. */
export const forgetBrowser = (tx: Transaction, userId: string, sessionId: string) =>
  forgetBrowserOf(tx, userId, sessionId)
