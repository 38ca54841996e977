import { and, eq, getTableColumns, gte, inArray, isNull, sql } from 'drizzle-orm'
import { db, prepared, type Transaction } from '@/db/client'
import { methodIdsInEffect } from '@/db/held-roles'
import { needsEmailProof } from '@/db/prepared-accounts'
import { rowsById } from '@/db/rows'
import { newVersion } from '@/db/schema/columns'
import { roles, userRoles, users } from '@/db/schema/people'
import { providerLinks } from '@/db/schema/providers'

export type NewUser = typeof users.$inferInsert
/** The columns of a user that code may write; PostgreSQL sets the version. */
export type UserValues = Partial<Omit<NewUser, 'id' | 'version' | 'createdAt' | 'updatedAt'>>

export const insertUsers = (tx: Transaction, rows: NewUser[]) => tx.insert(users).values(rows)

export const userRows = rowsById(users)

/** Gives users a new version, after a change of rows that belong to them. The caller has locked several. */
export const touchUsers = (tx: Transaction, ids: readonly string[]) =>
  tx
    .update(users)
    .set(newVersion)
    .where(inArray(users.id, [...ids]))

/**
 * Locks a user for a change that keeps the id: a sign-in that starts a session doesn't wait for it. `needsEmailProof`
 * tells whether the person holds more than the preparer of the account.
 */
export async function lockUserForProof(tx: Transaction, id: string) {
  const columns = { ...getTableColumns(users), needsEmailProof }
  const [row] = await tx.select(columns).from(users).where(eq(users.id, id)).for('no key update')
  return row
}

/**
 * Locks these accounts in the order of their ids, and returns them. An insert of rows that name one, such as a
 * notification, doesn't wait for this lock: two transactions that notify each other's person don't block each other.
 */
export const lockUsers = (tx: Transaction, ids: readonly string[]) =>
  tx
    .select()
    .from(users)
    .where(inArray(users.id, [...new Set(ids)]))
    .orderBy(users.id)
    .for('no key update')

/**
 * Keeps these accounts until the transaction ends, in the order of their ids: none of them can be deleted or merged.
 */
export async function keepUsers(tx: Transaction, ids: readonly string[]) {
  if (ids.length === 0) return
  await tx
    .select({ id: users.id })
    .from(users)
    .where(inArray(users.id, [...new Set(ids)]))
    .orderBy(users.id)
    .for('key share')
}

/** Locks a user by login (in lower case) for a change; undefined if there is none. */
export async function lockUserByLogin(tx: Transaction, login: string) {
  const [row] = await tx
    .select()
    .from(users)
    .where(eq(sql`lower(${users.login})`, login))
    .for('update')
  return row
}

/** Replaces the hash of a password by another one of the same password, unless the password has been changed since. */
export const updateSamePassword = (tx: Transaction, id: string, { from, to }: { from: string; to: string }) =>
  tx
    .update(users)
    .set({ passwordHash: to })
    .where(and(eq(users.id, id), eq(users.passwordHash, from)))

/** Deletes the links to identity providers that a person has made since a time. */
export const removeLinksSince = (tx: Transaction, userId: string, since: Date) =>
  tx.delete(providerLinks).where(and(eq(providerLinks.userId, userId), gte(providerLinks.createdAt, since)))

const administratorRole = and(eq(roles.id, userRoles.roleId), eq(roles.code, 'administrator'))

/** Returns whether anybody has the administrator's role, in effect or not. */
export async function isAnybodyAdministrator(tx: Transaction): Promise<boolean> {
  const [row] = await tx.select({ id: userRoles.id }).from(userRoles).innerJoin(roles, administratorRole).limit(1)
  return row !== undefined
}

/** Gives a user the role with this code, if they lack it. Returns whether there is such a role. */
export async function giveRole(tx: Transaction, userId: string, code: string) {
  const [role] = await tx.select({ id: roles.id }).from(roles).where(eq(roles.code, code))
  if (role) await tx.insert(userRoles).values({ userId, roleId: role.id }).onConflictDoNothing()
  return role !== undefined
}

/** Returns the ids of a user's systemic roles, sorted so that the history can compare them. */
export async function selectSystemicRoles(tx: Transaction, userId: string) {
  const systemic = and(eq(userRoles.userId, userId), isNull(userRoles.organizationId))
  const rows = await tx.select({ id: userRoles.roleId }).from(userRoles).where(systemic).orderBy(userRoles.roleId)
  return rows.map(({ id }) => id)
}

const profileColumns = {
  lastName: users.lastName,
  firstName: users.firstName,
  middleName: users.middleName,
  fio: users.fio,
  birthDate: users.birthDate,
  gender: users.gender,
  email: users.email,
  mobile: users.mobile,
  login: users.login,
  locale: users.locale,
  comment: users.comment,
  values: users.values,
  isEditable: users.isEditable,
  providerId: users.providerId,
  /** Whether a directory keeps the account. */
  directory: sql<boolean>`${users.providerId} is not null`,
  hasPassword: sql<boolean>`${users.passwordHash} is not null`,
}
const profileById = prepared('profile_by_id', (database) =>
  database
    .select(profileColumns)
    .from(users)
    .where(eq(users.id, sql.placeholder('userId'))),
)

/** Returns a user's values of the profile fields: columns for the systemic ones, `values` for the others. */
export async function selectProfileValues(userId: string) {
  const [row] = await profileById().execute({ userId })
  return row ?? null
}

const profileWithMethods = prepared('profile_with_methods', (database) =>
  database
    .select({ ...profileColumns, methodIds: sql<string[]>`array${methodIdsInEffect(sql`users.id`)}` })
    .from(users)
    .where(eq(users.id, sql.placeholder('userId'))),
)

/** Returns the same, and the ids of the methods in the user's roles, without those that these imply. */
export async function selectProfileWithMethods(userId: string) {
  const [row] = await profileWithMethods().execute({ userId })
  return row ?? null
}

/** Returns whether a person may change their own account; false for an unknown one too. */
export async function selectIsEditable(userId: string): Promise<boolean> {
  const [row] = await db().select({ isEditable: users.isEditable }).from(users).where(eq(users.id, userId))
  return row?.isEditable === true
}

/** Returns whether there is such a user. */
export const isUser = async (tx: Transaction, id: string): Promise<boolean> =>
  (await tx.select({ id: users.id }).from(users).where(eq(users.id, id))).length > 0
