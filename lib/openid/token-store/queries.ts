import { and, desc, eq, gt, inArray, isNull, lte, ne, or, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { claimedColumns } from '@/db/claimed-columns'
import { type Database, db, executePlanned, prepared, type Transaction } from '@/db/client'
import { methodIdsInEffect } from '@/db/held-roles'
import { isLive } from '@/db/live-sessions'
import { mayNeedProof } from '@/db/prepared-accounts'
import { sessions } from '@/db/schema/entry'
import { oidcAnswers, oidcClients, oidcConsents, oidcRecords } from '@/db/schema/oidc'
import { methods, userSettings, users } from '@/db/schema/people'
import { userPictures } from '@/db/schema/pictures'
import { deleteInBatches } from '@/lib/base/postgres/batches'
import { batched } from './batched'

type Row = typeof oidcRecords.$inferInsert
type RecordRow = typeof oidcRecords.$inferSelect

const defined = (row: Row) => Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined))

const { placeholder } = sql

const insertion = (database: Database | Transaction) =>
  database
    .insert(oidcRecords)
    .values({
      idHash: placeholder('idHash'),
      model: placeholder('model'),
      payload: placeholder('payload'),
      uid: placeholder('uid'),
      grantId: placeholder('grantId'),
      sessionUid: placeholder('sessionUid'),
      accountId: placeholder('accountId'),
      clientId: placeholder('clientId'),
      expiresAt: placeholder('expiresAt'),
    })
    .onConflictDoUpdate({
      target: oidcRecords.idHash,
      set: {
        model: sql`excluded.model`,
        payload: sql`excluded.payload`,
        uid: sql`excluded.uid`,
        grantId: sql`excluded.grant_id`,
        sessionUid: sql`excluded.session_uid`,
        accountId: sql`excluded.account_id`,
        clientId: sql`excluded.client_id`,
        expiresAt: sql`excluded.expires_at`,
      },
    })

const storing = prepared('oidc_store_record', insertion)

const emptyColumns = { uid: null, grantId: null, sessionUid: null, accountId: null, clientId: null }

export const storeRecord = (row: Row, tx?: Transaction) =>
  (tx ? insertion(tx).prepare('oidc_store_record') : storing()).execute({ ...emptyColumns, ...defined(row) })

/** Inserts a record; false when it exists. */
export async function insertRecord(row: Row): Promise<boolean> {
  const { rowCount } = await db().insert(oidcRecords).values(row).onConflictDoNothing()
  return rowCount === 1
}

/** Returns a record and locks it. */
export async function lockRecord(tx: Transaction, idHash: string): Promise<RecordRow | undefined> {
  const [row] = await tx.select().from(oidcRecords).where(eq(oidcRecords.idHash, idHash)).for('update')
  return row
}

/** Returns rows of tokens as a table within a statement. */
function tableOf(rows: Row[]) {
  const column = (field: (row: Row) => string | null | undefined) => sql.param(rows.map((row) => field(row) ?? null))
  return sql`unnest(
    ${column(({ idHash }) => idHash)}::text[], ${column(({ model }) => model)}::text[],
    ${column(({ payload }) => payload)}::text[], ${column(({ grantId }) => grantId)}::text[],
    ${column(({ sessionUid }) => sessionUid)}::text[], ${column(({ accountId }) => accountId)}::text[],
    ${column(({ clientId }) => clientId)}::text[],
    ${column(({ expiresAt }) => expiresAt.toISOString())}::timestamptz[]
  )`
}

const tokenColumns = sql`(id_hash, model, payload, grant_id, session_uid, account_id, client_id, expires_at)`

type Answer = { answer: string; expiresAt: Date }

/** The name under which other statements read whether `replaceRecord` has used the record. */
export const usedSource = 'used'

/**
 * Marks a record as used and stores its successors and the answer, all or nothing; false when it was used already. Also
 * deletes expired answers that no other statement has locked, and runs the statement `access`, which reads `usedSource`.
 */
