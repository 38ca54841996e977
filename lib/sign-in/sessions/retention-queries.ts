import { type SQL, sql } from 'drizzle-orm'
import { db } from '@/db/client'
import { browserColumns, provesBrowser } from '@/db/known-browsers'
import { sessions } from '@/db/schema/entry'
import { batchSize } from '@/lib/base/postgres/batches'

/**
 * The columns that say whether a session `s` is the last one of its account, and the last one on its domain. The list
 * of accounts and `personDomain` need these sessions.
 */
const lastColumns = sql`
  row_number() over (partition by s.user_id order by s.last_access_at desc, s.id) = 1 as is_last,
  s.domain_id is not null and row_number() over (
    partition by s.user_id, s.domain_id order by s.created_at desc, s.id) = 1 as is_last_on_domain`
const saysWhenLast = sql`(is_last or is_last_on_domain)`

type RetentionStep = {
  /** Sessions that ended before this time are checked; other old sessions of their accounts are checked with them. */
  before: Date
  keptAs: SQL
  /** The condition for a session that something still needs, among all sessions of its account. */
  needed: SQL
  /** The assignments to the needed sessions. */
  keep: SQL
  limit: number
}

/**
 * Deletes old sessions that nothing needs, and updates those that something needs. Returns how many sessions there were
 * to check; 0 if nothing could be done.
 */
async function applyRetention({ before, keptAs, needed, keep, limit }: RetentionStep): Promise<number> {
  const { rows } = await db().execute<{ due: number; done: number }>(sql`
    with due as materialized (
      select user_id from ${sessions} where ended_at < ${before}::timestamptz and kept_as ${keptAs}
      order by ended_at limit ${limit}::int
    ), own as (
      select s.id, s.user_id, s.ended_at < ${before}::timestamptz as over, s.kept_as ${keptAs} as is_due,
        ${lastColumns}, ${browserColumns}
      from ${sessions} s where s.user_id = any(array(select distinct user_id from due))
    ), judged as (select id, over, is_due, ${needed} as needed from own
    ), gone as (
      delete from ${sessions} where id = any(array(
        select s.id from ${sessions} s
        where s.id = any(array(select id from judged where over and not needed limit ${batchSize}::int))
        order by s.id for update skip locked
      )) returning id
    ), kept as (
      update ${sessions} set ${keep} where id = any(array(
        select s.id from ${sessions} s
        where s.id = any(array(select id from judged where over and needed and is_due))
        order by s.id for update skip locked
      )) returning id
    )
    select (select count(*)::int from due) as due,
      (select count(*)::int from gone) + (select count(*)::int from kept) as done`)
  const [{ due: dueCount, done: doneCount } = { due: 0, done: 0 }] = rows
  // another process has locked the remaining rows
  return doneCount > 0 ? dueCount : 0
}

/**
 * Takes at most `limit` unchecked sessions that ended before `before`. Of all old sessions of their accounts, deletes
 * those that nothing needs, and marks the others as `whole`.
 */
export const deleteOrMarkEnded = (before: Date, limit: number) =>
  applyRetention({
    before,
    keptAs: sql`is null`,
    needed: sql`(${saysWhenLast} or (${provesBrowser}))`,
    keep: sql`kept_as = 'whole'`,
    limit,
  })

/**
 * Takes sessions marked as `whole` that ended before `before`. Deletes them, except the last ones of an account: of
 * these it clears everything except times and domain.
 */
export const deleteOrClearMarked = (before: Date, limit: number) =>
  applyRetention({
    before,
    keptAs: sql`= 'whole'`,
    needed: saysWhenLast,
    keep: sql`kept_as = 'bare', ip = '', user_agent = '', browser = '', system = '', device_type = '',
      device_hash = null, display_size = null, display_window_size = null, display_zoom = null,
      provider_id = null, provider_subject = null, provider_sid = null, oidc_uid = null, sealed_by = null`,
    limit,
  })
