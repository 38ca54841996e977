import { and, eq, gt, isNull, lt, ne, type SQL, sql } from 'drizzle-orm'
import { hasAuthenticatorApp } from '@/db/authenticator-app'
import { db, prepared, type Transaction } from '@/db/client'
import { inKnownBrowser } from '@/db/known-browsers'
import { hasPasskey } from '@/db/passkeys'
import { hasMarks, selectDoubts } from '@/db/prepared-accounts'
import { dailyCounters, passkeys, passwordFailures, sessions, signInAttempts } from '@/db/schema/entry'
import { userIdentifiers, userSettings, users } from '@/db/schema/people'
import { signsInElsewhere } from '@/db/signs-in-elsewhere'
import { deleteInBatches, hasTurn } from '@/lib/base/postgres/batches'
import type { IdAttribute } from './contract'

// written as SQL: in a select from one table Drizzle omits the table names, which a subquery needs
const accountColumns = {
  id: users.id,
  login: users.login,
  enabled: users.enabled,
  email: users.email,
  mobile: users.mobile,
  firstName: users.firstName,
  /** The language the person chose. */
  lang: sql<string | null>`coalesce((select us.lang from user_settings us where us.user_id = users.id), users.locale)`,
  passwordHash: users.passwordHash,
  passwordChangeRequired: users.passwordChangeRequired,
  providerId: users.providerId,
  /** Whether a directory keeps the account through which people can sign in. */
  atProvider: signsInElsewhere,
  authenticationSchemaId: users.authenticationSchemaId,
  hasAuthenticatorApp,
  hasPasskey,
  isPrepared: sql<boolean>`users.prepared_by is not null`,
  hasMarks,
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

/**
 * Adds the doubts about an account. Returns null if the account has been deleted. Few accounts have marks; for the
 * others it makes no query.
 */
async function withDoubts<Row extends { id: string; hasMarks: boolean }>({ hasMarks, ...row }: Row) {
  const doubts = hasMarks ? await selectDoubts(row.id) : { needsEmailProof: false, isMobileDoubtful: false }
  return doubts && { ...row, ...doubts }
}

const accountByIdentifier = prepared('account_by_identifier', (database) =>
  database
    .select(accountColumns)
    .from(userIdentifiers)
    .innerJoin(users, eq(users.id, userIdentifiers.userId))
    .where(and(eq(userIdentifiers.kind, sql.placeholder('kind')), eq(userIdentifiers.value, sql.placeholder('value')))),
)

/**
 * Returns the account of an identifier. Returns null if there is none. It makes one query in both cases, and two for an
 * account with marks.
 */
export async function selectAccount(kind: IdAttribute, value: string) {
  const [row] = await accountByIdentifier().execute({ kind, value })
  return row ? withDoubts(row) : null
}

const accountById = prepared('account_by_id', (database) =>
  database
    .select(accountColumns)
    .from(users)
    .where(eq(users.id, sql.placeholder('id'))),
)

export async function selectAccountById(id: string) {
  const [row] = await accountById().execute({ id })
  return row ? withDoubts(row) : null
}

export type Account = NonNullable<Awaited<ReturnType<typeof selectAccount>>>

/** A condition: the account knows the browser. */
const seenOnDevice = (userId: SQL) => sql<boolean>`exists (
  select from ${sessions} s
  where s.device_hash = ${sql.placeholder('deviceHash')}::text and ${inKnownBrowser(userId)}
)`

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
    .returning({
      id: signInAttempts.id,
      // written as SQL, as above
      seenOnDevice: seenOnDevice(sql`sign_in_attempts.user_id`),
    }),
)

type NewAttempt = Required<Omit<typeof signInAttempts.$inferInsert, 'id' | 'version' | 'finishedAt'>>

