import { type SQL, sql } from 'drizzle-orm'
import { userContacts } from './schema/contacts'

/**
 * How contacts of one person are compared: an administrator or a directory may have typed the main one in capitals, or
 * with spaces and a national prefix, while what the person said of it stands under its plain form.
 */
const compared = {
  email: (value: SQL) => sql`lower(trim(${value}))`,
  mobile: (value: SQL) => sql`right(regexp_replace(${value}, '\\D', '', 'g'), 10)`,
}

/** A condition: the person refused to be contacted there (docs/rules/contacts.md#what-is-seen). */
export const isRefused = (userId: SQL, kind: 'email' | 'mobile', value: SQL): SQL => sql`exists (
  select from ${userContacts} refused where refused.user_id = ${userId} and refused.kind = ${kind}
    and ${compared[kind](sql`refused.value`)} = ${compared[kind](value)} and refused.agreement = 'refused')`
