import { randomUUID } from 'node:crypto'
import { db, type Transaction } from '@/db/client'
import { log } from '@/lib/base/runtime/log'
import { addEntry } from './chain'
import { rootOf, rowDigest, type StoredRow } from './digests'
import { deleteUnsealed, selectRange, selectRows, selectUnsealed, shortenRange, takeTurn } from './queries'

/** How many rows one entry seals at most. */
const mostRows = 1_000

type Taken = { rows: StoredRow[]; foreignRows: number[]; lostRows: number[] }

/** Takes the next rows out of the queue; nothing if it is empty. */
async function takeRows(tx: Transaction, limit: number): Promise<Taken | null> {
  const [first, ...more] = await selectUnsealed(tx, limit)
  if (!first) return null
  if (first.until > first.id) {
    const rows = await selectRange(tx, first, limit)
    const last = Number(rows.at(-1)?.id ?? first.until)
    if (rows.length < limit || last >= first.until) await deleteUnsealed(tx, [first.id])
    else await shortenRange(tx, first.id, last + 1)
    return { rows, foreignRows: [], lostRows: [] }
  }
  const range = more.findIndex(({ id, until }) => until > id)
  const taken = [first, ...(range < 0 ? more : more.slice(0, range))]
  const ids = taken.map(({ id }) => id)
  const rows = await selectRows(tx, ids)
  const found = new Set(rows.map(({ id }) => Number(id)))
  await deleteUnsealed(tx, ids)
  return {
    rows,
    foreignRows: taken.flatMap(({ id, foreign }) => (foreign ? [id] : [])),
    lostRows: ids.filter((id) => !found.has(id)),
  }
}

/** Seals the next rows. Returns the entry, or nothing if there was nothing to seal or another process seals. */
const sealOnce = (limit: number) =>
  db().transaction(async (tx) => {
    if (!(await takeTurn(tx))) return null
    const taken = await takeRows(tx, limit)
    if (!taken) return null
    const { rows, foreignRows, lostRows } = taken
    if (rows.length === 0 && lostRows.length === 0) return { seq: 0, digest: '', rows: 0 }
    const salts = rows.map(() => randomUUID())
    const moments = rows.map(({ moment }) => Number(moment))
    const lists = {
      ids: rows.map(({ id }) => Number(id)),
      moments,
      digests: rows.map((row, at) => rowDigest(salts[at] ?? '', row)),
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
 * Seals every row of the history that has been committed and isn't sealed yet, in entries of at most 1000. Logs the newest
 * entry: kept elsewhere, the line proves that nobody replaced the chain (docs/rules/administration-screens.md#sealed-history).
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
    const made = await sealOnce(limit)
    if (!made) break
    sealed += made.rows
    if (made.seq > 0) newest = made
  }
  if (newest) log.info({ anchor: `${newest.seq}:${newest.digest}`, rows: sealed }, 'the history is sealed')
}
