import { and, eq, inArray, or, sql } from 'drizzle-orm'
import { type Database, db, type Transaction } from '@/db/client'
import { administrators } from '@/db/held-roles'
import { localNameColumn } from '@/db/local-name'
import { methods, roleMethods, roles, type userIdentifiers, users } from '@/db/schema/people'
import { networkAliases, settings } from '@/db/schema/platform'
import { personName } from '@/lib/base/audit/changer'
import type { SettingId } from '@/lib/site/settings/definitions'

/** Makes saves of settings wait for one another, so that each reads the values of the one before it. */
export const lockSettings = (tx: Transaction) => tx.execute(sql`select pg_advisory_xact_lock(hashtext('settings'))`)

/** Returns the stored rows of these settings. */
export const selectRows = (run: Database | Transaction, ids: readonly SettingId[]) =>
  run
    .select()
    .from(settings)
    .where(inArray(settings.id, [...ids]))

/**
 * Stores values. `after` is the newest version of the scope: each row gets a later one, so that a form that was read
 * before notices the change.
 */
export async function storeValues(tx: Transaction, values: ReadonlyMap<SettingId, unknown>, after: Date) {
  const updatedAt = sql<Date>`greatest(date_trunc('milliseconds', clock_timestamp()),
    ${after.toISOString()}::timestamptz + interval '1 millisecond')`
  for (const [id, newValue] of values) {
    // no value is stored as JSON null; SQL null would be a missing setting
    const value = newValue === null ? sql`'null'::jsonb` : newValue
    await tx
      .insert(settings)
      .values({ id, value, updatedAt })
      .onConflictDoUpdate({ target: settings.id, set: { value } })
  }
}

/** Returns the id of the shipped role that new accounts get by default. */
export async function selectUserRole(run: Database | Transaction): Promise<string> {
  const { rows } = await run.execute<{ id: string }>(sql`select id from ${roles} where code = 'user'`)
  return rows[0]?.id ?? ''
}

type Named = { id: string; name: string }
export type Ids = { roles: string[]; aliases: string[]; people: string[] }

/** Returns the names of the roles, network aliases and people that settings refer to. */
export async function selectNamed({ roles: roleIds, aliases, people }: Ids, locale: string): Promise<Named[]> {
  const [role, alias, person] = await Promise.all([
    db()
      .select({ id: roles.id, name: localNameColumn(roles, locale) })
      .from(roles)
      .where(inArray(roles.id, roleIds)),
    db()
      .select({ id: networkAliases.id, name: networkAliases.name })
      .from(networkAliases)
      .where(inArray(networkAliases.id, aliases)),
    db()
      .select({ id: users.id, name: sql<string>`coalesce(${personName}, ${users.email}, '')` })
      .from(users)
      .where(inArray(users.id, people)),
  ])
  return [...role, ...alias, ...person]
}

/**
 * Locks a role until the commit, so that it isn't deleted, and returns its type and whether it has a method of the
 * platform; undefined if there is none.
 */
export async function lockRole(tx: Transaction, id: string) {
  const [row] = await tx.select({ roleType: roles.roleType }).from(roles).where(sql`${roles.id} = ${id}`).for('share')
  if (!row) return undefined
  const ofRole = and(eq(roleMethods.roleId, id), eq(methods.kind, 'systemic'))
  const [systemic] = await tx
    .select({ id: methods.id })
    .from(roleMethods)
    .innerJoin(methods, eq(methods.id, roleMethods.methodId))
    .where(ofRole)
    .limit(1)
  return { ...row, administers: systemic !== undefined }
}

export const selectAliasIds = async (tx: Transaction, ids: readonly string[]) =>
  new Set(
    (
      await tx
        .select({ id: networkAliases.id })
        .from(networkAliases)
        .where(inArray(networkAliases.id, [...ids]))
    ).map(({ id }) => id),
  )

/** Returns those of these people who have an enabled account. */
export const selectPeopleIds = async (tx: Transaction, ids: readonly string[]) =>
  new Set(
    (
      await tx
        .select({ id: users.id })
        .from(users)
        .where(sql`${inArray(users.id, [...ids])} and ${users.enabled}`)
    ).map(({ id }) => id),
  )

/**
 * Locks the users table until the commit: waits for running writes and prevents new ones, as the identifiers of all
 * accounts are claimed anew.
 */
export const lockUsers = (tx: Transaction) => tx.execute(sql`lock table ${users} in exclusive mode`)

/** Returns the values of a column that several people share, with their number, the most frequent first; at most 20. */
export async function selectRepeated(tx: Transaction, column: 'email' | 'mobile') {
  const value = sql`lower(trim(${users[column]}))`
  return tx
    .select({ value: sql<string>`${value}`, count: sql<number>`count(*)::int` })
    .from(users)
    .where(sql`${users[column]} <> ''`)
    .groupBy(value)
    .having(sql`count(*) > 1`)
    .orderBy(sql`count(*) desc`, value)
    .limit(20)
}

type Kind = (typeof userIdentifiers.$inferSelect)['kind']

/**
 * Returns whether this person, or any enabled administrator if `userId` is null, has an identifier of one of these
 * kinds.
 */
export async function selectIdentifiable(tx: Transaction, userId: string | null, kinds: readonly Kind[]) {
  const person = userId
    ? sql`${users.id} = ${userId}`
    : sql`${users.id} = any(array(select * from ${administrators} administrators))`
  const rows = await tx
    .select({ id: users.id })
    .from(users)
    .where(
      sql`${users.enabled} and ${person} and ${or(...kinds.map((kind) => sql`${users[kind]} <> ''`)) ?? sql`false`}`,
    )
    .limit(1)
  return rows.length > 0
}
