import { and, eq, inArray, isNull, lt, or, sql } from 'drizzle-orm'
import { type Database, db, executePlanned, prepared, type Transaction } from '@/db/client'
import { oidcRecords } from '@/db/schema/oidc'

type Row = typeof oidcRecords.$inferInsert
type Found = typeof oidcRecords.$inferSelect

/** A row as it is inserted or written over, for the hottest paths; `of` is where it comes from, if from somewhere. */
const stored = (row: Row, of = sql``) => sql`
  insert into ${oidcRecords}
    (id_hash, model, payload, uid, grant_id, session_uid, account_id, client_id, expires_at)
  select ${row.idHash}, ${row.model}, ${row.payload}, ${row.uid ?? null}, ${row.grantId ?? null},
    ${row.sessionUid ?? null}, ${row.accountId ?? null}, ${row.clientId ?? null}, ${row.expiresAt}::timestamptz
  ${of}
  on conflict (id_hash) do update set
    model = excluded.model, payload = excluded.payload, uid = excluded.uid, grant_id = excluded.grant_id,
    session_uid = excluded.session_uid, account_id = excluded.account_id, client_id = excluded.client_id,
    expires_at = excluded.expires_at`

export const storeRecord = (row: Row) => executePlanned(db(), stored(row))

/** Uses a record up and stores its successor, both or neither; false when somebody else has used it up. */
export async function replaceRecord(usedHash: string, now: Date, row: Row): Promise<boolean> {
  const rows = await executePlanned(
    db(),
    sql`with used as (
      update ${oidcRecords} set consumed_at = ${now}::timestamptz
      where id_hash = ${usedHash} and consumed_at is null returning id_hash
    ) ${stored(row, sql`from used`)} returning id_hash`,
  )
  return rows.length === 1
}

const recordsByIds = prepared('oidc_records_by_ids', (database) =>
  database
    .select()
    .from(oidcRecords)
    .where(
      sql`${oidcRecords.idHash} = any(${sql.placeholder('ids')}) and ${oidcRecords.expiresAt} > ${sql.placeholder('now')}`,
    ),
)

let asked: { ids: Set<string>; rows: Promise<Map<string, Found>> } | undefined

async function readAsked() {
  // what the same turn asks for comes first
  await undefined
  const ids = [...(asked?.ids ?? [])]
  asked = undefined
  const rows = await recordsByIds().execute({ ids, now: new Date() })
  return new Map(rows.map((row) => [row.idHash, row]))
}

/** A record that has not expired. What one turn asks for goes by one statement: a token may be of three kinds. */
export async function findRecord(idHash: string): Promise<Found | null> {
  asked ??= { ids: new Set(), rows: readAsked() }
  asked.ids.add(idHash)
  return (await asked.rows).get(idHash) ?? null
}

const sessionRecord = prepared('oidc_session_record', (database) =>
  database
    .select()
    .from(oidcRecords)
    .where(eq(oidcRecords.uid, sql.placeholder('uid'))),
)

/** A provider's session by its lasting name. */
export async function findSessionRecord(uid: string, run?: Database | Transaction) {
  const [row] = run
    ? await run.select().from(oidcRecords).where(eq(oidcRecords.uid, uid))
    : await sessionRecord().execute({ uid })
  return row ?? null
}

/** Uses a record up; false when somebody else has done so. */
export async function consumeRecord(idHash: string, now: Date): Promise<boolean> {
  const rows = await db()
    .update(oidcRecords)
    .set({ consumedAt: now })
    .where(and(eq(oidcRecords.idHash, idHash), isNull(oidcRecords.consumedAt)))
    .returning({ idHash: oidcRecords.idHash })
  return rows.length === 1
}

export const removeRecord = (idHash: string) => db().delete(oidcRecords).where(eq(oidcRecords.idHash, idHash))

export const removeByGrant = (grantId: string) => db().delete(oidcRecords).where(eq(oidcRecords.grantId, grantId))

/** Everything that hangs on a provider's session, itself included. */
export const removeBySession = (tx: Transaction, uid: string, grantIds: string[]) =>
  tx
    .delete(oidcRecords)
    .where(or(eq(oidcRecords.uid, uid), eq(oidcRecords.sessionUid, uid), inArray(oidcRecords.grantId, grantIds)))

export const removeExpired = (now: Date) => db().delete(oidcRecords).where(lt(oidcRecords.expiresAt, now))
