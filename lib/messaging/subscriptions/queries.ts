import { eq, inArray } from 'drizzle-orm'
import type { Database, Transaction } from '@/db/client'
import { subscriptions } from '@/db/schema/subscriptions'

/** Returns the choices of a person with their version; undefined if the person has never chosen. */
export async function selectChoices(run: Database | Transaction, userId: string) {
  const [row] = await run.select().from(subscriptions).where(eq(subscriptions.userId, userId))
  return row
}

/** Returns the choices of these people, without people who have never chosen. */
export const selectChoicesOf = (run: Database | Transaction, userIds: readonly string[]) =>
  run
    .select()
    .from(subscriptions)
    .where(inArray(subscriptions.userId, [...userIds]))

/** Locks the choices of a person, and creates the row if there is none; `created` says whether it did. */
export async function lockChoices(tx: Transaction, userId: string) {
  const created = await tx.insert(subscriptions).values({ userId }).onConflictDoNothing().returning()
  const [row] = await tx.select().from(subscriptions).where(eq(subscriptions.userId, userId)).for('update')
  return { row, created: created.length > 0 }
}

export const storeChoices = (tx: Transaction, userId: string, choices: typeof subscriptions.$inferSelect.choices) =>
  tx.update(subscriptions).set({ choices }).where(eq(subscriptions.userId, userId))
