import { and, asc, eq, inArray, lt } from 'drizzle-orm'
import { type Database, db, type Transaction } from '@/db/client'
import { passkeys } from '@/db/schema/entry'

type PasskeyValues = typeof passkeys.$inferInsert
export type PasskeyRow = typeof passkeys.$inferSelect

/** Returns the passkeys of a person, the oldest first. */
export const selectPasskeys = (userId: string, run: Transaction | Database = db()): Promise<PasskeyRow[]> =>
  run.select().from(passkeys).where(eq(passkeys.userId, userId)).orderBy(asc(passkeys.createdAt), asc(passkeys.id))

/** Returns a passkey by the id that its authenticator gave it. Returns null if nobody has it. */
export async function selectByCredential(credentialId: string): Promise<PasskeyRow | null> {
  const [row] = await db().select().from(passkeys).where(eq(passkeys.credentialId, credentialId))
  return row ?? null
}

/** Stores a passkey. Returns false if it is stored already. */
export async function insertPasskey(tx: Transaction, values: PasskeyValues): Promise<boolean> {
  return (await tx.insert(passkeys).values(values).onConflictDoNothing().returning({ id: passkeys.id })).length > 0
}

/**
 * Stores the use of a passkey. Returns false if its authenticator has signed as often or more often before: then there
 * may be a copy of it (WebAuthn, section 6.1.1).
 */
export async function storeUse(id: string, use: { signCount: number; isBackedUp: boolean; usedAt: Date }) {
  const { signCount } = passkeys
  const isNewer = use.signCount === 0 ? eq(signCount, 0) : lt(signCount, use.signCount)
  const rows = await db()
    .update(passkeys)
    .set(use)
    .where(and(eq(passkeys.id, id), isNewer))
    .returning({ id: passkeys.id })
  return rows.length > 0
}

/** Names a passkey of a person. Returns false if the person has no such passkey. */
export async function storeName(tx: Transaction, userId: string, id: string, name: string): Promise<boolean> {
  const rows = await tx
    .update(passkeys)
    .set({ name })
    .where(and(eq(passkeys.id, id), eq(passkeys.userId, userId)))
    .returning({ id: passkeys.id })
  return rows.length > 0
}

/** Deletes passkeys of a person. */
export const removePasskeys = (tx: Transaction, userId: string, ids: readonly string[]) =>
  tx.delete(passkeys).where(and(eq(passkeys.userId, userId), inArray(passkeys.id, [...ids])))