export async function replaceRecord(
  usedHash: string,
  now: Date,
  rows: Row[],
  { answer, expiresAt }: Answer,
  access: SQL | null,
) {
  const stored = await executePlanned(
    db(),
    sql`with used as (
      update ${oidcRecords} set consumed_at = ${now}::timestamptz
      where id_hash = ${usedHash} and consumed_at is null returning id_hash
    ), answered as (
      insert into ${oidcAnswers} (id_hash, answer, expires_at)
      select id_hash, ${answer}, ${expiresAt}::timestamptz from used
    ), swept as (
      delete from ${oidcAnswers} where id_hash in (
        select id_hash from ${oidcAnswers} where expires_at <= ${now}::timestamptz limit 20 for update skip locked
      )
    )${access ? sql`, accessed as (${access})` : sql``}
    insert into ${oidcRecords} ${tokenColumns} select fresh.* from used, ${tableOf(rows)} fresh returning id_hash`,
  )
  return stored.length > 0
}

/** Returns the answer to the use of a record, while it may be repeated. */
export async function selectAnswer(usedHash: string, now: Date): Promise<string | null> {
  const [row] = await db()
    .select({ answer: oidcAnswers.answer })
    .from(oidcAnswers)
    .where(and(eq(oidcAnswers.idHash, usedHash), gt(oidcAnswers.expiresAt, now)))
  return row?.answer ?? null
}

export const removeExpiredAnswers = (now: Date) =>
  deleteInBatches(oidcAnswers, oidcAnswers.expiresAt, lte(oidcAnswers.expiresAt, now))

/**
 * The number of values that PostgreSQL expects in a list that it doesn't know. For fewer it would plan a statement anew
 * each time, which takes several times as long as to run it.
 */
const expectedValues = 10

const asExpected = (ids: string[]) => [...ids, ...Array(Math.max(0, expectedValues - ids.length)).fill(ids[0])]

const recordsByIds = prepared('oidc_records_by_ids', (database) =>
  database
    .select()
    .from(oidcRecords)
    .where(
      sql`${oidcRecords.idHash} = any(${placeholder('ids')}) and ${oidcRecords.expiresAt} > ${sql.placeholder('now')}`,
    ),
)

/** Returns a record that has not expired. Many lookups go in one statement. */
export const selectRecord = batched(async (ids: string[]): Promise<(RecordRow | null)[]> => {
  const rows = await recordsByIds().execute({ ids: asExpected(ids), now: new Date() })
  const rowsById = new Map(rows.map((row) => [row.idHash, row]))
  return ids.map((id) => rowsById.get(id) ?? null)
})

const stored = <I, M, P, C>({
  idHash,
  model,
  payload,
  consumedAt,
}: {
  idHash: I
  model: M
  payload: P
  consumedAt: C
}) => ({
  idHash,
  model,
  payload,
  consumedAt,
})

const session = alias(oidcRecords, 'session')
const grant = alias(oidcRecords, 'granted')

/** The id of a grant's record by the id of the grant, as `recordKey` makes it. */
const grantKey = sql`rtrim(translate(encode(
  sha256(convert_to('Grant:' || ${oidcRecords.grantId}, 'UTF8')), 'base64'), '+/', '-_'), '=')`

// conditions and columns of `sessions` and `users` are shared with the queries that read them alone
const tokensByIds = prepared('oidc_tokens_by_ids', (database) =>
  database
    .select({
      token: {
        ...stored(oidcRecords),
        sessionUid: oidcRecords.sessionUid,
        grantId: oidcRecords.grantId,
        accountId: oidcRecords.accountId,
        clientId: oidcRecords.clientId,
      },
      session: stored(session),
      grant: stored(grant),
      platformSession: {
        id: sessions.id,
        userId: sessions.userId,
        lastAccessAt: sessions.lastAccessAt,
        mayNeedProof,
      },
      account: claimedColumns,
      methodIds: sql<string[]>`array(
        select m.id from ${oidcClients} c join ${methods} m on m.application_id = c.application_id
        where c.client_id = ${oidcRecords.clientId} and m.id in ${methodIdsInEffect(users.id)})`,
      hasConsent: sql<boolean>`exists (
        select from ${oidcClients} c join ${oidcConsents} k on k.client_id = c.id
        where c.client_id = ${oidcRecords.clientId} and k.user_id = ${users.id})`,
    })
    .from(oidcRecords)
    .leftJoin(
      sessions,
      and(
        eq(sessions.oidcUid, oidcRecords.sessionUid),
        isLive({ now: placeholder('now'), accessedAfter: placeholder('accessedAfter') }),
      ),
    )
    .leftJoin(
      users,
      and(eq(users.id, sessions.userId), users.enabled, sql`${users.id}::text = ${oidcRecords.accountId}`),
    )
    .leftJoin(userSettings, eq(userSettings.userId, users.id))
    .leftJoin(userPictures, eq(userPictures.userId, users.id))
    .leftJoin(session, and(eq(session.uid, oidcRecords.sessionUid), eq(session.accountId, oidcRecords.accountId)))
    .leftJoin(grant, and(eq(grant.idHash, grantKey), gt(grant.expiresAt, placeholder('now'))))
    .where(
      sql`${oidcRecords.idHash} = any(${placeholder('ids')}) and ${oidcRecords.expiresAt} > ${sql.placeholder('now')}`,
    ),
)

