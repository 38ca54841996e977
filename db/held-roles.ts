import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { impliedMethods } from '@/lib/base/access/access-methods'
import {
  contractors,
  methods,
  organizations,
  roleMethods,
  roles,
  userContractorRoles,
  userRoles,
} from './schema/people'

type Id = SQLWrapper | string

/** Looks up by the key, as a person has few links: with a join PostgreSQL may read all contractors for each person. */
const enabled = (table: PgTable, id: SQL) => sql`(select place.enabled from ${table} place where place.id = ${id})`

/**
 * A table of the roles in effect: user_id, role_id, organization_id, contractor_id. A disabled role has no effect, nor
 * has a role in a disabled organization or for a disabled contractor (docs/rules/access.md#roles). All questions about
 * who holds a method start here. Give it an alias and a condition on user_id or role_id, which uses the indexes.
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

/**
 * A table of the roles in effect that give one of these systemic methods, with the columns of `rolesInEffect`. It reads
 * the links of one role after another; with a join PostgreSQL may read the roles of everybody.
 */
export const rolesInEffectWith = (codes: readonly string[]) => sql`(
  select held.* from (
    select distinct rm.role_id from ${roleMethods} rm
    join ${methods} m on m.id = rm.method_id and m.kind = 'systemic' and m.code = any(${sql.param([...codes])}::text[])
  ) giving
  cross join lateral (select held.* from ${rolesInEffect} held where held.role_id = giving.role_id offset 0) held
)`

/**
 * A table of the roles that people were given, in effect or not: user_id, role_id, contractor_id (null for a systemic
 * or organizational one). A role that is off now may be switched on later, so a caller who changes an account must hold
 * the methods of all these roles (docs/rules/access.md#granting).
 */
export const rolesGiven = sql`(
  select user_id, role_id, null::uuid as contractor_id from ${userRoles}
  union all select user_id, role_id, contractor_id from ${userContractorRoles})`

/** Selects the ids of the methods in the roles in effect of a user. */
export const methodIdsInEffect = (userId: SQLWrapper) => sql`(
  select rm.method_id from ${roleMethods} rm where rm.role_id in (
    select held.role_id from ${rolesInEffect} held where held.user_id = ${userId}
  )
)`

/** Looks up by the id, which uses the index: with a join PostgreSQL may read the roles of everybody. */
const administrator = sql`(select shipped.id from ${roles} shipped where shipped.code = 'administrator')`

/** A condition: the shipped role `administrator` is in effect for the user with this id. */
export const isAdministrator = (userId: Id): SQL<boolean> => sql`exists (
  select from ${rolesInEffect} held where held.user_id = ${userId} and held.role_id = ${administrator})`

/** A table of the people for whom the shipped role `administrator` is in effect: user_id. */
export const administrators = sql`(
  select held.user_id from ${rolesInEffect} held where held.role_id = ${administrator})`

/** A condition: the user manages the contractor, by a contractor role for it or by a systemic role. */
export const managesContractor = (userId: Id, contractorId: Id): SQL<boolean> => sql`exists (
  select from ${rolesInEffect} held
  join ${roleMethods} rm on rm.role_id = held.role_id
  join ${methods} m on m.id = rm.method_id and m.kind = 'systemic' and m.code = 'masterAccountAccess'
  where held.user_id = ${userId}
    and (held.contractor_id = ${contractorId} or (held.contractor_id is null and held.organization_id is null)))`

const codesOf = (side: 0 | 1) => sql`${sql.param(impliedMethods.map((pair) => pair[side]))}::text[]`

/**
 * A condition: a caller with the method `heldMethod` also holds `requested`, because it is the same or implied.
 * Both are aliases of rows of `methods`.
 */
export const covers = (heldMethod: SQL, requested: SQL): SQL<boolean> => sql`(${heldMethod}.id = ${requested}.id or (
  ${heldMethod}.kind = 'systemic' and ${requested}.kind = 'systemic' and (${heldMethod}.code, ${requested}.code) in (
    select * from unnest(${codesOf(0)}, ${codesOf(1)}))))`

/**
 * A condition: a role in effect gives a method for the whole platform. A contractor role gives it only for its
 * contractor, and masterAccountAccess from an organizational role counts nowhere (docs/rules/access.md#granting).
 * `held` is an alias of a row of `rolesInEffect`, `method` one of `methods`.
 */
export const countsEverywhere = (held: SQL, method: SQL): SQL<boolean> => sql`(${held}.contractor_id is null
  and (${held}.organization_id is null or ${method}.kind <> 'systemic' or ${method}.code <> 'masterAccountAccess'))`

/**
 * A condition: the user may give every method of this role for the contractor. An implied method counts as held, as in
 * `methodsNotHeld` (`lib/access/rights`), which answers the same question for the caller of a request.
 */
export const mayGiveMethodsOf = (userId: Id, contractorId: Id, roleId: Id): SQL<boolean> => sql`not exists (
  select from ${roleMethods} given join ${methods} m on m.id = given.method_id
  where given.role_id = ${roleId}
    and not (m.kind = 'application' and ${isAdministrator(userId)})
    and not exists (
      select from ${rolesInEffect} held
      join ${roleMethods} rm on rm.role_id = held.role_id
      join ${methods} own on own.id = rm.method_id
      where held.user_id = ${userId}
        and (held.contractor_id = ${contractorId} or ${countsEverywhere(sql`held`, sql`own`)})
        and ${covers(sql`own`, sql`m`)}))`

/** The contractors that a person manages: all, or these ids, with the numbers by which access requests name them. */
export type ManagedContractors = { all: true } | { all: false; ids: string[]; inns: string[] }
