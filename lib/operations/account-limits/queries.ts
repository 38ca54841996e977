import { and, desc, eq, gt, isNotNull, max, type SQL, sql } from 'drizzle-orm'
import { type Database, db, type Transaction } from '@/db/client'
import { cursorPage, type Keys } from '@/db/cursor'
import { inKnownBrowser } from '@/db/known-browsers'
import { countRows, paged } from '@/db/list'
import { passwordFailures, sessions, wrongCodes } from '@/db/schema/entry'
import { messages } from '@/db/schema/operations'
import { users } from '@/db/schema/people'
import { signInLog } from '@/db/schema/sign-in-log'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { wrongByAccount } from '@/lib/sign-in/codes/limits'
import type { listUserMessages } from './contract'

/** Matches the rows that count wrong codes of an account: its own row, and one for each known browser. */
const ofAccount = (userId: string) => {
  const key = `account ${userId}`
  return sql`(${wrongCodes.key} = ${key} or ${wrongCodes.key} like ${`${key} %`})`
}

/** Returns the identifiers of an account; undefined if there is none. */
export async function selectNames(run: Database | Transaction, id: string) {
  const { login, email, mobile } = users
  const [row] = await run.select({ id: users.id, login, email, mobile }).from(users).where(eq(users.id, id))
  return row
}

/** Returns the digests of the browsers that an account knows. */
export async function selectKnownDevices(run: Database | Transaction, userId: string): Promise<string[]> {
  const { rows } = await run.execute<{ device: string }>(
    sql`select distinct s.device_hash as device from ${sessions} s where ${inKnownBrowser(sql`${userId}::uuid`)}`,
  )
  return rows.map(({ device }) => device)
}

/** Returns the last addresses from which a sign-in was refused since a moment, at most five. */
export async function selectRefusedAddresses(run: Database | Transaction, userId: string, since: Date) {
  const rows = await run
    .select({ ip: signInLog.ip })
    .from(signInLog)
    .where(and(eq(signInLog.userId, userId), gt(signInLog.at, since), isNotNull(signInLog.cause)))
    .groupBy(signInLog.ip)
    .orderBy(desc(max(signInLog.at)))
    .limit(5)
  return rows.map(({ ip }) => ip)
}

/**
 * Returns the number of wrong passwords in a row, the largest numbers of wrong codes of a day and of 30 days under one
 * key, and the moment until which wrong codes close the code flows.
 */
export async function selectCounted(run: Database | Transaction, userId: string, now: Date) {
  const since = (days: number) => sql`(select count(*)::int from unnest(${wrongCodes.entries}) entry
    where entry > ${now}::timestamptz - make_interval(days => ${days}))`
  const endOfLimit = (days: number, limit: number) => sql`(select entry + make_interval(days => ${days})
    from unnest(${wrongCodes.entries}) entry where entry > ${now}::timestamptz - make_interval(days => ${days})
    order by entry desc offset ${limit - 1} limit 1)`
  const until = sql`greatest(${endOfLimit(1, wrongByAccount.perDay)}, ${endOfLimit(30, wrongByAccount.perMonth)})`
  const [failures, codes] = await Promise.all([
    run.select({ count: passwordFailures.count }).from(passwordFailures).where(eq(passwordFailures.userId, userId)),
    run
      .select({
        day: sql<number>`${since(1)}`,
        month: sql<number>`${since(30)}`,
        until: sql<Date | null>`${until}`.mapWith(wrongCodes.lastAt),
      })
      .from(wrongCodes)
      .where(ofAccount(userId)),
  ])
  return {
    failures: Math.max(0, ...failures.map(({ count }) => count)),
    day: Math.max(0, ...codes.map(({ day }) => day)),
    month: Math.max(0, ...codes.map(({ month }) => month)),
    codesUntil: codes.reduce<Date | null>(
      (latest, { until }) => (until && (!latest || until > latest) ? until : latest),
      null,
    ),
  }
}

/** Deletes the wrong codes of an account. */
export const removeWrongCodes = (tx: Transaction, userId: string) => tx.delete(wrongCodes).where(ofAccount(userId))

/** Returns one page of the messages to an account, without their content. */
export const selectMessagePage = (
  userId: string,
  query: ServiceInput<typeof listUserMessages>['query'],
  caller: string,
  pageSize: number | null,
) => {
  const ofUser = (where: SQL | undefined) => and(eq(messages.userId, userId), where)
  const { id, kind, template, recipient, status, attempts, createdAt, finishedAt } = messages
  return cursorPage(
    query,
    pageSize,
    { list: `messages ${userId}`, caller, sorts: { createdAt }, tie: id, total: 1_000, filters: {} },
    {
      rows: ({ keys, ...parts }) =>
        paged(
          db()
            .select({
              ...{ id, kind, template, recipient, status, attempts, createdAt, finishedAt },
              keys: sql<Keys>`${keys}`.as('keys'),
            })
            .from(messages)
            .$dynamic(),
          { ...parts, where: ofUser(parts.where) },
        ),
      count: (where, limit) => countRows(messages, ofUser(where), limit),
    },
  )
}
