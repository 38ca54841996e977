import { and, eq, lt, sql } from 'drizzle-orm'
import { type Database, db, executePlanned, type Transaction } from '@/db/client'
import { authenticatorApps, passwordFailures, recoveryCodes } from '@/db/schema/entry'
import { users } from '@/db/schema/people'

/** After this many wrong passwords in a row the password flow stays closed (NIST SP 800-63B). */
export const failuresInRow = 100

/**
 * Counts a wrong password of an account, or of a typed identifier. With `count` 0, for a password that wasn't compared,
 * it does the same work and counts nothing.
 */
export const countFailure = (key: string, userId: string | null, count: 0 | 1, now: Date) =>
  executePlanned(
    db(),
    sql`insert into ${passwordFailures} as f (key, user_id, count, last_at)
      values (${key}, ${userId}::uuid, ${count}::int, ${now}::timestamptz)
      on conflict (key) do update set count = f.count + excluded.count, last_at = excluded.last_at`,
  )

/** Returns the wrong passwords of an account in a row, by the key under which they are counted. */
export async function selectFailures(userId: string): Promise<Record<string, number>> {
  const { key, count } = passwordFailures
  const rows = await db().select({ key, count }).from(passwordFailures).where(eq(passwordFailures.userId, userId))
  return Object.fromEntries(rows.map((row) => [row.key, row.count]))
}

/**
 * Deletes an account's wrong passwords after the right one. Returns false if those under `key` have reached the number
 * that closes the flow in the meantime: then the password came too late, and that row stays.
 */
export async function endFailures(userId: string, key: string): Promise<boolean> {
  await db()
    .delete(passwordFailures)
    .where(and(eq(passwordFailures.userId, userId), lt(passwordFailures.count, failuresInRow)))
  const closed = await db()
    .select({ key: passwordFailures.key })
    .from(passwordFailures)
    .where(eq(passwordFailures.key, key))
  return closed.length === 0
}

/** Deletes all wrong passwords of an account, also those that have closed its password flow. */
export const removeFailures = (tx: Transaction | Database, userId: string) =>
  tx.delete(passwordFailures).where(eq(passwordFailures.userId, userId))

/** Locks an account, and returns the receiver of mails about it. Returns undefined if it has been deleted. */
export async function lockOwner(tx: Transaction, userId: string) {
  const { id, email, firstName } = users
  const lang = sql<
    string | null
  >`coalesce((select us.lang from user_settings us where us.user_id = users.id), users.locale)`
  const [owner] = await tx.select({ id, email, firstName, lang }).from(users).where(eq(id, userId)).for('no key update')
  return owner
}

/** Returns a person's authenticator app. Returns null if there is none. */
export async function selectAuthenticatorApp(userId: string, run: Transaction | Database = db()) {
  const [app] = await run.select().from(authenticatorApps).where(eq(authenticatorApps.userId, userId))
  return app ?? null
}

/**
 * Uses up a time step of a person's app. Returns false if a code of this step or of a later one was used: each code is
 * accepted once (RFC 6238, section 5.2).
 */
export async function spendTimeStep(userId: string, step: number): Promise<boolean> {
  const rows = await db()
    .update(authenticatorApps)
    .set({ lastStep: step })
    .where(and(eq(authenticatorApps.userId, userId), lt(authenticatorApps.lastStep, step)))
    .returning({ userId: authenticatorApps.userId })
  return rows.length > 0
}

/** Stores authenticator apps of people who have none. Returns how many were stored. */
export async function insertAuthenticatorApps(
  tx: Transaction,
  apps: (typeof authenticatorApps.$inferInsert)[],
): Promise<number> {
  const { userId } = authenticatorApps
  return (await tx.insert(authenticatorApps).values(apps).onConflictDoNothing().returning({ userId })).length
}

/** Deletes a person's authenticator app, and by the reference its recovery codes. Returns whether there was an app. */
export async function removeAuthenticatorApp(tx: Transaction, userId: string): Promise<boolean> {
  const rows = await tx.delete(authenticatorApps).where(eq(authenticatorApps.userId, userId)).returning()
  return rows.length > 0
}

/** Replaces the recovery codes of a person who has an authenticator app. */
export async function replaceRecoveryCodes(tx: Transaction, userId: string, hashes: readonly string[]) {
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))
  if (hashes.length > 0) await tx.insert(recoveryCodes).values(hashes.map((hash) => ({ userId, hash })))
}

/** Deletes a person's recovery code. Returns false if there is no such code. */
export async function removeRecoveryCode(tx: Transaction, userId: string, hash: string): Promise<boolean> {
  const rows = await tx
    .delete(recoveryCodes)
    .where(and(eq(recoveryCodes.userId, userId), eq(recoveryCodes.hash, hash)))
    .returning({ hash: recoveryCodes.hash })
  return rows.length > 0
}

/** Returns how many recovery codes a person has. */
export const countRecoveryCodes = (userId: string, run: Transaction | Database = db()): Promise<number> =>
  run.$count(recoveryCodes, eq(recoveryCodes.userId, userId))
