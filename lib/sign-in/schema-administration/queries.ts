import { asc, eq, inArray, sql } from 'drizzle-orm'
import type { Database, Transaction } from '@/db/client'
import { rowsById } from '@/db/rows'
import { authenticationSchemaRoles, roles, users } from '@/db/schema/people'
import { authenticationSchemas } from '@/db/schema/platform'

type Executor = Database | Transaction
export type SchemaRow = typeof authenticationSchemas.$inferSelect
type Values = Pick<SchemaRow, 'name' | 'nameEn' | 'code' | 'comment' | 'firstFactor' | 'secondFactor'>

/** All schemas in their order: the base schema is always the last one. */
const inOrder = [asc(authenticationSchemas.base), asc(authenticationSchemas.priority), asc(authenticationSchemas.code)]

export const selectSchemas = (database: Executor) =>
  database
    .select()
    .from(authenticationSchemas)
    .orderBy(...inOrder)

/**
 * Locks all schemas for a change of one, so that these changes run one after another, and returns them in their order.
 * There are few of them, and the effect of one depends on the others. The base schema is locked first, so that the
 * second of two parallel changes sees what the first has added.
 */
export async function lockSchemas(tx: Transaction) {
  await tx.select().from(authenticationSchemas).where(eq(authenticationSchemas.base, true)).for('update')
  return tx
    .select()
    .from(authenticationSchemas)
    .orderBy(...inOrder)
    .for('update')
}

/** Returns the roles that schemas are tied to, by name. */
export const selectTies = (database: Executor) =>
  database
    .select({ schemaId: authenticationSchemaRoles.schemaId, id: roles.id, name: roles.name, nameEn: roles.nameEn })
    .from(authenticationSchemaRoles)
    .innerJoin(roles, eq(roles.id, authenticationSchemaRoles.roleId))
    .orderBy(asc(roles.name), asc(roles.id))

/** Returns how many accounts have each schema as their own. A schema without any is missing. */
export const selectOwnCounts = (database: Executor) =>
  database
    .select({ id: users.authenticationSchemaId, count: sql<number>`count(*)::int` })
    .from(users)
    .where(sql`${users.authenticationSchemaId} is not null`)
    .groupBy(users.authenticationSchemaId)

export async function selectRoleIds(tx: Transaction, ids: string[]): Promise<Set<string>> {
  const rows = ids.length > 0 ? await tx.select({ id: roles.id }).from(roles).where(inArray(roles.id, ids)) : []
  return new Set(rows.map(({ id }) => id))
}

/** Locks roles, so that no account gets or loses one of them until the transaction ends. */
export const lockRoles = (tx: Transaction, ids: string[]) =>
  tx.select({ id: roles.id }).from(roles).where(inArray(roles.id, ids)).orderBy(asc(roles.id)).for('update')

/** Inserts a schema and returns its id. Returns undefined if the code is taken. */
export async function insertSchema(tx: Transaction, values: Values & { active: boolean; priority: number }, now: Date) {
  const [row] = await tx
    .insert(authenticationSchemas)
    .values({ ...values, createdAt: now })
    .onConflictDoNothing({ target: authenticationSchemas.code })
    .returning({ id: authenticationSchemas.id })
  return row
}

export const schemaRows = rowsById(authenticationSchemas)

/** Ties a schema to these roles and no others. */
export async function storeTies(tx: Transaction, schemaId: string, roleIds: readonly string[]) {
  await tx.delete(authenticationSchemaRoles).where(eq(authenticationSchemaRoles.schemaId, schemaId))
  if (roleIds.length > 0)
    await tx.insert(authenticationSchemaRoles).values(roleIds.map((roleId) => ({ schemaId, roleId })))
}
