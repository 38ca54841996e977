import { and, eq, inArray } from 'drizzle-orm'
import type { Database, Transaction } from '@/db/client'
import { userAgreementRefusals, userAgreements } from '@/db/schema/people'

type Row = typeof userAgreements.$inferInsert

/** Returns which versions of agreements a person has agreed to. */
export const selectAgreed = (run: Database | Transaction, userId: string) =>
  run
    .select({ documentId: userAgreements.documentId, version: userAgreements.version })
    .from(userAgreements)
    .where(eq(userAgreements.userId, userId))

/** Stores what one person agreed to; what they refused of it before no longer counts. */
export async function insertAgreements(tx: Transaction, userId: string, rows: Row[]) {
  await tx.insert(userAgreements).values(rows).onConflictDoNothing()
  const agreed = inArray(
    userAgreementRefusals.documentId,
    rows.map(({ documentId }) => documentId),
  )
  await tx.delete(userAgreementRefusals).where(and(eq(userAgreementRefusals.userId, userId), agreed))
}
