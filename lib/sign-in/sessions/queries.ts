import { and, eq, gt, inArray, isNull, lte, ne, or, type SQL, sql } from 'drizzle-orm'
import { type Database, db, executePlanned, prepared, type Transaction } from '@/db/client'
import { isLive } from '@/db/live-sessions'
import { exceedsProvider, mayNeedProof, needsEmailProof } from '@/db/prepared-accounts'
import { sessions } from '@/db/schema/entry'
import { userAgreements, userSettings, users } from '@/db/schema/people'
import { userPictures } from '@/db/schema/pictures'
import { sendToEach } from '@/lib/base/cache/live-events'
import { enqueueEach } from '@/lib/base/jobs/jobs'
import { readAt } from './changes'

const provenSession = prepared('proven_session', (database) =>
  database
    .select({ id: sessions.id })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(
      and(
        eq(sessions.id, sql.placeholder('id')),
        sql`not ${needsEmailProof} and not ${exceedsProvider(sql`sessions.provider_id`)}`,
      ),
    ),
)

/**
 * Returns whether the proofs by which a session began still prove its person (docs/rules/access.md#prepared-accounts).
 */
export const isProven = async (id: string) => (await provenSession().execute({ id })).length === 1

const liveSession = prepared('live_session', (database) =>
  database
    .select({
      ...readAt,
      id: sessions.id,
      mayNeedProof,
      expiresAt: sessions.expiresAt,
      lastAccessAt: sessions.lastAccessAt,
      userId: users.id,
      login: users.login,
      firstName: users.firstName,
      lastName: users.lastName,
      temporary: users.temporary,
      lang: sql<string | null>`coalesce(${userSettings.lang}, ${users.locale})`,
      timeZone: userSettings.timeZone,
      chosenTimeZone: userSettings.chosenTimeZone,
      cookieConsent: userSettings.cookie,
      navMini: userSettings.navMini,
      pagination: userSettings.pagination,
      columns: userSettings.columns,
      picture: userPictures.id,
      agreed: sql<{ documentId: string; version: number }[]>`(
        select coalesce(jsonb_agg(jsonb_build_object('documentId', own.document_id, 'version', own.version)), '[]')
        from ${userAgreements} own where own.user_id = ${users.id})`,
    })
    .from(sessions)
    .innerJoin(users, and(eq(users.id, sessions.userId), users.enabled))
    .leftJoin(userSettings, eq(userSettings.userId, users.id))
    .leftJoin(userPictures, eq(userPictures.userId, users.id))
    .where(and(eq(sessions.id, sql.placeholder('id')), isNull(sessions.endedAt))),
)

/** Returns whether a session hasn't ended, and keeps it from ending until the transaction does. */
export async function selectOpenSession(tx: Transaction, id: string): Promise<boolean> {
  const rows = await tx
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(eq(sessions.id, id), isNull(sessions.endedAt)))
    .for('share')
  return rows.length > 0
}

/**
 * Returns a session that hasn't ended, with its user. Returns null if there is none. The caller checks whether the
 * session has expired.
 */
export async function selectLiveSession(id: string) {
  const [row] = await liveSession().execute({ id })
  if (!row) return null
  const { mayNeedProof: isDoubtful, ...session } = row
  return isDoubtful && !(await isProven(id)) ? null : session
}

export const touchSession = (id: string, accessedAt: Date) =>
  db()
    .update(sessions)
    .set({ lastAccessAt: accessedAt })
    .where(and(eq(sessions.id, id), isNull(sessions.endedAt)))

/**
 * The statement that stores the last access of the live session that is bound to a session of the OpenID Provider,
 * unless it was accessed after `accessedBefore`, or the CTE `source` is empty. Skips a session that another statement
 * has locked, to access or end it: that statement may wait for rows of `source`, so nothing here waits for the session.
 */
export const accessFrom = (
  source: string,
  oidcUid: string,
  now: Date,
  { accessedAfter, accessedBefore }: { accessedAfter: Date; accessedBefore: Date },
) =>
  sql`update ${sessions} set last_access_at = ${now}::timestamptz where id in (
    select id from ${sessions} where ${and(
      sql`exists (select from ${sql.identifier(source)})`,
      eq(sessions.oidcUid, oidcUid),
      isLive({ now, accessedAfter }),
      lte(sessions.lastAccessAt, accessedBefore),
    )} for no key update skip locked)`

type NewSession = {
  userId: string
  domainId: string
  createdAt: Date
  expiresAt: Date
  ip: string
  userAgent: string
  browser: string
  system: string
  deviceType: string
  deviceHash: string
  sealedBy: string
  providerId: string | null
  providerSubject: string | null
  providerSid: string | null
}

/**
 * Stores a session, its rows in the history and in the sign-in log, and related changes in one statement. Returns the
 * session's id. `claim` is the statement that gives the right to a session: if it returns no row, nothing is stored and
 * the result is null. `history` and `logged` read from the CTE `claimed`. `replaced` is the session that the browser
 * had before. A claim that locks rows must read the CTE `person` first, because merging and deleting an account also
 * lock the account before its rows.
 */
