import { type SQL, sql } from 'drizzle-orm'
import { sessions } from './schema/entry'
import { users } from './schema/people'

/** How many known browsers of an account have limits of their own. */
const knownDevices = 10

/**
 * A condition on a session `s` of this account: the account knows its browser. It has signed in there since the last
 * change of its password, nobody else ended that session, and the browser is among its last ones. A stolen password that
 * was changed gives no known browser (ADR 21).
 */
export const inKnownBrowser = (userId: SQL) => sql`
  s.user_id = ${userId}
  and coalesce(s.end_reason, 'signedOut') in ('signedOut', 'expired', 'replaced')
  and s.created_at >= coalesce((select u.password_changed_at from ${users} u where u.id = s.user_id), '-infinity')
  and s.device_hash in (
    select d.device_hash from ${sessions} d where d.user_id = s.user_id and d.device_hash is not null
    group by d.device_hash order by max(d.created_at) desc limit ${sql.raw(String(knownDevices))}
  )`
