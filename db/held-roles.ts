import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { contractors, organizations, roles, userContractorRoles, userRoles } from './schema/people'

/**
 * A table of the roles that are in effect: user_id, role_id, organization_id, contractor_id. A disabled role gives
 * nobody anything, nor does a role in a disabled organization or for a disabled contractor
 * (docs/rules/access.md#roles). Every question of who holds which method begins here. Name it, and tell it which
 * people: a condition on user_id or role_id reaches the indexes.
 */
export const rolesInEffect = sql`(
  select ur.user_id, ur.role_id, ur.organization_id, null::uuid as contractor_id
  from ${userRoles} ur
  join ${roles} r on r.id = ur.role_id and r.enabled
  left join ${organizations} o on o.id = ur.organization_id
  where o.enabled is not false
  union all
  select ucr.user_id, ucr.role_id, ucr.organization_id, ucr.contractor_id
  from ${userContractorRoles} ucr
  join ${roles} r on r.id = ucr.role_id and r.enabled
  join ${contractors} c on c.id = ucr.contractor_id and c.enabled
  join ${organizations} o on o.id = ucr.organization_id and o.enabled
)`

/** A condition: the shipped role `administrator` is in effect for the user with this id. */
export const isAdministrator = (userId: SQLWrapper | string): SQL<boolean> => sql`exists (
  select from ${rolesInEffect} held
  join ${roles} administrator on administrator.id = held.role_id and administrator.code = 'administrator'
  where held.user_id = ${userId}
)`