/** Stores an attempt. Returns its id, and whether the account knows the browser. */
export async function insertAttempt(values: NewAttempt, deviceHash: string | null) {
  const [row] = await newAttempt().execute({ ...values, deviceHash })
  if (!row) throw new Error('an attempt was not stored')
  return row
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
      seenOnDevice: seenOnDevice(sql`${signInAttempts.userId}`),
      failures: sql<Record<string, number>>`coalesce((
        select json_object_agg(f.key, f.count) from ${passwordFailures} f where f.user_id = ${signInAttempts.userId}
      ), '{}')`,
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
 * Returns a live attempt by the digest of its token, with its account, and whether the account has signed in before:
 * anywhere, and in this browser. It makes one query, which costs the same with and without an account, and a second one
 * for an account with marks.
 */
export async function selectAttempt(tokenHash: string, deviceHash: string | null, now: Date) {
  const [row] = await attemptByToken().execute({ tokenHash, deviceHash, now })
  if (!row) return null
  const { id, version, userId, domainId, state, seenBefore, seenOnDevice, failures, accountId, ...columns } = row
  const account = accountId === null ? null : ((await withDoubts({ ...columns, id: accountId })) as Account | null)
  return { id, version, userId, domainId, state, seenBefore, seenOnDevice, failures, account }
}

/** Returns the user of an attempt, live or not, and whether the attempt has a proof. Returns null if there is none. */
export async function selectAttemptUser(id: string) {
  const [row] = await db()
    .select({
      userId: signInAttempts.userId,
      begun: sql<boolean>`coalesce(jsonb_array_length(${signInAttempts.state} -> 'proven'), 0) > 0`,
    })
    .from(signInAttempts)
    .where(eq(signInAttempts.id, id))
  return row?.userId ? { userId: row.userId, begun: row.begun } : null
}

type Step = { id: string; version: number }
const unchanged = ({ id, version }: Step) =>
  and(eq(signInAttempts.id, id), eq(signInAttempts.version, version), isNull(signInAttempts.finishedAt))

/** Stores the next state of an attempt. Returns false if another request has stored one first. */
export async function moveAttempt(step: Step, changes: { state: unknown; tokenHash: string }) {
  const rows = await db()
    .update(signInAttempts)
    .set({ ...changes, version: step.version + 1 })
    .where(unchanged(step))
    .returning({ id: signInAttempts.id })
  return rows.length === 1
}

/**
 * Returns the statement that uses an attempt up, for `insertSession`. The statement returns no row if another request
 * has used the attempt up first, if the account has been deleted, or the passkey that the attempt has proven.
 */
export const finishAttempt = ({ id, version, passkey }: Step & { passkey?: string | undefined }, now: Date): SQL =>
  sql`update ${signInAttempts} set finished_at = ${now}, version = ${version + 1}, state = state - 'newApp'
    where id = ${id} and version = ${version} and finished_at is null and exists (select from person)
      ${passkey ? sql`and exists (select from ${passkeys} p where p.id = ${passkey})` : sql``} returning id`

/**
 * Deletes attempts that were completed before `before`; attempts that weren't completed, an hour after they expired,
 * because they store what was typed, which may be a password; daily counters from before yesterday; and old wrong
 * passwords without an account. Those of a deleted account are deleted within a further day.
 */
export async function removeStaleAttempts(before: Date, now: Date) {
  const { finishedAt, expiresAt } = signInAttempts
  await deleteInBatches(signInAttempts, finishedAt, lt(finishedAt, before))
  const abandoned = and(isNull(finishedAt), lt(expiresAt, sql`now() - interval '1 hour'`))
  await deleteInBatches(signInAttempts, expiresAt, abandoned)
  await deleteInBatches(dailyCounters, dailyCounters.day, lt(dailyCounters.day, sql`current_date - 2`))
  const { lastAt, userId } = passwordFailures
  const old = lt(lastAt, sql`now() - interval '30 days'`)
  await deleteInBatches(passwordFailures, lastAt, and(isNull(userId), old))
  const withoutAccount = sql`not exists (select from ${users} u where u.id = ${userId})`
  await deleteInBatches(passwordFailures, userId, and(hasTurn(userId, now), old, withoutAccount))
}

/** Stores that a passkey is offered to a person. Returns false if one was offered before. */
export async function storeOffer(userId: string, now: Date): Promise<boolean> {
  const rows = await db()
    .insert(userSettings)
    .values({ userId, passkeyOfferedAt: now })
    .onConflictDoUpdate({
      target: userSettings.userId,
      set: { passkeyOfferedAt: now },
      setWhere: isNull(userSettings.passkeyOfferedAt),
    })
    .returning({ userId: userSettings.userId })
  return rows.length > 0
}

/** Returns the receiver of a mail about an account. Returns undefined if the account has been deleted. */
export async function selectOwner(tx: Transaction, userId: string) {
  const { id, email, firstName, lang } = accountColumns
  const [row] = await tx.select({ id, email, firstName, lang }).from(users).where(eq(users.id, userId))
  return row
}

/** Ends the account's current attempts, which may have proven the old password, except `exceptId`. */
export const storeFinished = (tx: Transaction, userId: string, exceptId: string | null, now: Date) =>
  tx
    .update(signInAttempts)
    .set({ finishedAt: now, state: sql`${signInAttempts.state} - 'newApp'` })
    .where(
      and(
        eq(signInAttempts.userId, userId),
        isNull(signInAttempts.finishedAt),
        exceptId ? ne(signInAttempts.id, exceptId) : undefined,
      ),
    )
