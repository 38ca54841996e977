import { hash } from 'node:crypto'

/** A stored row of the history: the time in microseconds, and values as PostgreSQL writes them. */
export type StoredRow = {
  id: string
  moment: string
  type: string
  entity: string
  entityId: string
  subtype: string | null
  field: string | null
  previous: string | null
  current: string | null
  ip: string | null
  changerId: string | null
  requestId: string | null
}

/** The fields of an entry of the chain that its digest covers. */
export type Entry = {
  seq: number
  sealedAt: Date
  kind: 'rows' | 'retention'
  before: Date | null
  count: number
  newest: number | null
  root: string
}

/** The lists of an entry of rows; later changes of its rows leave them unchanged. */
export type EntryLists = {
  ids: number[]
  moments: number[]
  digests: string[]
  foreignRows: number[]
  lostRows: number[]
}

const digestOf = (parts: readonly unknown[]) => hash('sha256', JSON.stringify(parts), 'base64url')

/**
 * Returns the digest of a row. The salt is deleted with the row; without it, nobody can guess the row's values from the
 * digest.
 */
export const rowDigest = (salt: string, row: StoredRow) =>
  digestOf([
    salt,
    row.id,
    row.moment,
    row.type,
    row.entity,
    row.entityId,
    row.subtype,
    row.field,
    row.previous,
    row.current,
    row.ip,
    row.changerId,
    row.requestId,
  ])

/** Returns the digest of all rows of an entry. */
export const rootOf = ({ ids, moments, digests, foreignRows, lostRows }: EntryLists) =>
  digestOf([ids, moments, digests, foreignRows, lostRows])

/** Returns the digest of an entry, which includes that of the entry before it: this makes the chain. */
export const entryDigest = (previous: string, { seq, sealedAt, kind, before, count, newest, root }: Entry) =>
  digestOf([previous, seq, sealedAt.toISOString(), kind, before?.toISOString() ?? null, count, newest, root])

/** The digest before the first entry. */
export const initialDigest = ''
