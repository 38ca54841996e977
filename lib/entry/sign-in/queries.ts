import { and, eq, gt, isNull, lt, type SQL, sql } from 'drizzle-orm'
import { type Database, db, prepared, type Transaction } from '@/db/client'
import { dailyCounters, sessions, signInAttempts } from '@/db/schema/entry'
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
  /** Versions of documents that the user has agreed to. */
  agreed: sql<{ documentId: string; version: number }[]>`coalesce((
    select json_agg(json_build_object('documentId', ua.document_id, 'version', ua.version))
    from user_agreements ua where ua.user_id = users.id
  ), '[]')`,
}

const accountByIdentifier = prepared('account_by_identifier', (database) =>
  database
    .select(accountColumns)
    .from(userIdentifiers)
    .innerJoin(users, eq(users.id, userIdentifiers.userId))
    .where(and(eq(userIdentifiers.kind, sql.placeholder('kind')), eq(userIdentifiers.value, sql.placeholder('value')))),
)

/** The account that an identifier leads to, if any. One query either way. */
export async function findAccount(kind: IdAttribute, value: string) {
  const [row] = await accountByIdentifier().execute({ kind, value })
  return row ?? null
}

export async function findAccountById(id: string) {
  const [row] = await db().select(accountColumns).from(users).where(eq(users.id, id))
  return row ?? null
}
export type Account = NonNullable<Awaited<ReturnType<typeof findAccount>>>

const newAttempt = prepared('new_attempt', (database) =>
  database
    .insert(signInAttempts)
    .values({
      tokenHash: sql.placeholder('tokenHash'),
      userId: sql.placeholder('userId'),
      domainId: sql.placeholder('domainId'),
      state: sql.placeholder('state'),
      ip: sql.placeholder('ip'),
      createdAt: sql.placeholder('createdAt'),
      expiresAt: sql.placeholder('expiresAt'),
    })
    .returning({ id: signInAttempts.id }),
)

type NewAttempt = Required<Omit<typeof signInAttempts.$inferInsert, 'id' | 'version' | 'finishedAt'>>

export async function insertAttempt(values: NewAttempt) {
  const [row] = await newAttempt().execute(values)
  if (!row) throw new Error('an attempt was not stored')
  return row.id
}

const attemptByToken = prepared('attempt_by_token', (database) =>
  database
    .select({
      ...accountColumns,
      accountId: users.id,
      id: signInAttempts.id,
      version: signInAttempts.version,
      userId: signInAttempts.userId,
      domainId: signInAttempts.domainId,
      state: signInAttempts.state,
      seenBefore: sql<boolean>`exists (select from ${sessions} s where s.user_id = ${signInAttempts.userId})`,
      seenOnDevice: sql<boolean>`exists (
        select from ${sessions} s
        where s.user_id = ${signInAttempts.userId} and s.device_hash = ${sql.placeholder('deviceHash')}::text
      )`,
    })
    .from(signInAttempts)
    .leftJoin(users, eq(users.id, signInAttempts.userId))
    .where(
      and(
        eq(signInAttempts.tokenHash, sql.placeholder('tokenHash')),
        isNull(signInAttempts.finishedAt),
        gt(signInAttempts.expiresAt, sql.placeholder('now')),
      ),
    ),
)

/**
 * A live attempt by the digest of its token, with its account and whether that was seen before, in this browser
 * and in any. One query, which costs for an attempt that is nobody's what it costs for somebody's.
 */
export async function findAttempt(tokenHash: string, deviceHash: string | null, now: Date) {
  const [row] = await attemptByToken().execute({ tokenHash, deviceHash, now })
  if (!row) return null
  const { id, version, userId, domainId, state, seenBefore, seenOnDevice, accountId, ...columns } = row
  const account = accountId === null ? null : ({ ...columns, id: accountId } as Account)
  return { id, version, userId, domainId, state, seenBefore, seenOnDevice, account }
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

/** The statement that uses an attempt up: gives a row, or none when another request did so first. */
export const finishAttempt = ({ id, version }: Step, now: Date): SQL =>
  sql`update ${signInAttempts} set finished_at = ${now}, version = ${version + 1}
    where id = ${id} and version = ${version} and finished_at is null returning id`

export const storePasswordHash = (tx: Transaction | Database, userId: string, passwordHash: string) =>
  tx.update(users).set({ passwordHash }).where(eq(users.id, userId))

/** Deletes attempts that have been over for a day, and counts of the days before yesterday. */
export async function removeStaleAttempts() {
  await db().delete(signInAttempts).where(lt(signInAttempts.expiresAt, sql`now() - interval '1 day'`))
  await db().delete(dailyCounters).where(lt(dailyCounters.day, sql`current_date - 2`))
}
