import { and, eq, inArray } from 'drizzle-orm'
import { db, type Transaction } from '@/db/client'
import { userAgreements } from '@/db/schema/people'

/** Which versions of these documents the user has agreed to. */
export const agreedVersions = (userId: string, documentIds: string[]) =>
  documentIds.length === 0
    ? Promise.resolve([])
    : db()
        .select({ documentId: userAgreements.documentId, version: userAgreements.version })
        .from(userAgreements)
        .where(and(eq(userAgreements.userId, userId), inArray(userAgreements.documentId, documentIds)))

export const insertAgreements = (tx: Transaction, rows: (typeof userAgreements.$inferInsert)[]) =>
  tx.insert(userAgreements).values(rows).onConflictDoNothing()
