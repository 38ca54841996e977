import { and, eq, sql } from 'drizzle-orm'
import { type Database, db, type Transaction } from '@/db/client'
import { passwordHistory } from '@/db/schema/entry'
import { users } from '@/db/schema/people'

// written as SQL: in a select from one table Drizzle omits the table names, which a subquery needs
const accountColumns = {
  id: users.id,
  login: users.login,
  email: users.email,
  mobile: users.mobile,
  firstName: users.firstName,
  enabled: users.enabled,
  providerId: users.providerId,
  passwordHash: users.passwordHash,
  passwordChangedAt: users.passwordChangedAt,
  passwordChangeRequired: users.passwordChangeRequired,
  lang: sql<string | null>`coalesce((select us.lang from user_settings us where us.user_id = users.id), users.locale)`,
  /** Versions of documents that the user has agreed to. */
  agreed: sql<{ documentId: string; version: number }[]>`coalesce((
    select json_agg(json_build_object('documentId', ua.document_id, 'version', ua.version))
    from user_agreements ua where ua.user_id = users.id
  ), '[]')`,
}

export async function selectPasswordAccount(userId: string, database: Database | Transaction = db()) {
  const [row] = await database.select(accountColumns).from(users).where(eq(users.id, userId))
  return row ?? null
}
export type PasswordAccount = NonNullable<Awaited<ReturnType<typeof selectPasswordAccount>>>

/** Returns the names, login, e-mail and mobile of a person. A password must not consist of these. */
export async function selectPersonalWords(userId: string): Promise<string[]> {
  const { login, email, mobile, firstName, lastName, middleName } = users
  const [row] = await db()
    .select({ login, email, mobile, firstName, lastName, middleName })
    .from(users)
    .where(eq(users.id, userId))
  return Object.values(row ?? {}).filter((word) => word !== null)
}

/**
 * Locks an account for a change of its password. Call it before its links are locked: otherwise two parallel requests
 * with two links of one account would deadlock.
 */
export const lockAccount = (tx: Transaction, userId: string) =>
  tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update')

/** Returns whether a hash is in the account's password history. */
export async function isInHistory(tx: Transaction, userId: string, passwordHash: string) {
  const rows = await tx
    .select({ id: passwordHistory.id })
    .from(passwordHistory)
    .where(and(eq(passwordHistory.userId, userId), eq(passwordHistory.passwordHash, passwordHash)))
  return rows.length > 0
}
