import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { type Database, prepared, type Transaction } from './client'
import { covers, isAdministrator, rolesInEffect } from './held-roles'
import { applicationServiceMethods } from './schema/oidc'
import { methods, providers, roleMethods, users } from './schema/people'
import { applications } from './schema/platform'

/** The methods that `who`, a person or an application, holds for the whole platform: id, code, kind. */
export const heldEverywhere = (who: SQL) => sql`(
  select m.id, m.code, m.kind from ${rolesInEffect} held
  join ${roleMethods} rm on rm.role_id = held.role_id
  join ${methods} m on m.id = rm.method_id
  where held.user_id = ${who} and held.contractor_id is null
    and (held.organization_id is null or m.kind <> 'systemic' or m.code <> 'masterAccountAccess')
  union all
  select m.id, m.code, m.kind from ${applicationServiceMethods} given
  join ${methods} m on m.id = given.method_id
  where given.application_id = ${who})`

/** A condition: `who` is a person or an application that is enabled; others hold nothing. */
export const isEnabled = (
  who: SQL,
) => sql`(exists (select from ${users} person where person.id = ${who} and person.enabled)
  or exists (select from ${applications} program where program.id = ${who} and program.enabled))`

/**
 * A condition: the person of the row has a method in effect that `who` lacks, or is an administrator as `who` isn't. It is
 * false, and costs nothing, without `who`. `counted` limits the methods, which are `asked`.
 */
const exceeds = (who: SQL, counted: SQL = sql`true`): SQL<boolean> => sql`(case when ${who} is null then false
  else not (${isEnabled(who)} and ${isAdministrator(who)}) and (${isAdministrator(sql`users.id`)} or exists (
    select from ${rolesInEffect} has
    join ${roleMethods} given on given.role_id = has.role_id
    join ${methods} asked on asked.id = given.method_id
    where has.user_id = users.id and ${counted} and not (${isEnabled(who)} and exists (
      select from ${heldEverywhere(who)} own where ${covers(sql`own`, sql`asked`)})))) end)`

/**
 * A condition on a row of `users`: somebody else has entered something of it, so `selectDoubts` may find a doubt. Look-ups
 * at each request ask this alone: PostgreSQL prepares the conditions below with every statement that has them, which
 * takes longer than the look-up.
 */
export const hasMarks: SQL<boolean> = sql`(users.prepared_by is not null or users.mobile_entered_by is not null
  or users.schema_entered_by is not null)`

// the columns are written as SQL: in a select from one table Drizzle omits the table names, which a subquery needs

/**
 * A condition on a row of `users`: its person must prove the e-mail before the account is used, because somebody with
 * less prepared it (docs/rules/access.md#prepared-accounts). An account without an e-mail can't.
 */
export const needsEmailProof: SQL<boolean> = exceeds(sql`users.prepared_by`)

/**
 * A condition on a row of `users`: a code to its mobile alone doesn't prove its person (the same section). Once the
 * person has proven the e-mail, a mobile that somebody else entered leads in no more until it is proven too.
 */
const isMobileDoubtful: SQL<boolean> = sql`(users.email is not null and users.mobile_verified_at is null
  and users.mobile_entered_by is not null
  and (users.prepared_by is null or ${exceeds(sql`users.mobile_entered_by`)}))`

/** The own schema of a row of `users`; null if whoever chose it has less than its person now (the same section). */
export const ownSchemaInForce: SQL<string | null> = sql`(
  case when ${exceeds(sql`users.schema_entered_by`)} then null else users.authentication_schema_id end)`

/**
 * A condition on a row of `users`: its person has more in administration than whoever entered where the provider with
 * this id leads, so this provider doesn't prove them (docs/rules/providers.md#who-vouches-for-a-provider).
 */
export const exceedsProvider = (providerId: SQL): SQL<boolean> => sql`(case when ${providerId} is null then false
  else exists (select from ${providers} source where source.id = ${providerId} and source.entered_by is not null
    and ${exceeds(sql`source.entered_by`, sql`asked.kind = 'systemic'`)}) end)`

/** Returns whether a person has more in administration than whoever a provider is the word of. */
export async function isBeyondProvider(run: Database | Transaction, userId: string, providerId: string) {
  const which = and(eq(users.id, userId), exceedsProvider(sql`${providerId}::uuid`))
  return (await run.select({ id: users.id }).from(users).where(which)).length > 0
}

/** What the marks of an account mean now. */
const doubts = { needsEmailProof, isMobileDoubtful, authenticationSchemaId: ownSchemaInForce }

const doubtsOfOne = prepared('account_doubts', (database) =>
  database
    .select(doubts)
    .from(users)
    .where(eq(users.id, sql.placeholder('id'))),
)

/** Returns what the marks of an account mean now; null if it is gone. Ask for one that `hasMarks`. */
export async function selectDoubts(id: string) {
  const [row] = await doubtsOfOne().execute({ id })
  return row ?? null
}

/** Adds to accounts what their marks mean in this transaction. One that is gone is left out. */
export async function withDoubts<Row extends { id: string; hasMarks: boolean }>(tx: Transaction, rows: readonly Row[]) {
  const none = { needsEmailProof: false, isMobileDoubtful: false }
  const ids = rows.flatMap(({ id, hasMarks }) => (hasMarks ? [id] : []))
  if (ids.length === 0) return rows.map((row) => ({ ...row, ...none }))
  const found = await tx
    .select({ id: users.id, ...doubts })
    .from(users)
    .where(inArray(users.id, ids))
  const byId = new Map(found.map((one) => [one.id, one]))
  return rows.flatMap((row) => {
    const meant = row.hasMarks ? byId.get(row.id) : none
    return meant ? [{ ...row, ...meant }] : []
  })
}
