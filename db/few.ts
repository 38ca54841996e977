import { type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { db } from './client'

/** The largest number of rows of another table that are looked up by their ids. */
export const readWhole = { ids: 2_000 }

/** A condition that refers to another table, and whether its rows were few. */
type Reference = { condition: SQL; few: boolean }

/**
 * Returns a condition for a list whose search covers another table: `key` is the id of a row of that table that meets
 * `where`. Up to 2,000 such rows are selected first, and the list reads its index of the key. If there are more, the list
 * meets matching rows soon in its own order, so each of its rows is compared by itself; without `offset 0` PostgreSQL
 * would select all of them first.
 */
export async function refersTo(key: PgColumn, id: PgColumn, where: SQL | undefined): Promise<Reference> {
  const rows = await db()
    .select({ id: sql<string>`${id}` })
    .from(id.table)
    .where(where)
    .limit(readWhole.ids + 1)
  const few = rows.length <= readWhole.ids
  const [keyType, idType] = [key, id].map((column) => sql.raw(column.getSQLType())) as [SQL, SQL]
  const condition = few
    ? sql`${key} = any(${sql.param(rows.map((row) => row.id))}::${keyType}[])`
    : sql`exists (select from ${id.table} where ${id} = ${key}::${idType} and (${where}) offset 0)`
  return { condition, few }
}
