import { type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { db } from './client'

/** Up to how many rows of another table are looked up by their ids. */
const few = 200

/**
 * Returns a condition for a list whose search covers another table: `key` is the id of a row there that meets `where`.
 * Up to 200 such rows are found first, and the list reads its index of the key. If there are more, the list soon meets
 * some in its own order, so each of its rows is compared by itself; without `offset 0` PostgreSQL would find all of them
 * first.
 */
export async function refersTo(key: PgColumn, id: PgColumn, where: SQL | undefined): Promise<SQL> {
  const found = await db()
    .select({ id: sql<string>`${id}` })
    .from(id.table)
    .where(where)
    .limit(few + 1)
  return found.length > few
    ? sql`exists (select from ${id.table} where ${id} = ${key} and (${where}) offset 0)`
    : sql`${key} = any(${sql.param(found.map((row) => row.id))}::uuid[])`
}
