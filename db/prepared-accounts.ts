import { type SQL, sql } from 'drizzle-orm'
import { impliedMethods } from '@/lib/kernel/access-methods'
import { isAdministrator, rolesInEffect } from './held-roles'
import { applicationServiceMethods } from './schema/oidc'
import { methods, roleMethods, users } from './schema/people'
import { applications } from './schema/platform'
import { signsInElsewhere } from './signs-in-elsewhere'

const codesOf = (side: 0 | 1) => sql`${sql.param(impliedMethods.map((pair) => pair[side]))}::text[]`

/** The methods that somebody, a person or a service account by its application, holds for the whole platform: id, code, kind. */
const heldEverywhere = (who: SQL) => sql`(
  select m.id, m.code, m.kind from ${rolesInEffect} held
  join ${roleMethods} rm on rm.role_id = held.role_id
  join ${methods} m on m.id = rm.method_id
  where held.user_id = ${who} and held.contractor_id is null
    and exists (select from ${users} preparer where preparer.id = ${who} and preparer.enabled)
    and (held.organization_id is null or m.kind <> 'systemic' or m.code <> 'masterAccountAccess')
  union all
  select m.id, m.code, m.kind from ${applicationServiceMethods} given
  join ${methods} m on m.id = given.method_id
  join ${applications} preparing on preparing.id = given.application_id and preparing.enabled
  where given.application_id = ${who})`

/**
 * A condition: the person has a method in effect that `who`, if there is one, lacks, or is an administrator as `who` isn't.
 * It costs nothing without `who`.
 */
const exceeds = (who: SQL): SQL<boolean> => sql`(case when ${who} is null then false
  when ${isAdministrator(sql`users.id`)} then not ${isAdministrator(who)} else exists (
  select from ${rolesInEffect} has
  join ${roleMethods} given on given.role_id = has.role_id
  join ${methods} method on method.id = given.method_id
  where has.user_id = users.id and not exists (
    select from ${heldEverywhere(who)} own
    where own.id = method.id or (own.kind = 'systemic' and method.kind = 'systemic' and (own.code, method.code) in (
      select * from unnest(${codesOf(0)}, ${codesOf(1)})))))
  and not ${isAdministrator(who)} end)`

// the columns are written as SQL: in a select from one table Drizzle omits the table names, which a subquery needs

/**
 * A condition on a row of `users`: its person must prove the e-mail before the account is used, because somebody prepared
 * it who has less (docs/rules/access.md#prepared-accounts). An account without an e-mail can't.
 */
export const needsEmailProof: SQL<boolean> = sql`(users.email is not null and not ${signsInElsewhere}
  and ${exceeds(sql`users.prepared_by`)})`

/**
 * A condition on a row of `users`: a code to its mobile alone doesn't prove its person (the same section). Once the person
 * has proven the e-mail, a mobile that somebody else entered doesn't lead in any more until it is proven, too.
 */
export const isMobileDoubtful: SQL<boolean> = sql`(users.email is not null and users.mobile_verified_at is null
  and users.mobile_entered_by is not null
  and (users.prepared_by is null or ${exceeds(sql`users.mobile_entered_by`)}))`

/** The own schema of a row of `users`; null if whoever chose it has less than its person now (the same section). */
export const ownSchemaInForce: SQL<string | null> = sql`(
  case when ${exceeds(sql`users.schema_entered_by`)} then null else users.authentication_schema_id end)`
