import { asc, eq, sql } from 'drizzle-orm'
import { type Database, db, type Transaction } from '@/db/client'
import { authenticationSchemaRoles, userContractorRoles, userRoles, users } from '@/db/schema/people'
import { authenticationSchemas } from '@/db/schema/platform'

/**
 * Counts the users to whom each schema applies now. A user's schema is their own if it is active, else the active one
 * of the highest priority that is tied to one of their roles, else the base schema. Reads those alone who have another
 * schema than the base one, and counts all: `place` is the order of priority, below zero for a user's own schema.
 */
const userCounts = sql`
  with active as materialized (
    select id, row_number() over (order by priority, code) as place from ${authenticationSchemas} where active
  ), of_user as (
    select user_id, min(place) as place from (
      select u.id as user_id, -a.place as place from active a join ${users} u on u.authentication_schema_id = a.id
      union all
      select held.user_id, a.place from active a
      join ${authenticationSchemaRoles} sr on sr.schema_id = a.id
      join (
        select user_id, role_id from ${userRoles}
        union all
        select user_id, role_id from ${userContractorRoles}
      ) held on held.role_id = sr.role_id
    ) candidate
    group by user_id
  ), counted as materialized (select abs(place) as place, count(*) as count from of_user group by 1)
  select schema_id, sum(count)::int as users_count from (
    select a.id as schema_id, counted.count from counted join active a on a.place = counted.place
    union all
    select base.id, (select count(*) from ${users}) - (select coalesce(sum(count), 0) from counted)
    from ${authenticationSchemas} base where base.base
  ) schema
  group by schema_id having sum(count) > 0`

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

/** Returns the active schemas with the number of users to whom each applies. */
export const selectUsedSchemas = () =>
  db()
    .select({ ...schemaColumns, usersCount: sql<number>`coalesce(usage.users_count, 0)` })
    .from(authenticationSchemas)
    .leftJoin(sql`(${userCounts}) usage`, sql`usage.schema_id = ${authenticationSchemas.id}`)
    .where(isActive)
    .orderBy(...inOrder)