export async function insertSession(
  tx: Transaction | Database,
  {
    userId,
    domainId,
    createdAt,
    expiresAt,
    ip,
    userAgent,
    browser,
    system,
    deviceType,
    deviceHash,
    sealedBy,
    providerId,
    providerSubject,
    providerSid,
  }: NewSession,
  {
    claim,
    history,
    logged,
    replaced,
    cookieConsent,
    lang,
  }: {
    claim: SQL
    history: SQL
    logged: SQL
    replaced: string | undefined
    cookieConsent: boolean
    lang: string | null
  },
): Promise<string | null> {
  const ending = replaced
    ? sql`, replaced as (
        update ${sessions} set ended_at = ${createdAt}, end_reason = 'replaced', updated_at = ${createdAt}
        where id = ${replaced} and ended_at is null and exists (select from claimed)
      )`
    : sql``
  // if the same person signs in again, applications stay signed in
  const inherited = replaced
    ? sql`(select oidc_uid from ${sessions} where id = ${replaced} and user_id = ${userId}::uuid and ended_at is null)`
    : sql`null::text`
  const choices =
    cookieConsent || lang
      ? sql`, choices as (
        insert into ${userSettings} as own (user_id, cookie, lang)
        select ${userId}::uuid, ${cookieConsent || null}::boolean, ${lang}::text from claimed
        on conflict (user_id) do update
          set cookie = coalesce(excluded.cookie, own.cookie), lang = coalesce(excluded.lang, own.lang)
      )`
      : sql``
  const rows = await executePlanned<{ id: string }>(
    tx,
    sql`
    with person as materialized (select id from ${users} where id = ${userId}::uuid for key share),
      claimed as (${claim}), history as (${history}), logged as (${logged}), session as (
      insert into ${sessions} (user_id, domain_id, created_at, last_access_at, updated_at, expires_at, ip, user_agent,
        browser, system, device_type, device_hash, sealed_by, provider_id, provider_subject, provider_sid, oidc_uid)
      select ${userId}::uuid, ${domainId}::uuid, ${createdAt}::timestamptz, ${createdAt}::timestamptz,
        ${createdAt}::timestamptz, ${expiresAt}::timestamptz, ${ip}, ${userAgent}, ${browser}, ${system}, ${deviceType},
        ${deviceHash}, ${sealedBy}, ${providerId}::uuid, ${providerSubject}::text, ${providerSid}::text, ${inherited}
      from claimed returning id
    )${ending}${choices}
    select id from session`,
  )
  return rows[0]?.id ?? null
}

/** How many sessions one statement ends. */
const endedAtOnce = 500

/**
 * Ends those of these sessions that are live, in the order of their ids, and notifies their open pages and their
 * applications. Returns the ended ones, each with its user and its device.
 */
export async function endSessionRows(
  tx: Transaction | Database,
  ids: readonly string[],
  { reason, now }: { reason: string; now: Date },
) {
  const ended: Pick<typeof sessions.$inferSelect, 'id' | 'userId' | 'oidcUid' | 'browser' | 'system' | 'ip'>[] = []
  const sortedIds = ids.toSorted()
  for (let start = 0; start < sortedIds.length; start += endedAtOnce) {
    const batch = sortedIds.slice(start, start + endedAtOnce)
    const live = tx
      .select({ id: sessions.id })
      .from(sessions)
      .where(and(inArray(sessions.id, batch), isNull(sessions.endedAt)))
      .orderBy(sessions.id)
      .for('update')
    const { id, userId, oidcUid, browser, system, ip } = sessions
    const rows = await tx
      .update(sessions)
      .set({ endedAt: now, endReason: reason, changedAt: now })
      .where(sql`${sessions.id} = any(array(${live}))`)
      .returning({ id, userId, oidcUid, browser, system, ip })
    const audiences = rows.map((row) => ({ userId: row.userId, sessionId: row.id }))
    await sendToEach(tx, 'session-ended', audiences, { reason })
    const uids = [...new Set(rows.flatMap((row) => row.oidcUid ?? []))]
    await enqueueEach(
      tx,
      'oidcSessionEnded',
      uids.map((uid) => ({ uid })),
    )
    ended.push(...rows)
  }
  return ended
}

/** The column by which a session expires: its end, or its last access. */
export type Expiry = 'expiresAt' | 'lastAccessAt'
type Position = { at: string; id: string }

/**
 * Locks sessions that haven't ended and whose column `by` isn't later than `until`. Begins after the position `after`
 * and skips sessions that another process has locked. Returns at most `limit`, in order.
 */
