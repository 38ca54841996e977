import { and, desc, eq, gt, inArray, isNull, or, sql } from 'drizzle-orm'
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

const grantOnly = sql`case when ${oidcRecords.model} = 'Grant' then ${oidcRecords.idHash} end`
const ofAccount = (accountId: string, clientIds: string[]) =>
  and(eq(oidcRecords.accountId, accountId), inArray(oidcRecords.clientId, clientIds))

/** Of each client's records of a kind the one that ends last, and all of its grants. */
export const latestOfAccount = (accountId: string, clientIds: string[], now: Date) =>
  db()
    .selectDistinctOn([oidcRecords.clientId, oidcRecords.model, grantOnly])
    .from(oidcRecords)
    .where(and(ofAccount(accountId, clientIds), gt(oidcRecords.expiresAt, now)))
    .orderBy(oidcRecords.clientId, oidcRecords.model, grantOnly, desc(oidcRecords.expiresAt))

/** Removes the grants and tokens that clients have of an account; gives how many there were. */
export async function removeOfAccount(tx: Transaction, accountId: string, clientIds: string[]): Promise<number> {
  const rows = await tx
    .delete(oidcRecords)
    .where(ofAccount(accountId, clientIds))
    .returning({ idHash: oidcRecords.idHash })
  return rows.length
}

/** The provider's sessions of an account, locked until the transaction is over. */
export const lockSessionsOfAccount = (tx: Transaction, accountId: string) =>
  tx
    .select()
    .from(oidcRecords)
    .where(and(eq(oidcRecords.accountId, accountId), eq(oidcRecords.model, 'Session')))
    .for('update')

export const replacePayload = (tx: Transaction, idHash: string, payload: string) =>
  tx.update(oidcRecords).set({ payload }).where(eq(oidcRecords.idHash, idHash))
