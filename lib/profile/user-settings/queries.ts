import { eq } from 'drizzle-orm'
import { type Database, db, type Transaction } from '@/db/client'
import { userSettings } from '@/db/schema/people'

type Values = Partial<Omit<typeof userSettings.$inferInsert, 'userId'>>

export async function selectUserSettings(userId: string) {
  const [row] = await db().select().from(userSettings).where(eq(userSettings.userId, userId))
  return row ?? null
}

export async function storeUserSettings(tx: Transaction | Database, userId: string, values: Values) {
  if (Object.values(values).every((value) => value === undefined)) return
  await tx
    .insert(userSettings)
    .values({ userId, ...values })
    .onConflictDoUpdate({ target: userSettings.userId, set: values })
}
