import { bigint, index, integer, pgEnum, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { moment } from './columns'

export const sealKind = pgEnum('seal_kind', ['rows', 'retention'])

/**
 * The chain that seals the history: each entry has a digest over itself and the one before. The application's role may
 * add and read entries; `remove_old_history` clears what belongs to removed rows.
 */
export const historySeals = pgTable(
  'history_seals',
  {
    seq: bigint({ mode: 'number' }).primaryKey(),
    sealedAt: moment().notNull(),
    kind: sealKind().notNull(),
    /** Of a retention: rows from before this moment may be gone. */
    before: moment(),
    /** How many rows it seals, and the moment of the newest, in microseconds. */
    count: integer().notNull().default(0),
    newest: bigint({ mode: 'number' }),
    /** Rows that another database role inserted, and rows that were deleted before they were sealed. */
    foreignRows: bigint({ mode: 'number' }).array().notNull().default([]),
    lostRows: bigint({ mode: 'number' }).array().notNull().default([]),
    /** The digest of the lists below. */
    root: text().notNull(),
    digest: text().notNull(),
    /** A keyed hash of the digest; the key is not in the database in readable form. */
    mac: text().notNull(),
    /** The sealed rows, with the moments, salts and digests of each. A removed row has no salt; null once all are gone. */
    ids: bigint({ mode: 'number' }).array(),
    moments: bigint({ mode: 'number' }).array(),
    salts: uuid().array(),
    digests: text().array(),
    /** The moment of the oldest row that is not removed. */
    oldest: bigint({ mode: 'number' }),
  },
  (t) => [index('history_seals_oldest').on(t.oldest), index('history_seals_kind').on(t.kind, t.seq)],
)

/** Rows of the history that no entry seals yet. A trigger puts each in; `until` is greater for rows from before it. */
export const historyUnsealed = pgTable('history_unsealed', {
  id: bigint({ mode: 'number' }).primaryKey(),
  until: bigint({ mode: 'number' }).notNull(),
  /** The database role that inserted it; null: unknown. */
  insertedBy: text(),
})
