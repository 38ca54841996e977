import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { contractors, organizations, roles, userContractorRoles, userRoles } from './schema/people'

/** By the key, for the few links of a person: joined, PostgreSQL may read all contractors for each person. */
const enabled = (table: PgTable, id: SQL) => sql`(select place.enabled from ${table} place where place.id = ${id})`

/**
 * A table of the roles that are in effect: user_id, role_id, organization_id, contractor_id. A disabled role gives
 * nobody anything, nor does a role in a disabled organization or for a disabled contractor
 * (docs/rules/access.md#roles). Every question of who holds which method begins here. Name it, and tell it which
 * people: a condition on user_id or role_id reaches the indexes.
 */
export const rolesInEffect = sql`(
  select ur.user_id, ur.role_id, ur.organization_id, null::uuid as contractor_id
  from ${userRoles} ur
  where ${enabled(roles, sql`ur.role_id`)} and (ur.organization_id is null or ${enabled(organizations, sql`ur.organization_id`)})
  union all
  select ucr.user_id, ucr.role_id, ucr.organization_id, ucr.contractor_id
  from ${userContractorRoles} ucr
  where ${enabled(roles, sql`ucr.role_id`)} and ${enabled(contractors, sql`ucr.contractor_id`)}
    and ${enabled(organizations, sql`ucr.organization_id`)}
)`

/** A condition: the shipped role `administrator` is in effect for the user with this id. */
export const isAdministrator = (userId: SQLWrapper | string): SQL<boolean> => sql`exists (
  select from ${rolesInEffect} held
  join ${roles} administrator on administrator.id = held.role_id and administrator.code = 'administrator'
  where held.user_id = ${userId}
)`
