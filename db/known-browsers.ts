import { type SQL, sql } from 'drizzle-orm'
import { sessions } from './schema/entry'
import { users } from './schema/people'

/** The largest number of known browsers of an account. */
const knownDevices = sql.raw('10')

/**
 * A condition on a session `s`: it speaks for its browser. The person has signed in since the last change of their
 * password, and nobody else ended it.
 */
const speaksForBrowser = sql`(coalesce(s.end_reason, 'signedOut') in ('signedOut', 'expired', 'replaced')
  and s.created_at >= coalesce((select u.password_changed_at from ${users} u where u.id = s.user_id), '-infinity'))`

/**
 * A condition on a session `s` of this account: the account knows its browser. The person has signed in with it since
 * the last change of their password, nobody else ended that session, and the browser is among the last ones. A stolen
 * password that was changed afterwards therefore gives no known browser (ADR 21).
 */
export const inKnownBrowser = (userId: SQL) => sql`
  s.user_id = ${userId}
  and ${speaksForBrowser}
  and s.device_hash in (
    select d.device_hash from ${sessions} d where d.user_id = s.user_id and d.device_hash is not null
    group by d.device_hash order by max(d.created_at) desc limit ${knownDevices}
  )`

/**
 * The columns of a session `s`, compared with the account's other sessions, that keep the result of `inKnownBrowser`
 * the same: the newest session of each browser shows how recent the browser is, and of those that speak for it the one
 * that ended last, which is kept for longest, shows that it is known.
 */
export const browserColumns = sql`
  s.device_hash is not null and row_number() over (
    partition by s.user_id, s.device_hash order by s.created_at desc, s.id) = 1 as newest_there,
  s.device_hash is not null and s.ended_at is not null and ${speaksForBrowser} and row_number() over (
    partition by s.user_id, s.device_hash, s.ended_at is not null and ${speaksForBrowser}
    order by s.ended_at desc, s.id) = 1 as last_known_there,
  s.device_hash is null as no_browser,
  max(s.created_at) over (partition by s.user_id, s.device_hash) as browser_seen_at`

/**
 * A condition on rows with `browserColumns` and `user_id`: without this session the account would know fewer browsers.
 */
export const provesBrowser = sql`(newest_there or last_known_there)
  and dense_rank() over (partition by user_id, no_browser order by browser_seen_at desc) <= ${knownDevices}`
