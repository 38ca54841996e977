import { and, eq, gt, inArray, isNull, or, sql } from 'drizzle-orm'
import { db, type Transaction } from '@/db/client'
import { sessions } from '@/db/schema/entry'
import { oidcRecords } from '@/db/schema/oidc'

type Row = typeof oidcRecords.$inferInsert

export const storeRecord = ({ idHash, ...values }: Row) =>
  db()
    .insert(oidcRecords)
    .values({ idHash, ...values })
    .onConflictDoUpdate({ target: oidcRecords.idHash, set: values })

export async function findRecord(idHash: string, now: Date) {
  const [row] = await db()
    .select()
    .from(oidcRecords)
    .where(and(eq(oidcRecords.idHash, idHash), gt(oidcRecords.expiresAt, now)))
  return row ?? null
}

/** A provider's session by its lasting name. */
export async function findSessionRecord(uid: string, run: ReturnType<typeof db> | Transaction = db()) {
  const [row] = await run.select().from(oidcRecords).where(eq(oidcRecords.uid, uid))
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

/** Sessions stay for as long as the end of the platform's own may still have to be told to applications. */
export const removeExpired = (now: Date, toldAfter: Date) =>
  db()
    .delete(oidcRecords)
    .where(
      sql`${oidcRecords.expiresAt} < ${now} and (${oidcRecords.model} <> 'Session' or not exists (
        select from ${sessions} s
        where s.oidc_uid = ${oidcRecords}.uid and (s.ended_at is null or s.ended_at > ${toldAfter})
      ))`,
    )
