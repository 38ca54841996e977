import { and, eq, inArray } from 'drizzle-orm'
import type { Transaction } from '@/db/client'
import { userAgreementRefusals, userAgreements } from '@/db/schema/people'

type Row = typeof userAgreements.$inferInsert

/** Stores what one person agreed to; what they refused of it before no longer counts. */
export async function insertAgreements(tx: Transaction, userId: string, rows: Row[]) {
  await tx.insert(userAgreements).values(rows).onConflictDoNothing()
  const agreed = inArray(
    userAgreementRefusals.documentId,
    rows.map(({ documentId }) => documentId),
  )
  await tx.delete(userAgreementRefusals).where(and(eq(userAgreementRefusals.userId, userId), agreed))
}
