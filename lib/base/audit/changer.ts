import { sql } from 'drizzle-orm'
import { users } from '@/db/schema/people'

/**
 * SQL of the name by which colleagues know a person; null without one. A login isn't a name: it is half of a
 * credential.
 */
export const personName = sql<string | null>`coalesce(nullif(${users.fio}, ''),
  nullif(concat_ws(' ', nullif(${users.lastName}, ''), nullif(${users.firstName}, '')), ''))`
