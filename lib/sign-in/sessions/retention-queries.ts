import { type SQL, sql } from 'drizzle-orm'
import { db } from '@/db/client'
import { browserColumns, provesBrowser } from '@/db/known-browsers'
import { sessions } from '@/db/schema/entry'
import { batchSize } from '@/lib/base/postgres/batches'

/**
 * The columns of a session `s` among the others of its account that say when the person was here last, and where: the
 * list of accounts and `personDomain` ask.
 */
const lastColumns = sql`
  row_number() over (partition by s.user_id order by s.last_access_at desc, s.id) = 1 as is_last,
  s.domain_id is not null and row_number() over (
    partition by s.user_id, s.domain_id order by s.created_at desc, s.id) = 1 as is_last_on_domain`
const saysWhenLast = sql`(is_last or is_last_on_domain)`

type Judging = {
  /** Of those that ended before, which are looked at; the other old ones of their accounts are judged with them. */
  before: Date
  keptAs: SQL
  /** What is needed of all sessions of an account. */
  needed: SQL
  /** What becomes of those that are needed. */
  keep: SQL
  limit: number
}

/** Deletes old sessions that aren't needed, and marks those that are. Returns how many there were to look at. */
async function judge({ before, keptAs, needed, keep, limit }: Judging): Promise<number> {
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
  const [{ due, done } = { due: 0, done: 0 }] = rows
  // another run has locked what is left
  return done > 0 ? due : 0
}

/**
 * Of the accounts of at most so many sessions that ended before then and weren't looked at: deletes what nothing needs
 * any more, and marks the rest.
 */
export const judgeEnded = (before: Date, limit: number) =>
  judge({
    before,
    keptAs: sql`is null`,
    needed: sql`(${saysWhenLast} or (${provesBrowser}))`,
    keep: sql`kept_as = 'whole'`,
    limit,
  })

/** Deletes those of the rest that ended before then; of an account's last ones it clears all but times and domain. */
export const judgeKept = (before: Date, limit: number) =>
  judge({
    before,
    keptAs: sql`= 'whole'`,
    needed: saysWhenLast,
    keep: sql`kept_as = 'bare', ip = '', user_agent = '', browser = '', system = '', device_type = '',
      device_hash = null, display_size = null, display_window_size = null, display_zoom = null,
      provider_id = null, provider_subject = null, provider_sid = null, oidc_uid = null, sealed_by = null`,
    limit,
  })
