import { sql } from 'drizzle-orm'
import { users } from '@/db/schema/people'

/** The name by which colleagues know a person; null without one. Their login is none: it is half of what opens an account. */
export const personName = sql<string | null>`coalesce(nullif(${users.fio}, ''),
  nullif(concat_ws(' ', nullif(${users.lastName}, ''), nullif(${users.firstName}, '')), ''))`
