import { and, eq, inArray } from 'drizzle-orm'
import type { Database, Transaction } from '@/db/client'
import { userAgreementRefusals, userAgreements } from '@/db/schema/people'

type Row = typeof userAgreements.$inferInsert

/** Returns the agreements that a person has agreed to, with their versions. */
export const selectAgreed = (database: Database | Transaction, userId: string) =>
  database
    .select({ documentId: userAgreements.documentId, version: userAgreements.version })
    .from(userAgreements)
    .where(eq(userAgreements.userId, userId))

/** Stores the agreements of one person. Deletes their earlier refusals of the same documents. */
export async function insertAgreements(tx: Transaction, userId: string, rows: Row[]) {
  await tx.insert(userAgreements).values(rows).onConflictDoNothing()
  const agreed = inArray(
    userAgreementRefusals.documentId,
    rows.map(({ documentId }) => documentId),
  )
  await tx.delete(userAgreementRefusals).where(and(eq(userAgreementRefusals.userId, userId), agreed))
}
