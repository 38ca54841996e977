import { bigint, index, integer, pgEnum, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { moment } from './columns'

export const sealKind = pgEnum('seal_kind', ['rows', 'retention'])

/**
 * The chain of the history: each entry has a digest over itself and the entry before it. The application's role may add
 * and read entries; `remove_old_history` clears the data of removed rows.
 */
export const historySeals = pgTable(
  'history_seals',
  {
    seq: bigint({ mode: 'number' }).primaryKey(),
    sealedAt: moment().notNull(),
    kind: sealKind().notNull(),
    /** Of a retention entry: rows from before this moment may be missing. */
    before: moment(),
    /** The number of its rows, and the time of the newest in microseconds. */
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
    /**
     * The ids of the rows, with the times, salts and digests of each. A removed row has no salt; null once all are
     * removed.
     */
    ids: bigint({ mode: 'number' }).array(),
    moments: bigint({ mode: 'number' }).array(),
    salts: uuid().array(),
    digests: text().array(),
    /** The time of the oldest row that isn't removed. */
    oldest: bigint({ mode: 'number' }),
  },
  (t) => [index('history_seals_oldest').on(t.oldest), index('history_seals_kind').on(t.kind, t.seq)],
)

/**
 * Rows of the history without an entry of the chain. A trigger adds each; `until` is greater for rows from before the
 * trigger.
 */
export const historyUnsealed = pgTable('history_unsealed', {
  id: bigint({ mode: 'number' }).primaryKey(),
  until: bigint({ mode: 'number' }).notNull(),
  /** The database role that inserted it; null: unknown. */
  insertedBy: text(),
})
