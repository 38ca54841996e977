import { db, type Transaction } from '@/db/client'
import { keyedHash } from '@/lib/base/crypto/encryption'
import { entryDigest, initialDigest, rootOf, rowDigest, type StoredRow } from './digests'
import {
  allowLongReading,
  type StoredEntry,
  selectEntries,
  selectRows,
  selectSealedTwice,
  selectUnknownRows,
} from './queries'

/** The smallest number of days that the history is stored (docs/rules/administration-screens.md#sealed-history). */
const minimumDays = 45
const day = 86_400_000
/** The number of entries read at once; each has up to 1000 rows. */
const batch = 20
/** The largest number of faults of one kind that are listed when a search finds them. */
const mostListed = 100

export type FaultKind =
  /** Of the chain: an entry is missing, differs from what was sealed, or wasn't made by the platform. */
  | 'entryMissing'
  | 'entryChanged'
  | 'entryForged'
  | 'entryEmptied'
  | 'anchorMissing'
  /** Of rows: changed, deleted, deleted before they were sealed, or not written by the platform. */
  | 'rowChanged'
  | 'rowMissing'
  | 'rowLost'
  | 'rowForeign'
  | 'rowUnsealed'
  | 'rowSealedTwice'
/** `entry`: its place in the chain; `row`: the id of a row of the history. */
type Fault = { kind: FaultKind; entry?: number; row?: number }
export type Verdict = { faults: Fault[]; entries: number; rows: number; removed: number; anchor: string | null }

/** The moment, in microseconds, before which rows may be missing at this place of the chain. */
type Allowed = { before: number }

const micros = (date: Date) => date.getTime() * 1000

/** Returns the faults of an entry itself. */
function faultsOfEntry(entry: StoredEntry, previous: { seq: number; digest: string }): Fault[] {
  const { seq, digest, mac, ids, moments, digests, foreignRows, lostRows, root, kind, before, sealedAt } = entry
  const faults: Fault[] = []
  for (let missing = previous.seq + 1; missing < seq && faults.length < mostListed; missing++)
    faults.push({ kind: 'entryMissing', entry: missing })
  if (entryDigest(previous.digest, entry) !== digest) faults.push({ kind: 'entryChanged', entry: seq })
  if (keyedHash('seals', digest) !== mac) faults.push({ kind: 'entryForged', entry: seq })
  if (kind === 'rows' && ids && moments && digests && rootOf({ ids, moments, digests, foreignRows, lostRows }) !== root)
    faults.push({ kind: 'entryChanged', entry: seq })
  // the platform never removes younger rows
  if (kind === 'retention' && (!before || before.getTime() > sealedAt.getTime() - minimumDays * day))
    faults.push({ kind: 'entryForged', entry: seq })
  return faults
}

/** Returns the faults of an entry's rows, and the number of rows that exist. */
function faultsOfRows(entry: StoredEntry, rows: Map<string, StoredRow>, { before }: Allowed) {
  const { seq, ids, moments, salts, digests, foreignRows, lostRows, newest, count } = entry
  const faults: Fault[] = [
    ...foreignRows.map((row) => ({ kind: 'rowForeign' as const, entry: seq, row })),
    ...lostRows.map((row) => ({ kind: 'rowLost' as const, entry: seq, row })),
  ]
  if (!ids || !moments || !salts || !digests) {
    const lawful = count === 0 || (newest !== null && newest < before)
    return { faults: lawful ? faults : [...faults, { kind: 'entryEmptied' as const, entry: seq }], there: 0 }
  }
  let existing = 0
  for (const [index, id] of ids.entries()) {
    const [salt, row] = [salts[index], rows.get(String(id))]
    const mayBeMissing = (moments[index] ?? Number.MAX_SAFE_INTEGER) < before
    if (row) existing++
    if (!row && !(mayBeMissing && !salt)) faults.push({ kind: 'rowMissing', entry: seq, row: id })
    if (row && (!salt || rowDigest(salt, row) !== digests[index]))
      faults.push({ kind: 'rowChanged', entry: seq, row: id })
  }
  return { faults, there: existing }
}

/** Returns the latest moment of the chain's valid retention entries: rows from before it may be missing. */
async function allowedOf(tx: Transaction): Promise<Allowed> {
  let before = 0
  for (let after = 0; ; ) {
    const entries = await selectEntries(tx, after, 500, 'retention')
    for (const { before: retainedSince, digest, mac, sealedAt } of entries) {
      const lawful =
        keyedHash('seals', digest) === mac &&
        retainedSince &&
        retainedSince.getTime() <= sealedAt.getTime() - minimumDays * day
      if (lawful) before = Math.max(before, micros(retainedSince))
    }
    const lastEntry = entries.at(-1)
    if (!lastEntry) return { before }
    after = lastEntry.seq
  }
}

/**
 * Compares the whole history with its chain, in one snapshot. `anchor` is the place and digest of an entry that was
 * stored elsewhere, `12:abc…`: without one, a chain looks complete if its end was removed with the rows
 * (docs/rules/administration-screens.md#sealed-history).
 */
export function verifyHistory({ anchor }: { anchor?: string | undefined } = {}): Promise<Verdict> {
  return db().transaction(
    async (tx) => {
      await allowLongReading(tx)
      const faults: Fault[] = []
      const allowed = await allowedOf(tx)
      let previous = { seq: 0, digest: initialDigest }
      let [entries, rows, sealed, anchored] = [0, 0, 0, false]
      for (;;) {
        const chainEntries = await selectEntries(tx, previous.seq, batch)
        if (chainEntries.length === 0) break
        const stored = new Map(
          (
            await selectRows(
              tx,
              chainEntries.flatMap(({ ids }) => ids ?? []),
            )
          ).map((row) => [row.id, row]),
        )
        for (const entry of chainEntries) {
          faults.push(...faultsOfEntry(entry, previous))
          if (entry.kind === 'rows') {
            const { faults: rowFaults, there: existing } = faultsOfRows(entry, stored, allowed)
            faults.push(...rowFaults)
            rows += existing
            sealed += entry.count
          }
          previous = { seq: entry.seq, digest: entry.digest }
          if (`${entry.seq}:${entry.digest}` === anchor) anchored = true
        }
        entries += chainEntries.length
      }
      if (anchor && !anchored) faults.push({ kind: 'anchorMissing', entry: Number(anchor.split(':')[0]) })
      for (const row of await selectUnknownRows(tx, mostListed)) faults.push({ kind: 'rowUnsealed', row })
      for (const row of await selectSealedTwice(tx, mostListed)) faults.push({ kind: 'rowSealedTwice', row })
      const end = previous.seq > 0 ? `${previous.seq}:${previous.digest}` : null
      return { faults, entries, rows, removed: sealed - rows, anchor: end }
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )
}
