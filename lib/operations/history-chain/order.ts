import { db } from '@/db/client'
import { selectCounts, selectNewest, selectSealedIds } from './queries'

/** A place in the order of sealing: an entry of the chain, and how many of its rows lie before. */
type Place = { seq: number; position: number }

/**
 * Returns the ids of the next rows in the order in which they were sealed, at most so many, with their places, and
 * whether more follow. A row has its place only after it was committed, so no row appears before a place that was read
 * (docs/rules/administration-screens.md#stream). Null: the chain doesn't reach to this place.
 */
export async function sealedAfter(after: Place, limit: number) {
  const newest = (await selectNewest(db()))?.seq ?? 0
  if (after.seq > newest) return null
  // an entry has at least one row, and at most 1000
  const entries = await selectCounts(after.seq, limit + 2)
  let [rows, last] = [-after.position, after.seq]
  for (const { seq, count } of entries) {
    if (rows >= limit + 1) break
    rows += count
    last = seq
  }
  const found = await selectSealedIds(after, last, limit + 1)
  return { rows: found.slice(0, limit), more: found.length > limit }
}
