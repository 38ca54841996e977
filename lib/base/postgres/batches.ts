import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { db } from '@/db/client'

/** How many rows one statement handles at most, so that it ends in time however many rows have accumulated. */
export const batchSize = 2_000

/** Repeats a statement that handles at most `limit` rows and returns their number, until it handles fewer. */
export async function inBatches(work: (limit: number) => Promise<number>, limit = batchSize): Promise<void> {
  while ((await work(limit)) >= limit);
}

/**
 * Deletes all rows of a table that fulfil a condition, in batches; an index on `by` finds them. The order makes
 * PostgreSQL use the index, and `ctid` names the rows of a batch: otherwise it may read the whole table for each batch.
 */
export const deleteInBatches = (
  table: PgTable,
  by: SQLWrapper,
  condition: SQL | undefined,
  batchLimit = batchSize,
): Promise<void> =>
  inBatches(async (limit) => {
    // the condition is checked again on the row itself, which another transaction may have changed
    const { rowCount } = await db().execute(sql`
      delete from ${table} where ctid = any(array(
        select ctid from ${table} where ${condition} order by ${by} limit ${limit}::int)) and ${condition}`)
    return rowCount ?? 0
  }, batchLimit)

/** The number of turns of a day: housekeeping runs every ten minutes. */
export const turnsPerDay = 144

/**
 * Returns the condition that it is the turn of a UUID in a column. Each UUID has one turn a day. Meant for rows that no
 * index finds, so that no step of housekeeping reads a whole table.
 */
export function hasTurn(column: SQLWrapper, now: Date): SQL {
  const turn = Math.floor(now.getTime() / (86_400_000 / turnsPerDay)) % turnsPerDay
  const firstValue = (turnNumber: number) => Math.ceil((turnNumber * 2 ** 32) / turnsPerDay)
  const uuidOf = (value: number, suffix: string) => `${value.toString(16).padStart(8, '0')}-${suffix}`
  const first = uuidOf(firstValue(turn), '0000-0000-0000-000000000000')
  const last = uuidOf(firstValue(turn + 1) - 1, 'ffff-ffff-ffff-ffffffffffff')
  return sql`${column} between ${first}::uuid and ${last}::uuid`
}
