import { eq } from 'drizzle-orm'
import { type Database, db, type Transaction } from '@/db/client'
import { userSettings } from '@/db/schema/people'
import type { ListColumns } from '@/lib/kernel/list-columns'

type Values = Partial<Omit<typeof userSettings.$inferInsert, 'userId'>>

export async function selectUserSettings(userId: string) {
  const [row] = await db().select().from(userSettings).where(eq(userSettings.userId, userId))
  return row ?? null
}

/** Locks a person's settings for a change and returns their choice of columns. */
export async function lockColumns(tx: Transaction, userId: string): Promise<ListColumns> {
  await tx.insert(userSettings).values({ userId }).onConflictDoNothing()
  const [row] = await tx
    .select({ columns: userSettings.columns })
    .from(userSettings)
    .where(eq(userSettings.userId, userId))
    .for('update')
  return row?.columns ?? {}
}

export async function storeUserSettings(tx: Transaction | Database, userId: string, values: Values) {
  if (Object.values(values).every((value) => value === undefined)) return
  await tx
    .insert(userSettings)
    .values({ userId, ...values })
    .onConflictDoUpdate({ target: userSettings.userId, set: values })
}