/**
 * Returns tokens that have not expired, as of one moment, each with what makes it valid: its session of the OpenID
 * Provider, the live session of the platform with its enabled user (last accessed after `accessedAfter`), its grant, the
 * ids of the methods of its application that the user holds, and whether the user has consented to its client. A part
 * that is missing is null.
 */
export const selectTokens = (ids: string[], now: Date, accessedAfter: Date) =>
  tokensByIds().execute({ ids: asExpected(ids), now, accessedAfter })

/** Inserts a token, which is never changed; many of them go in one statement. */
export const insertToken = batched(async (rows: Row[]): Promise<undefined[]> => {
  await executePlanned(db(), sql`insert into ${oidcRecords} ${tokenColumns} select * from ${tableOf(rows)}`)
  return []
})

const sessionRecord = prepared('oidc_session_record', (database) =>
  database
    .select()
    .from(oidcRecords)
    .where(eq(oidcRecords.uid, placeholder('uid')))
    .orderBy(oidcRecords.accountId),
)

/**
 * Returns a session of the OpenID Provider by its permanent name. Two simultaneous requests of a browser may leave two
 * rows, from before and after a sign-in: the row with an account is returned.
 */
export async function selectSessionRecord(uid: string, run?: Database | Transaction) {
  const [row] = run
    ? await run.select().from(oidcRecords).where(eq(oidcRecords.uid, uid)).orderBy(oidcRecords.accountId)
    : await sessionRecord().execute({ uid })
  return row ?? null
}

/** Marks a record as used; false when it was used already. */
export async function consumeRecord(idHash: string, now: Date): Promise<boolean> {
  const rows = await db()
    .update(oidcRecords)
    .set({ consumedAt: now })
    .where(and(eq(oidcRecords.idHash, idHash), isNull(oidcRecords.consumedAt)))
    .returning({ idHash: oidcRecords.idHash })
  return rows.length === 1
}

export const removeRecord = (idHash: string, run: Transaction | Database = db()) =>
  run.delete(oidcRecords).where(eq(oidcRecords.idHash, idHash))

/** Removes a session of the OpenID Provider under all of its ids. */
export const removeSessionRecords = (idHash: string) =>
  db()
    .delete(oidcRecords)
    .where(
      sql`${oidcRecords.idHash} = ${idHash}
        or ${oidcRecords.uid} = (select r.uid from ${oidcRecords} r where r.id_hash = ${idHash})`,
    )

