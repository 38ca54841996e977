import { and, eq, isNull, ne, sql } from 'drizzle-orm'
import { db, type Transaction } from '@/db/client'
import { passwordHistory, signInAttempts } from '@/db/schema/entry'
import { users } from '@/db/schema/people'

// spelled out: Drizzle leaves table names out of columns in a select from one table, which a subquery needs
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
  lang: sql<string | null>`coalesce((select us.lang from user_settings us where us.user_id = users.id), users.locale)`,
  /** Versions of documents that the user has agreed to. */
  agreed: sql<{ documentId: string; version: number }[]>`coalesce((
    select json_agg(json_build_object('documentId', ua.document_id, 'version', ua.version))
    from user_agreements ua where ua.user_id = users.id
  ), '[]')`,
}

export async function passwordOf(userId: string) {
  const [row] = await db().select(accountColumns).from(users).where(eq(users.id, userId))
  return row ?? null
}
export type PasswordAccount = NonNullable<Awaited<ReturnType<typeof passwordOf>>>

/** What a person is called: nothing to make a password of. */
export async function wordsAbout(userId: string): Promise<string[]> {
  const { login, email, mobile, firstName, lastName, middleName } = users
  const [row] = await db()
    .select({ login, email, mobile, firstName, lastName, middleName })
    .from(users)
    .where(eq(users.id, userId))
  return Object.values(row ?? {}).filter((word) => word !== null)
}

/**
 * Holds an account while its password is replaced, before anything of its links: two links to one password, used at
 * once, would else wait for one another.
 */
export const holdAccount = (tx: Transaction, userId: string) =>
  tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update')

/** Whether a hash is among those that are kept of an account. */
export async function isKept(tx: Transaction, userId: string, passwordHash: string) {
  const rows = await tx
    .select({ id: passwordHistory.id })
    .from(passwordHistory)
    .where(and(eq(passwordHistory.userId, userId), eq(passwordHistory.passwordHash, passwordHash)))
  return rows.length > 0
}

/** Ends the account's sign-ins that are under way, which may have proven the password of before; `kept` goes on. */
export const dropAttempts = (tx: Transaction, userId: string, kept: string | null, now: Date) =>
  tx
    .update(signInAttempts)
    .set({ finishedAt: now })
    .where(
      and(
        eq(signInAttempts.userId, userId),
        isNull(signInAttempts.finishedAt),
        kept ? ne(signInAttempts.id, kept) : undefined,
      ),
    )