export async function lockExpiredSessions(
  tx: Transaction,
  {
    by: expiryColumn,
    until,
    after: position,
    limit,
  }: { by: Expiry; until: Date; after: Position | null; limit: number },
): Promise<Position[]> {
  const column = sessions[expiryColumn]
  return tx
    .select({ at: sql<string>`${column}::text`, id: sessions.id })
    .from(sessions)
    .where(
      and(
        isNull(sessions.endedAt),
        lte(column, until),
        position ? sql`(${column}, ${sessions.id}) > (${position.at}::timestamptz, ${position.id}::uuid)` : undefined,
      ),
    )
    .orderBy(column, sessions.id)
    .limit(limit)
    .for('update', { skipLocked: true })
}

/** Stores the id of the key with which a session's cookie is encrypted now. */
export const storeCookieKeyId = (id: string, sealedBy: string) =>
  db().update(sessions).set({ sealedBy }).where(eq(sessions.id, id))

/**
 * Binds a live session to a session of the OpenID Provider, unless it is bound already. Returns the uid of the bound
 * session, and when the live session began. Returns null if the session has ended.
 */
export async function bindSession(id: string, oidcUid: string) {
  const [row] = await db()
    .update(sessions)
    .set({ oidcUid: sql`coalesce(${sessions.oidcUid}, ${oidcUid})` })
    .where(and(eq(sessions.id, id), isNull(sessions.endedAt)))
    .returning({ oidcUid: sessions.oidcUid, createdAt: sessions.createdAt })
  return row?.oidcUid ? { uid: row.oidcUid, since: row.createdAt } : null
}

/**
 * Returns when a session began, and the uid of its session of the OpenID Provider. Returns null for an unknown session.
 */
export async function selectSessionOrigin(id: string, database: Transaction | Database = db()) {
  const [row] = await database
    .select({ createdAt: sessions.createdAt, oidcUid: sessions.oidcUid })
    .from(sessions)
    .where(eq(sessions.id, id))
  return row ?? null
}

const sessionByOidcUid = prepared('session_by_oidc_uid', (database) =>
  database
    .select({ id: sessions.id, userId: sessions.userId, mayNeedProof })
    .from(sessions)
    .innerJoin(users, and(eq(users.id, sessions.userId), users.enabled))
    .where(
      and(
        eq(sessions.oidcUid, sql.placeholder('oidcUid')),
        isLive({ now: sql.placeholder('now'), accessedAfter: sql.placeholder('accessedAfter') }),
      ),
    ),
)

/**
 * Returns the live session of an enabled user that is bound to a session of the OpenID Provider. Returns null if there
 * is none. The caller checks whether its proofs are doubtful.
 */
export async function selectSessionByOidcUid(oidcUid: string, now: Date, accessedAfter: Date) {
  const [row] = await sessionByOidcUid().execute({ oidcUid, now, accessedAfter })
  return row ?? null
}

/** Returns the ids of these users' live sessions, except `except`. */
export async function selectLiveSessionIds(tx: Transaction | Database, userIds: string[], now: Date, except?: string) {
  const rows = await tx
    .select({ id: sessions.id })
    .from(sessions)
    .where(
      and(
        inArray(sessions.userId, userIds),
        isNull(sessions.endedAt),
        gt(sessions.expiresAt, now),
        except ? ne(sessions.id, except) : undefined,
      ),
    )
  return rows.map(({ id }) => id)
}

/** Returns the id of the identity provider through which a live session began. Returns null for any other session. */
export async function selectProviderOf(id: string): Promise<string | null> {
  const [row] = await db()
    .select({ providerId: sessions.providerId })
    .from(sessions)
    .where(and(eq(sessions.id, id), isNull(sessions.endedAt)))
  return row?.providerId ?? null
}

/**
 * The sessions that an identity provider names: those of one of its own sessions (`sid`), or all of one of its people
 * (`subject`).
 */
export type ProviderSelection = { providerId: string; subject: string | null; sid: string | null }

/**
 * Locks the live sessions that an identity provider names, in the order of their ids, and returns these. A session without a `sid` belongs to
 * every session of that person at the identity provider.
 */
export async function selectSessionsOfProvider(tx: Transaction, { providerId, subject, sid }: ProviderSelection) {
  const rows = await tx
    .select({ id: sessions.id })
    .from(sessions)
    .where(
      and(
        eq(sessions.providerId, providerId),
        isNull(sessions.endedAt),
        subject === null ? undefined : eq(sessions.providerSubject, subject),
        sid === null
          ? undefined
          : subject === null
            ? eq(sessions.providerSid, sid)
            : or(eq(sessions.providerSid, sid), isNull(sessions.providerSid)),
      ),
    )
    .orderBy(sessions.id)
    .for('update')
  return rows.map(({ id }) => id)
}

/** Removes the browser in which a session was started from the browsers that the account knows. */
export const forgetBrowserOf = (tx: Transaction, userId: string, sessionId: string) =>
  tx
    .update(sessions)
    .set({ deviceHash: null })
    .where(
      and(
        eq(sessions.userId, userId),
        sql`${sessions.deviceHash} = (select s.device_hash from ${sessions} s where s.id = ${sessionId}
          and s.user_id = ${userId})`,
      ),
    )
