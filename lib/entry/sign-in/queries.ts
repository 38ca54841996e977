import { and, eq, gt, isNull, lt, sql } from 'drizzle-orm'
import { type Database, db, type Transaction } from '@/db/client'
import { dailyCounters, signInAttempts } from '@/db/schema/entry'
import { userIdentifiers, users } from '@/db/schema/people'
import type { IdAttribute } from './contract'

// spelled out: Drizzle leaves table names out of columns in a select from one table, which a subquery needs
const accountColumns = {
  id: users.id,
  enabled: users.enabled,
  email: users.email,
  mobile: users.mobile,
  firstName: users.firstName,
  /** The language the person chose. */
  lang: sql<string | null>`coalesce((select us.lang from user_settings us where us.user_id = users.id), users.locale)`,
  passwordHash: users.passwordHash,
  passwordChangeRequired: users.passwordChangeRequired,
  providerId: users.providerId,
  authenticationSchemaId: users.authenticationSchemaId,
  roleIds: sql<string[]>`array(
    select ur.role_id from user_roles ur where ur.user_id = users.id
    union select ucr.role_id from user_contractor_roles ucr where ucr.user_id = users.id
  )`,
}

/** The account that an identifier leads to, if any. One query either way. */
export async function findAccount(kind: IdAttribute, value: string) {
  const [row] = await db()
    .select(accountColumns)
    .from(userIdentifiers)
    .innerJoin(users, eq(users.id, userIdentifiers.userId))
    .where(and(eq(userIdentifiers.kind, kind), eq(userIdentifiers.value, value)))
  return row ?? null
}

export async function findAccountById(id: string) {
  const [row] = await db().select(accountColumns).from(users).where(eq(users.id, id))
  return row ?? null
}
export type Account = NonNullable<Awaited<ReturnType<typeof findAccount>>>

export async function insertAttempt(values: typeof signInAttempts.$inferInsert) {
  const [row] = await db().insert(signInAttempts).values(values).returning({ id: signInAttempts.id })
  if (!row) throw new Error('an attempt was not stored')
  return row.id
}

/** A live attempt by the digest of its token. */
export async function findAttempt(tokenHash: string, now: Date) {
  const [row] = await db()
    .select()
    .from(signInAttempts)
    .where(
      and(
        eq(signInAttempts.tokenHash, tokenHash),
        isNull(signInAttempts.finishedAt),
        gt(signInAttempts.expiresAt, now),
      ),
    )
  return row ?? null
}

/** Whom an attempt is about, live or not. */
export async function findAttemptUser(id: string) {
  const [row] = await db()
    .select({ userId: signInAttempts.userId })
    .from(signInAttempts)
    .where(eq(signInAttempts.id, id))
  return row?.userId ?? null
}

type Step = { id: string; version: number }
const unchanged = ({ id, version }: Step) =>
  and(eq(signInAttempts.id, id), eq(signInAttempts.version, version), isNull(signInAttempts.finishedAt))

/** Moves an attempt on; false when another request did so first. */
export async function moveAttempt(step: Step, changes: { state: unknown; tokenHash: string }) {
  const rows = await db()
    .update(signInAttempts)
    .set({ ...changes, version: step.version + 1 })
    .where(unchanged(step))
    .returning({ id: signInAttempts.id })
  return rows.length === 1
}

/** Uses an attempt up; false when another request did so first. */
export async function finishAttempt(tx: Transaction, step: Step, now: Date) {
  const rows = await tx
    .update(signInAttempts)
    .set({ finishedAt: now, version: step.version + 1 })
    .where(unchanged(step))
    .returning({ id: signInAttempts.id })
  return rows.length === 1
}

export const storePasswordHash = (tx: Transaction | Database, userId: string, passwordHash: string) =>
  tx.update(users).set({ passwordHash }).where(eq(users.id, userId))

/** Deletes attempts that have been over for a day, and counts of the days before yesterday. */
export async function removeStaleAttempts() {
  await db().delete(signInAttempts).where(lt(signInAttempts.expiresAt, sql`now() - interval '1 day'`))
  await db().delete(dailyCounters).where(lt(dailyCounters.day, sql`current_date - 2`))
}
