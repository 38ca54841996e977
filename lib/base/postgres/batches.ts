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
 * Deletes all rows of a table that fulfil a condition, in batches; an index on `by` finds them. The order makes PostgreSQL
 * use it, and the rows of a batch are named by where they lie: otherwise it may read the whole table for each batch.
 */
export const deleteInBatches = (
  table: PgTable,
  by: SQLWrapper,
  due: SQL | undefined,
  most = batchSize,
): Promise<void> =>
  inBatches(async (limit) => {
    // asked once more of the row itself, which may have been written meanwhile
    const { rowCount } = await db().execute(sql`
      delete from ${table} where ctid = any(array(
        select ctid from ${table} where ${due} order by ${by} limit ${limit}::int)) and ${due}`)
    return rowCount ?? 0
  }, most)

/** In how many turns a day has: housekeeping runs every ten minutes. */
export const turnsInDay = 144

/**
 * Returns a condition on a column of uuids: it is the turn of this one. Each has one turn a day. For what no index finds,
 * so that no run walks a whole table.
 */
export function inTurn(column: SQLWrapper, now: Date): SQL {
  const turn = Math.floor(now.getTime() / (86_400_000 / turnsInDay)) % turnsInDay
  const begin = (of: number) => Math.ceil((of * 2 ** 32) / turnsInDay)
  const part = (value: number, rest: string) => `${value.toString(16).padStart(8, '0')}-${rest}`
  const from = part(begin(turn), '0000-0000-0000-000000000000')
  const to = part(begin(turn + 1) - 1, 'ffff-ffff-ffff-ffffffffffff')
  return sql`${column} between ${from}::uuid and ${to}::uuid`
}
