import { type SQL, sql } from 'drizzle-orm'
import { userContacts } from './schema/contacts'

/**
 * How two contacts of one person are compared: an administrator or a directory may have entered the main one in
 * capitals, or with spaces and a national prefix, while the person's answer about it is stored under its normalized
 * form.
 */
const comparable = {
  email: (value: SQL) => sql`lower(trim(${value}))`,
  mobile: (value: SQL) => sql`right(regexp_replace(${value}, '\\D', '', 'g'), 10)`,
}

/**
 * A condition: the person refused to be contacted at this value (docs/rules/contacts.md#what-is-seen). Without `offset 0`
 * PostgreSQL may read the contacts of everybody for a page of people.
 */
export const isRefused = (userId: SQL, kind: 'email' | 'mobile', value: SQL): SQL => sql`exists (
  select from ${userContacts} refused where refused.user_id = ${userId} and refused.kind = ${kind}
    and ${comparable[kind](sql`refused.value`)} = ${comparable[kind](value)} and refused.agreement = 'refused' offset 0)`
