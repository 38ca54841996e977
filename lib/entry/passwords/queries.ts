import { eq, sql } from 'drizzle-orm'
import { db, type Transaction } from '@/db/client'
import { users } from '@/db/schema/people'

export async function passwordOf(userId: string) {
  const [row] = await db()
    .select({ id: users.id, login: users.login, passwordHash: users.passwordHash })
    .from(users)
    .where(eq(users.id, userId))
  return row ?? null
}

/** Stores a password that the person chose: from now on nothing asks for a change. */
export const storePassword = (tx: Transaction, userId: string, passwordHash: string, now: Date) =>
  tx
    .update(users)
    .set({
      passwordHash,
      passwordChangedAt: now,
      passwordChangeRequired: false,
      updatedAt: now,
      version: sql`${users.version} + 1`,
    })
    .where(eq(users.id, userId))
