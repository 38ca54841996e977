import type { Transaction } from '@/db/client'
import { userAgreements } from '@/db/schema/people'

export const insertAgreements = (tx: Transaction, rows: (typeof userAgreements.$inferInsert)[]) =>
  tx.insert(userAgreements).values(rows).onConflictDoNothing()
