import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import {
  contractors,
  methods,
  organizations,
  roleMethods,
  roles,
  userContractorRoles,
  userRoles,
  users,
} from './schema/people'

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

/**
 * A condition: this user is enabled, manages the contractor, and may give this role for it
 * (docs/rules/access.md#granting).
 */
export const mayGiveRole = (userId: SQLWrapper, contractorId: SQLWrapper, roleId: SQLWrapper): SQL<boolean> => sql`(
  exists (select from ${users} giver where giver.id = ${userId} and giver.enabled)
  and exists (
    select from ${rolesInEffect} held
    join ${roleMethods} rm on rm.role_id = held.role_id
    join ${methods} m on m.id = rm.method_id and m.kind = 'systemic' and m.code = 'masterAccountAccess'
    where held.user_id = ${userId}
      and (held.contractor_id = ${contractorId} or (held.contractor_id is null and held.organization_id is null)))
  and not exists (
    select from ${roleMethods} given join ${methods} m on m.id = given.method_id
    where given.role_id = ${roleId}
      and not exists (
        select from ${rolesInEffect} held join ${roleMethods} own on own.role_id = held.role_id
        where held.user_id = ${userId} and own.method_id = given.method_id
          and (held.contractor_id is null or held.contractor_id = ${contractorId}))
      and not (m.kind = 'application' and ${isAdministrator(userId)}))
)`
