import { type SQL, sql } from 'drizzle-orm'
import { sessions } from './schema/entry'
import { users } from './schema/people'

/**
 * The domain of a person, as an expression over `users`: the served domain of their last sign-in; the base domain if
 * they never signed in (ADR 77).
 */
export const personDomain = ({ served, base }: { served: readonly string[]; base: string }): SQL<string> =>
  sql<string>`coalesce((select s.domain_id from ${sessions} s
  where s.user_id = ${users}.id and s.domain_id = any(${sql.param([...served])}::uuid[])
  order by s.created_at desc limit 1), ${base}::uuid)`
