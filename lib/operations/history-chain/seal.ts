import { randomUUID } from 'node:crypto'
import { db, type Transaction } from '@/db/client'
import { log } from '@/lib/base/runtime/log'
import { addEntry } from './chain'
import { rootOf, rowDigest, type StoredRow } from './digests'
import { deleteUnsealed, selectRange, selectRows, selectUnsealed, shortenRange, tryLockChain } from './queries'

/** The largest number of rows of an entry. */
const mostRows = 1_000

type QueuedRows = { rows: StoredRow[]; foreignRows: number[]; lostRows: number[] }

/** Takes the next rows from the queue; null if it is empty. */
async function takeRows(tx: Transaction, limit: number): Promise<QueuedRows | null> {
  const [firstUnsealed, ...nextUnsealed] = await selectUnsealed(tx, limit)
  if (!firstUnsealed) return null
  if (firstUnsealed.until > firstUnsealed.id) {
    const rows = await selectRange(tx, firstUnsealed, limit)
    const lastId = Number(rows.at(-1)?.id ?? firstUnsealed.until)
    if (rows.length < limit || lastId >= firstUnsealed.until) await deleteUnsealed(tx, [firstUnsealed.id])
    else await shortenRange(tx, firstUnsealed.id, lastId + 1)
    return { rows, foreignRows: [], lostRows: [] }
  }
  const rangeIndex = nextUnsealed.findIndex(({ id, until }) => until > id)
  const batch = [firstUnsealed, ...(rangeIndex < 0 ? nextUnsealed : nextUnsealed.slice(0, rangeIndex))]
  const ids = batch.map(({ id }) => id)
  const rows = await selectRows(tx, ids)
  const storedIds = new Set(rows.map(({ id }) => Number(id)))
  await deleteUnsealed(tx, ids)
  return {
    rows,
    foreignRows: batch.flatMap(({ id, foreign }) => (foreign ? [id] : [])),
    lostRows: ids.filter((id) => !storedIds.has(id)),
  }
}

/** Adds the next rows to the chain. Returns the entry; null if there are no rows or another process adds them. */
const sealOnce = (limit: number) =>
  db().transaction(async (tx) => {
    if (!(await tryLockChain(tx))) return null
    const queued = await takeRows(tx, limit)
    if (!queued) return null
    const { rows, foreignRows, lostRows } = queued
    if (rows.length === 0 && lostRows.length === 0) return { seq: 0, digest: '', rows: 0 }
    const salts = rows.map(() => randomUUID())
    const moments = rows.map(({ moment }) => Number(moment))
    const lists = {
      ids: rows.map(({ id }) => Number(id)),
      moments,
      digests: rows.map((row, index) => rowDigest(salts[index] ?? '', row)),
      foreignRows,
      lostRows,
    }
    const entry = await addEntry(tx, {
      sealedAt: new Date(),
      kind: 'rows',
      before: null,
      count: rows.length,
      newest: rows.length > 0 ? Math.max(...moments) : null,
      root: rootOf(lists),
      lists: { ...lists, salts, oldest: rows.length > 0 ? Math.min(...moments) : null },
    })
    return { ...entry, rows: rows.length }
  })

/**
 * Adds every committed row of the history that has no entry yet to the chain, in entries of at most 1000 rows. Logs the
 * newest entry: stored elsewhere, this line proves that nobody replaced the chain
 * (docs/rules/administration-screens.md#sealed-history).
 */
export async function extendHistoryChain({
  stop,
  limit = mostRows,
}: {
  stop?: AbortSignal | undefined
  limit?: number
} = {}) {
  let newest: { seq: number; digest: string } | undefined
  let sealed = 0
  while (!stop?.aborted) {
    const entry = await sealOnce(limit)
    if (!entry) break
    sealed += entry.rows
    if (entry.seq > 0) newest = entry
  }
  if (newest) log.info({ anchor: `${newest.seq}:${newest.digest}`, rows: sealed }, 'the history is sealed')
}
