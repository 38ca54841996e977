import { eq } from 'drizzle-orm'
import { type Database, db, type Transaction } from '@/db/client'
import { userSettings } from '@/db/schema/people'
import type { ListColumns } from '@/lib/base/contracts/list-columns'
import { onBroken } from '@/lib/base/postgres/constraints'
import { AppError } from '@/lib/base/runtime/errors'

/** Runs a write for an account that may have been deleted in the meantime; then throws 401. */
const writeOfAccount = <T>(write: () => PromiseLike<T>) =>
  onBroken({ user_settings_user_id_users_id_fk: () => new AppError(401) }, async () => write())

type Values = Partial<Omit<typeof userSettings.$inferInsert, 'userId'>>

export async function selectUserSettings(userId: string) {
  const [row] = await db().select().from(userSettings).where(eq(userSettings.userId, userId))
  return row ?? null
}

/** Locks a person's settings for a change and returns their choice of columns. */
export async function lockColumns(tx: Transaction, userId: string): Promise<ListColumns> {
  await writeOfAccount(() => tx.insert(userSettings).values({ userId }).onConflictDoNothing())
  const [row] = await tx
    .select({ columns: userSettings.columns })
    .from(userSettings)
    .where(eq(userSettings.userId, userId))
    .for('update')
  return row?.columns ?? {}
}

export async function storeUserSettings(tx: Transaction | Database, userId: string, values: Values) {
  if (Object.values(values).every((value) => value === undefined)) return
  const insert = tx.insert(userSettings).values({ userId, ...values })
  await writeOfAccount(() => insert.onConflictDoUpdate({ target: userSettings.userId, set: values }))
}
