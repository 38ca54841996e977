import { and, eq, gt, inArray, isNull, lte, ne, or, type SQL, sql } from 'drizzle-orm'
import { type Database, db, executePlanned, prepared, type Transaction } from '@/db/client'
import { exceedsProvider, hasMarks, needsEmailProof } from '@/db/prepared-accounts'
import { sessions } from '@/db/schema/entry'
import { providers, userAgreements, userSettings, users } from '@/db/schema/people'
import { userPictures } from '@/db/schema/pictures'
import { sendLiveEvent } from '@/lib/base/cache/live-events'
import { enqueue } from '@/lib/base/jobs/jobs'
import { readAt } from './changes'

/** A condition on a session with its user: `isProven` must be asked, because somebody else's entry may be in doubt. */
const mayBeDoubtful = sql<boolean>`(${hasMarks} or exists (
  select from ${providers} source where source.id = sessions.provider_id and source.entered_by is not null))`

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

/** Returns whether what began a session still proves its person (docs/rules/access.md#prepared-accounts). */
const isProven = async (id: string) => (await provenSession().execute({ id })).length === 1

const liveSession = prepared('live_session', (database) =>
  database
    .select({
      ...readAt,
      id: sessions.id,
      mayBeDoubtful,
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

/**
 * Returns a session that hasn't ended, with its user; null if there is none. The caller checks whether it has expired.
 */
export async function selectLiveSession(id: string) {
  const [row] = await liveSession().execute({ id })
  if (!row) return null
  const { mayBeDoubtful: asks, ...session } = row
  return asks && !(await isProven(id)) ? null : session
}

export const touchSession = (id: string, at: Date) =>
  db()
    .update(sessions)
    .set({ lastAccessAt: at })
    .where(and(eq(sessions.id, id), isNull(sessions.endedAt)))

/** The same for a live session by its OpenID Provider session, unless it was accessed after `accessedBefore`. */
export const touchByOidcUid = (
  oidcUid: string,
  at: Date,
  { accessedAfter, accessedBefore }: { accessedAfter: Date; accessedBefore: Date },
) =>
  db()
    .update(sessions)
    .set({ lastAccessAt: at })
    .where(
      and(
        eq(sessions.oidcUid, oidcUid),
        isNull(sessions.endedAt),
        gt(sessions.expiresAt, at),
        gt(sessions.lastAccessAt, accessedAfter),
        lte(sessions.lastAccessAt, accessedBefore),
      ),
    )

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
 * Stores a session, its rows in the history and the sign-in log, and related changes in one statement, and returns its id. `claim` is the
 * statement that gives the right to a session: if it returns no row, nothing is stored and the result is null.
 * `history` and `logged` read from the CTE `claimed`; `replaced` is the session that the browser had before. A claim that
 * locks rows reads the CTE `person` first: whoever merges or deletes the account locks it before its rows, too.
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

/**
 * Ends a session and notifies its open pages and its applications. Returns whose it was, and its device; null if it
 * wasn't live.
 */
export async function endSessionRow(tx: Transaction | Database, id: string, reason: string, at: Date) {
  const [row] = await tx
    .update(sessions)
    .set({ endedAt: at, endReason: reason, changedAt: at })
    .where(and(eq(sessions.id, id), isNull(sessions.endedAt)))
    .returning({
      userId: sessions.userId,
      oidcUid: sessions.oidcUid,
      browser: sessions.browser,
      system: sessions.system,
      ip: sessions.ip,
    })
  if (row) await sendLiveEvent(tx, 'session-ended', { userId: row.userId, sessionId: id }, { reason })
  if (row?.oidcUid) await enqueue(tx, 'oidcSessionEnded', { uid: row.oidcUid })
  return row ?? null
}

/** By what a session ends on its own: its time, or its last access. */
export type Expiry = 'expiresAt' | 'lastAccessAt'
type Place = { at: string; id: string }

/**
 * Locks some sessions behind a place that a moment has ended by this column and that are still open. Returns them in
 * order. Skips those that another run has locked.
 */
export async function lockExpiredSessions(
  tx: Transaction,
  { by, until, after, limit }: { by: Expiry; until: Date; after: Place | null; limit: number },
): Promise<Place[]> {
  const column = sessions[by]
  return tx
    .select({ at: sql<string>`${column}::text`, id: sessions.id })
    .from(sessions)
    .where(
      and(
        isNull(sessions.endedAt),
        lte(column, until),
        after ? sql`(${column}, ${sessions.id}) > (${after.at}::timestamptz, ${after.id}::uuid)` : undefined,
      ),
    )
    .orderBy(column, sessions.id)
    .limit(limit)
    .for('update', { skipLocked: true })
}

/** Stores the id of the key with which a session's cookie is sealed now. */
export const storeSealingKey = (id: string, sealedBy: string) =>
  db().update(sessions).set({ sealedBy }).where(eq(sessions.id, id))

/**
 * Binds a live session to a session of the OpenID Provider, unless it is bound already. Returns the bound one, and
 * when the session began; null if it has ended.
 */
export async function bindSession(id: string, oidcUid: string) {
  const [row] = await db()
    .update(sessions)
    .set({ oidcUid: sql`coalesce(${sessions.oidcUid}, ${oidcUid})` })
    .where(and(eq(sessions.id, id), isNull(sessions.endedAt)))
    .returning({ oidcUid: sessions.oidcUid, createdAt: sessions.createdAt })
  return row?.oidcUid ? { uid: row.oidcUid, since: row.createdAt } : null
}

/** Returns when a session began, and its session of the OpenID Provider; null for an unknown one. */
export async function selectSessionOrigin(id: string, run: Transaction | Database = db()) {
  const [row] = await run
    .select({ createdAt: sessions.createdAt, oidcUid: sessions.oidcUid })
    .from(sessions)
    .where(eq(sessions.id, id))
  return row ?? null
}

const sessionByOidcUid = prepared('session_by_oidc_uid', (database) =>
  database
    .select({ id: sessions.id, userId: sessions.userId, mayBeDoubtful })
    .from(sessions)
    .innerJoin(users, and(eq(users.id, sessions.userId), users.enabled))
    .where(
      and(
        eq(sessions.oidcUid, sql.placeholder('oidcUid')),
        isNull(sessions.endedAt),
        gt(sessions.expiresAt, sql.placeholder('now')),
        gt(sessions.lastAccessAt, sql.placeholder('accessedAfter')),
      ),
    ),
)

/**
 * Returns the live session of an enabled user that is bound to a session of the OpenID Provider; null if there is none.
 */
export async function selectSessionByOidcUid(oidcUid: string, now: Date, accessedAfter: Date) {
  const [row] = await sessionByOidcUid().execute({ oidcUid, now, accessedAfter })
  if (!row || (row.mayBeDoubtful && !(await isProven(row.id)))) return null
  return { id: row.id, userId: row.userId }
}

/** Returns the ids of these users' live sessions without `except`. */
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

/** Returns the provider through which a live session began; null for any other. */
export async function selectProviderOf(id: string): Promise<string | null> {
  const [row] = await db()
    .select({ providerId: sessions.providerId })
    .from(sessions)
    .where(and(eq(sessions.id, id), isNull(sessions.endedAt)))
  return row?.providerId ?? null
}

/** Which sessions a provider means: those of its own session, or all of a person there. */
export type OfProvider = { providerId: string; subject: string | null; sid: string | null }

/**
 * Returns the ids of the live sessions that a provider means, locked. A session of which the provider named none of its own
 * belongs to each of its sessions of that person.
 */
export async function selectSessionsOfProvider(tx: Transaction, { providerId, subject, sid }: OfProvider) {
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
    .for('update')
  return rows.map(({ id }) => id)
}

/** Forgets the browser in which a session was started, so that the account doesn't know it at a later sign-in. */
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
