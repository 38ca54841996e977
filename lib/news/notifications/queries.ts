import { and, desc, eq, inArray, isNull, lt, type SQL, sql } from 'drizzle-orm'
import { type Database, db, type Transaction } from '@/db/client'
import { cursorPage } from '@/db/cursor'
import { countRows, paged } from '@/db/list'
import { news, newsLocales } from '@/db/schema/news'
import { notices } from '@/db/schema/notices'
import { users } from '@/db/schema/people'
import { locales } from '@/db/schema/platform'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { deleteInBatches } from '@/lib/base/postgres/batches'
import type { listNotices } from './contract'

/** The largest number of unread notifications that is counted. */
const countedUnread = 100

/** Matches a person's notifications; those of withdrawn news are hidden at once, and a job deletes them. */
const ofPerson = (userId: string): SQL | undefined =>
  and(
    eq(notices.userId, userId),
    sql`(${notices.kind} <> 'news' or ${notices.cause} in (select 'news-' || n.id from ${news} n where n.status = 'published'))`,
  )
const unreadOf = (userId: string) => and(ofPerson(userId), isNull(notices.readAt))

const columns = {
  id: notices.id,
  kind: notices.kind,
  values: notices.values,
  date: notices.date,
  readAt: notices.readAt,
}

/** Returns one page of a person's notifications; counts up to 10 000. */
export const selectNoticePage = (
  query: ServiceInput<typeof listNotices>['query'],
  pageSize: number | null,
  userId: string,
) =>
  cursorPage(
    query,
    pageSize,
    {
      list: 'notices',
      caller: userId,
      sorts: { date: notices.date },
      tie: notices.id,
      total: 10_000,
      filters: { unread: (unread) => sql`(${notices.readAt} is null) = ${unread}` },
    },
    {
      rows: ({ keys, where, ...parts }) =>
        paged(
          db()
            .select({ ...columns, keys })
            .from(notices)
            .$dynamic(),
          { ...parts, where: and(ofPerson(userId), where) },
        ),
      count: (where, limit) => countRows(notices, and(ofPerson(userId), where), limit),
    },
  )

export const selectLastNotices = (userId: string, limit: number) =>
  db().select(columns).from(notices).where(ofPerson(userId)).orderBy(desc(notices.date), desc(notices.id)).limit(limit)

/** Returns the number of a person's unread notifications, up to 100. */
export const countUnread = (userId: string) => countRows(notices, unreadOf(userId), countedUnread)

/**
 * Stores notifications, except for people who have one with the same cause, and for deleted accounts. Returns the ids
 * of the people who got one.
 */
export async function insertNotices(tx: Transaction, list: (typeof notices.$inferInsert)[]): Promise<string[]> {
  const ids = list.map(({ userId }) => userId)
  // the notifications of an account are deleted with it
  const people = await tx
    .select({ id: users.id })
    .from(users)
    .where(inArray(users.id, ids))
    .orderBy(users.id)
    .for('key share')
  const existingIds = new Set(people.map(({ id }) => id))
  const storable = list.filter(({ userId }) => existingIds.has(userId))
  if (storable.length === 0) return []
  const stored = await tx
    .insert(notices)
    .values(storable)
    .onConflictDoNothing({ target: [notices.userId, notices.cause] })
    .returning({ userId: notices.userId })
  return stored.map(({ userId }) => userId)
}

/** Marks one notification of a person as read, or all unread ones. Returns the number. */
export async function markRead(tx: Transaction, userId: string, id: string | undefined, readAt: Date): Promise<number> {
  const { rowCount } = await tx
    .update(notices)
    .set({ readAt })
    .where(and(unreadOf(userId), id === undefined ? undefined : eq(notices.id, id)))
  return rowCount ?? 0
}

export const countNotice = (database: Database | Transaction, userId: string, id: string) =>
  database.$count(notices, and(ofPerson(userId), eq(notices.id, id)))

/** Deletes notifications of news, at most `limit`. Returns the ids of the people who had them. */
export async function deleteNoticesOfNews(tx: Transaction, cause: string, limit: number): Promise<string[]> {
  const ofCause = and(eq(notices.kind, 'news'), eq(notices.cause, cause))
  const batch = tx.select({ id: notices.id }).from(notices).where(ofCause).limit(limit)
  const deleted = await tx.delete(notices).where(inArray(notices.id, batch)).returning({ userId: notices.userId })
  return deleted.map(({ userId }) => userId)
}

/** Deletes notifications from before this time. */
export const deleteOldNotices = (before: Date) => deleteInBatches(notices, notices.date, lt(notices.date, before))

/** Returns the texts of several news with their locale codes. */
export const selectTextsOf = (run: Database | Transaction, ids: readonly string[]) =>
  run
    .select({
      id: newsLocales.newsId,
      locale: locales.code,
      title: newsLocales.title,
      text: newsLocales.text,
    })
    .from(newsLocales)
    .innerJoin(locales, eq(locales.id, newsLocales.localeId))
    .where(inArray(newsLocales.newsId, [...ids]))
