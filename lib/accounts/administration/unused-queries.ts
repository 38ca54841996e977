import { and, type SQL, sql } from 'drizzle-orm'
import { db } from '@/db/client'
import { sessions, userVisits } from '@/db/schema/entry'
import { users } from '@/db/schema/people'

const since = (days: number, now: Date) => sql`${now}::timestamptz - make_interval(days => ${days})`

/** A condition: nobody has used a session of an account for so many days, or ever. */
const isUnused = (days: number, now: Date, more = sql``) =>
  sql`not exists (select from ${sessions} s where s.user_id = ${users}.id and s.last_access_at >= ${since(days, now)} ${more})`

/** The accounts with an earlier visit, as `visit`, the longest ago first. They may be used all the same. */
const visitedBefore = (days: number, now: Date, limit = sql``) =>
  sql`(select v.user_id from ${userVisits} v where v.visited_at < ${since(days, now)} order by v.visited_at ${limit}) visit`

/** The same condition, for reading all such accounts. */
export const isUnusedByVisits = (days: number, now: Date): SQL | undefined =>
  and(sql`${users}.id in (select visit.user_id from ${visitedBefore(days, now)})`, isUnused(days, now))

/** The same condition, for accounts in the order of a list: `offset 0` makes PostgreSQL look up each by itself. */
export const isUnusedByItself = (days: number, now: Date): SQL => isUnused(days, now, sql`offset 0`)

/**
 * Returns up to `limit` accounts that nobody has used for so many days and that meet `where`, in the order of their
 * visits: in any other order PostgreSQL may meet them last. Most often some thousand visits are enough.
 */
export async function selectUnused(days: number, now: Date, where: SQL | undefined, limit: number) {
  const select = (visits: SQL) =>
    db()
      .select({ id: users.id })
      .from(visits)
      .innerJoin(users, sql`${users}.id = visit.user_id`)
      .where(and(where, isUnused(days, now)))
      .limit(limit)
  const first = await select(visitedBefore(days, now, sql`limit ${4 * limit}`))
  return first.length === limit ? first : select(visitedBefore(days, now))
}
