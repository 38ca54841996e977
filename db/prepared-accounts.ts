import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { type Database, prepared, type Transaction } from './client'
import { countsEverywhere, covers, isAdministrator, rolesInEffect } from './held-roles'
import { applicationServiceMethods } from './schema/oidc'
import { methods, providers, roleMethods, users } from './schema/people'
import { applications } from './schema/platform'

/** A table of the methods that `who`, a person or an application, holds for the whole platform: id, code, kind. */
export const heldEverywhere = (who: SQL) => sql`(
  select m.id, m.code, m.kind from ${rolesInEffect} held
  join ${roleMethods} rm on rm.role_id = held.role_id
  join ${methods} m on m.id = rm.method_id
  where held.user_id = ${who} and ${countsEverywhere(sql`held`, sql`m`)}
  union all
  select m.id, m.code, m.kind from ${applicationServiceMethods} given
  join ${methods} m on m.id = given.method_id
  where given.application_id = ${who})`

/** A condition: `who` is an enabled person or application; others hold no methods. */
export const isEnabled = (
  who: SQL,
) => sql`(exists (select from ${users} person where person.id = ${who} and person.enabled)
  or exists (select from ${applications} program where program.id = ${who} and program.enabled))`

/**
 * A condition: the person of the row has an effective method that `who` lacks, or is an administrator and `who` isn't.
 * It is false, and costs nothing, without `who`. `counted` limits the compared methods, which have the alias `asked`.
 */
const exceeds = (who: SQL, counted: SQL = sql`true`): SQL<boolean> => sql`(case when ${who} is null then false
  else not (${isEnabled(who)} and ${isAdministrator(who)}) and (${isAdministrator(sql`users.id`)} or exists (
    select from ${rolesInEffect} has
    join ${roleMethods} given on given.role_id = has.role_id
    join ${methods} asked on asked.id = given.method_id
    where has.user_id = users.id and ${counted} and not (${isEnabled(who)} and exists (
      select from ${heldEverywhere(who)} own where ${covers(sql`own`, sql`asked`)})))) end)`

/**
 * A condition on a row of `users`: another caller entered data of it, so `selectDoubts` may find a doubt. Look-ups at
 * each request use only this: PostgreSQL prepares the conditions below with every statement that contains them, which
 * takes longer than the look-up.
 */
export const hasMarks: SQL<boolean> = sql`(users.prepared_by is not null or users.mobile_entered_by is not null
  or users.schema_entered_by is not null)`

/**
 * A condition on a row of `sessions` with its user: data that another caller entered may make it doubtful, so the
 * session must be asked whether it is proven (`lib/sign-in/sessions`).
 */
export const mayNeedProof: SQL<boolean> = sql`(${hasMarks} or exists (
  select from ${providers} source where source.id = sessions.provider_id and source.entered_by is not null))`

// the columns are written as SQL: in a select from one table Drizzle omits the table names, which a subquery needs

/**
 * A condition on a row of `users`: its person must prove the e-mail before the account is used, because its preparer
 * has fewer rights (docs/rules/access.md#prepared-accounts). It is false for an account without an e-mail, which can't
 * be proven.
 */
export const needsEmailProof: SQL<boolean> = exceeds(sql`users.prepared_by`)

/**
 * A condition on a row of `users`: a code to its mobile doesn't suffice to prove its person (the same section). Once
 * the person has proven the e-mail, a mobile that another caller entered allows no sign-in until it is proven too.
 */
const isMobileDoubtful: SQL<boolean> = sql`(users.email is not null and users.mobile_verified_at is null
  and users.mobile_entered_by is not null
  and (users.prepared_by is null or ${exceeds(sql`users.mobile_entered_by`)}))`

/**
 * The own schema of a row of `users`; null if the caller who chose it has fewer rights than its person now (the same
 * section).
 */
export const ownSchemaInForce: SQL<string | null> = sql`(
  case when ${exceeds(sql`users.schema_entered_by`)} then null else users.authentication_schema_id end)`

/**
 * A condition on a row of `users`: its person has more administration rights than the caller who entered the address of
 * the identity provider with this id, so this provider doesn't prove them
 * (docs/rules/providers.md#who-vouches-for-a-provider).
 */
export const exceedsProvider = (providerId: SQL): SQL<boolean> => sql`(case when ${providerId} is null then false
  else exists (select from ${providers} source where source.id = ${providerId} and source.entered_by is not null
    and ${exceeds(sql`source.entered_by`, sql`asked.kind = 'systemic'`)}) end)`

/** Returns whether a person has more administration rights than the caller who entered an identity provider. */
export async function exceedsIdentityProvider(run: Database | Transaction, userId: string, providerId: string) {
  const exceeding = and(eq(users.id, userId), exceedsProvider(sql`${providerId}::uuid`))
  return (await run.select({ id: users.id }).from(users).where(exceeding)).length > 0
}

/** The doubts about an account, derived from its marks. */
const doubts = { needsEmailProof, isMobileDoubtful, authenticationSchemaId: ownSchemaInForce }

const doubtsOfOne = prepared('account_doubts', (database) =>
  database
    .select(doubts)
    .from(users)
    .where(eq(users.id, sql.placeholder('id'))),
)

/** Returns the doubts about an account; null if it doesn't exist. Call it only for an account that `hasMarks`. */
export async function selectDoubts(id: string) {
  const [row] = await doubtsOfOne().execute({ id })
  return row ?? null
}

/** Returns accounts with the doubts about them in this transaction, without accounts that don't exist any more. */
export async function withDoubts<Row extends { id: string; hasMarks: boolean }>(tx: Transaction, rows: readonly Row[]) {
  const noDoubts = { needsEmailProof: false, isMobileDoubtful: false }
  const ids = rows.flatMap(({ id, hasMarks }) => (hasMarks ? [id] : []))
  if (ids.length === 0) return rows.map((row) => ({ ...row, ...noDoubts }))
  const doubtRows = await tx
    .select({ id: users.id, ...doubts })
    .from(users)
    .where(inArray(users.id, ids))
  const byId = new Map(doubtRows.map((doubtRow) => [doubtRow.id, doubtRow]))
  return rows.flatMap((row) => {
    const accountDoubts = row.hasMarks ? byId.get(row.id) : noDoubts
    return accountDoubts ? [{ ...row, ...accountDoubts }] : []
  })
}
