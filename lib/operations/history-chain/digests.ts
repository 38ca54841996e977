import { hash } from 'node:crypto'

/** A row of the history as it is stored: the moment in microseconds, values as PostgreSQL writes them. */
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

/** What an entry of the chain states beside its digest. */
export type Entry = {
  seq: number
  sealedAt: Date
  kind: 'rows' | 'retention'
  before: Date | null
  count: number
  newest: number | null
  root: string
}

/** The lists of an entry of rows; what happens later to a sealed row changes none of them. */
export type Sealed = { ids: number[]; moments: number[]; digests: string[]; foreignRows: number[]; lostRows: number[] }

const digestOf = (parts: readonly unknown[]) => hash('sha256', JSON.stringify(parts), 'base64url')

/** Returns the digest of a row. Without the salt, which is deleted with the row, nobody can guess its values by it. */
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

/** Returns the digest of all that an entry seals. */
export const rootOf = ({ ids, moments, digests, foreignRows, lostRows }: Sealed) =>
  digestOf([ids, moments, digests, foreignRows, lostRows])

/** Returns the digest of an entry over the one before it, which chains them. */
export const entryDigest = (previous: string, { seq, sealedAt, kind, before, count, newest, root }: Entry) =>
  digestOf([previous, seq, sealedAt.toISOString(), kind, before?.toISOString() ?? null, count, newest, root])

/** The digest before the first entry. */
export const beginning = ''
