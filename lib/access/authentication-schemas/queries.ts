import { asc, eq, sql } from 'drizzle-orm'
import { type Database, db, type Transaction } from '@/db/client'
import { authenticationSchemaRoles, userContractorRoles, userRoles, users } from '@/db/schema/people'
import { authenticationSchemas } from '@/db/schema/platform'

/**
 * Counts the users to whom each schema applies now. A user's schema is their own if it is active, else the active one
 * of the highest priority that is tied to one of their roles, else the base schema.
 */
const userCounts = sql`
  select coalesce(own.id, tied.id, base.id) as schema_id, count(*)::int as users_count
  from ${users} u
  left join ${authenticationSchemas} own on own.id = u.authentication_schema_id and own.active
  left join (
    select distinct on (held.user_id) held.user_id, s.id
    from (
      select user_id, role_id from ${userRoles}
      union all
      select user_id, role_id from ${userContractorRoles}
    ) held
    join ${authenticationSchemaRoles} sr on sr.role_id = held.role_id
    join ${authenticationSchemas} s on s.id = sr.schema_id and s.active
    order by held.user_id, s.priority, s.code
  ) tied on tied.user_id = u.id
  left join ${authenticationSchemas} base on base.base
  group by 1`

/** Returns how many users each schema applies to now; a schema that applies to nobody is missing. */
export async function selectUsage(run: Database | Transaction): Promise<Map<string, number>> {
  const { rows } = await run.execute<{ schema_id: string; users_count: number }>(userCounts)
  return new Map(rows.map((row) => [row.schema_id, row.users_count]))
}

const schemaColumns = {
  id: authenticationSchemas.id,
  base: authenticationSchemas.base,
  code: authenticationSchemas.code,
  firstFactor: authenticationSchemas.firstFactor,
  secondFactor: authenticationSchemas.secondFactor,
  roleIds: sql<string[]>`array(
    select ${authenticationSchemaRoles.roleId} from ${authenticationSchemaRoles}
    where ${authenticationSchemaRoles.schemaId} = ${authenticationSchemas.id}
    order by 1
  )`,
}
const isActive = eq(authenticationSchemas.active, true)
const inOrder = [asc(authenticationSchemas.priority), asc(authenticationSchemas.code)]

/** Returns the active schemas, highest priority first, with their roles. */
export const selectActiveSchemas = (run: Database | Transaction) =>
  run
    .select(schemaColumns)
    .from(authenticationSchemas)
    .where(isActive)
    .orderBy(...inOrder)

/** Returns the active schemas with the number of users to whom each applies. Reads all users. */
export const selectUsedSchemas = () =>
  db()
    .select({ ...schemaColumns, usersCount: sql<number>`coalesce(usage.users_count, 0)` })
    .from(authenticationSchemas)
    .leftJoin(sql`(${userCounts}) usage`, sql`usage.schema_id = ${authenticationSchemas.id}`)
    .where(isActive)
    .orderBy(...inOrder)
