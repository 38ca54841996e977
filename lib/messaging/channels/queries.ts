import { eq } from 'drizzle-orm'
import { db, type Transaction } from '@/db/client'
import { notifyMethods } from '@/db/schema/subscriptions'

export const selectMethods = () => db().select().from(notifyMethods)

/** Locks a channel for a change; undefined if there is none. */
export async function lockMethod(tx: Transaction, id: string) {
  const [row] = await tx.select().from(notifyMethods).where(eq(notifyMethods.id, id)).for('update')
  return row
}

export const storeMethod = (tx: Transaction, id: string, enabled: boolean) =>
  tx.update(notifyMethods).set({ enabled }).where(eq(notifyMethods.id, id))
