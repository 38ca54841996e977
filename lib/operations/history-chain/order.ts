import { db } from '@/db/client'
import { selectCounts, selectNewest, selectSealedIds } from './queries'

/** A place in the chain: an entry, and the number of its rows before the place. */
type Place = { seq: number; position: number }

/**
 * Returns the ids of the next rows in the order of the chain, at most `limit`, with their places, and whether more
 * follow. A row gets its place only after its commit, so no row can appear before a place that was already read
 * (docs/rules/administration-screens.md#stream). Returns null for a place that the chain doesn't reach.
 */
export async function chainRowsAfter(after: Place, limit: number) {
  const newest = (await selectNewest(db()))?.seq ?? 0
  if (after.seq > newest) return null
  // an entry has at least one row, and at most 1000
  const entries = await selectCounts(after.seq, limit + 2)
  let [rows, lastSeq] = [-after.position, after.seq]
  for (const { seq, count } of entries) {
    if (rows >= limit + 1) break
    rows += count
    lastSeq = seq
  }
  const sealedRows = await selectSealedIds(after, lastSeq, limit + 1)
  return { rows: sealedRows.slice(0, limit), more: sealedRows.length > limit }
}