/** Returns the rows of a session of the OpenID Provider with an account, and locks them. */
export async function lockSessionRecords(tx: Transaction, uid: string, accountId: string) {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`oidc session ${uid}`}, 0))`)
  return tx
    .select()
    .from(oidcRecords)
    .where(and(eq(oidcRecords.uid, uid), eq(oidcRecords.accountId, accountId)))
    .orderBy(oidcRecords.idHash)
    .for('update')
}

export const removeRecordsOfGrant = (grantId: string) =>
  db().delete(oidcRecords).where(eq(oidcRecords.grantId, grantId))

/** Returns the unexpired records of a grant, itself included, and locks them. */
export const lockRecordsOfGrant = (tx: Transaction, grantId: string, now: Date) =>
  tx
    .select()
    .from(oidcRecords)
    .where(and(eq(oidcRecords.grantId, grantId), gt(oidcRecords.expiresAt, now)))
    .for('update')

/** Removes everything that belongs to a session of the OpenID Provider, itself included. */
export const removeRecordsOfSession = (tx: Transaction, uid: string, grantIds: string[]) =>
  tx
    .delete(oidcRecords)
    .where(or(eq(oidcRecords.uid, uid), eq(oidcRecords.sessionUid, uid), inArray(oidcRecords.grantId, grantIds)))

/**
 * Removes expired records. Sessions stay for as long as applications may still have to be notified of the end of the
 * platform's session.
 */
export const removeExpiredRecords = (now: Date, notifiedAfter: Date) =>
  deleteInBatches(
    oidcRecords,
    oidcRecords.expiresAt,
    // a count, so that PostgreSQL uses the index for each row: for "exists" it may read all sessions
    sql`${oidcRecords.expiresAt} < ${now} and (${oidcRecords.model} <> 'Session' or (
      select count(*) from ${sessions} s
      where s.oidc_uid = ${oidcRecords}.uid and (s.ended_at is null or s.ended_at > ${notifiedAfter})
    ) = 0)`,
  )

const grantOnly = sql`case when ${oidcRecords.model} = 'Grant' then ${oidcRecords.idHash} end`
const ofAccount = (accountId: string, clientIds: string[]) =>
  and(eq(oidcRecords.accountId, accountId), inArray(oidcRecords.clientId, clientIds))

/** Returns for each client the record of each kind that expires last, and all of its grants. */
export const selectLatestOfAccount = (accountId: string, clientIds: string[], now: Date) =>
  db()
    .selectDistinctOn([oidcRecords.clientId, oidcRecords.model, grantOnly])
    .from(oidcRecords)
    .where(and(ofAccount(accountId, clientIds), gt(oidcRecords.expiresAt, now)))
    .orderBy(oidcRecords.clientId, oidcRecords.model, grantOnly, desc(oidcRecords.expiresAt))

/** Removes the grants and tokens of clients for an account and returns their number. */
export async function removeRecordsOfAccount(tx: Transaction, accountId: string, clientIds: string[]): Promise<number> {
  const rows = await tx
    .delete(oidcRecords)
    .where(ofAccount(accountId, clientIds))
    .returning({ idHash: oidcRecords.idHash })
  return rows.length
}

/** Removes all grants and tokens of an account. Its sessions stay until their applications have been notified. */
export const removeGrantsOfAccount = (tx: Transaction, accountId: string) =>
  tx.delete(oidcRecords).where(and(eq(oidcRecords.accountId, accountId), ne(oidcRecords.model, 'Session')))

/** Removes grants with everything that was issued by them, and returns how many grants there were. */
export async function removeGrants(tx: Transaction, grantIds: string[]): Promise<number> {
  if (grantIds.length === 0) return 0
  const rows = await tx
    .delete(oidcRecords)
    .where(inArray(oidcRecords.grantId, grantIds))
    .returning({ model: oidcRecords.model })
  return rows.filter(({ model }) => model === 'Grant').length
}

/**
 * Removes a grant with everything that was issued by it. Returns the grant; of several calls at once only the first
 * gets it.
 */
export async function takeGrant(tx: Transaction, idHash: string, grantId: string): Promise<RecordRow | undefined> {
  const [grant] = await tx.delete(oidcRecords).where(eq(oidcRecords.idHash, idHash)).returning()
  if (grant) await removeGrants(tx, [grantId])
  return grant
}

/** Returns the sessions of the OpenID Provider of an account and locks them. */
export const lockSessionRecordsOfAccount = (tx: Transaction, accountId: string) =>
  tx
    .select()
    .from(oidcRecords)
    .where(and(eq(oidcRecords.accountId, accountId), eq(oidcRecords.model, 'Session')))
    .orderBy(oidcRecords.idHash)
    .for('update')

export const storePayload = (tx: Transaction, idHash: string, payload: string) =>
  tx.update(oidcRecords).set({ payload }).where(eq(oidcRecords.idHash, idHash))
