import { and, desc, eq, gt, gte, isNotNull, sql } from 'drizzle-orm'
import { db, type Transaction } from '@/db/client'
import { historySeals, historyUnsealed } from '@/db/schema/history-seals'
import { history } from '@/db/schema/operations'
import type { StoredRow } from './digests'

type Executor = ReturnType<typeof db> | Transaction

/** The columns of a `StoredRow`. */
const storedColumns = sql`h.id::text as id, (extract(epoch from h.date) * 1000000)::bigint::text as moment,
  h.type::text as type, h.entity, h.entity_id as "entityId", h.subtype, h.field, h.previous::text as previous,
  h.current::text as current, h.ip, h.changer_id::text as "changerId", h.request_id as "requestId"`

/**
 * Tries to lock the chain for adding entries, until the transaction ends. Returns false if another process holds the
 * lock.
 */
export async function tryLockChain(tx: Transaction): Promise<boolean> {
  const { rows } = await tx.execute<{ got: boolean }>(
    sql`select pg_try_advisory_xact_lock(hashtext('the chain of the history')) as got`,
  )
  return rows[0]?.got === true
}

/** Locks the chain, waiting for the lock. */
export const lockChain = (tx: Transaction) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtext('the chain of the history'))`)

/** Returns the newest entry of the chain. */
export async function selectNewest(run: Executor) {
  const [newest] = await run
    .select({ seq: historySeals.seq, digest: historySeals.digest })
    .from(historySeals)
    .orderBy(desc(historySeals.seq))
    .limit(1)
  return newest
}

export const insertEntry = (tx: Transaction, entry: typeof historySeals.$inferInsert) =>
  tx.insert(historySeals).values(entry)

/** The first rows without an entry: single ones, or a range of rows that are older than the trigger. */
export async function selectUnsealed(tx: Transaction, limit: number) {
  const { rows } = await tx.execute<{ id: number; until: number; foreign: boolean }>(
    sql`select id::float8 as id, until::float8 as until, coalesce(inserted_by <> current_user, false) as foreign
      from ${historyUnsealed} order by history_unsealed.id limit ${limit}::int`,
  )
  return rows
}

export async function selectRows(tx: Transaction, ids: readonly number[]) {
  const { rows } = await tx.execute<StoredRow>(
    sql`select ${storedColumns} from ${history} h where h.id = any(${sql.param(ids)}::bigint[]) order by h.id`,
  )
  return rows
}

export async function selectRange(tx: Transaction, { id, until }: { id: number; until: number }, limit: number) {
  const { rows } = await tx.execute<StoredRow>(
    sql`select ${storedColumns} from ${history} h where h.id between ${id}::bigint and ${until}::bigint
      order by h.id limit ${limit}::int`,
  )
  return rows
}

export const deleteUnsealed = (tx: Transaction, ids: readonly number[]) =>
  tx.execute(sql`delete from ${historyUnsealed} where id = any(${sql.param(ids)}::bigint[])`)

/** Moves the beginning of a range. */
export const shortenRange = (tx: Transaction, from: number, to: number) =>
  tx.execute(sql`update ${historyUnsealed} set id = ${to}::bigint where id = ${from}::bigint`)

/** Returns whether a sealed row is older than a moment, and whether an entry already records this retention. */
export async function selectRetention(before: Date) {
  const { rows } = await db().execute<{ due: boolean; said: boolean }>(sql`select
    exists (select from ${historySeals} where oldest < (extract(epoch from ${before}::timestamptz) * 1000000)::bigint) as due,
    exists (select from ${historySeals} where kind = 'retention' and before >= ${before}::timestamptz) as said`)
  return rows[0] ?? { due: false, said: false }
}

/** Removes the expired rows of one entry, with the rights of the owner. Returns their number; 0 when there are none. */
export async function removeExpired(before: Date): Promise<number> {
  const { rows } = await db().execute<{ removed: number }>(
    sql`select remove_old_history(${before}::timestamptz) as removed`,
  )
  return rows[0]?.removed ?? 0
}

/** Lifts the limit of a request's statements in this transaction: comparing millions of rows takes longer. */
export const allowLongReading = (tx: Transaction) => tx.execute(sql`set local statement_timeout = '30min'`)

export type StoredEntry = typeof historySeals.$inferSelect

/** The next entries of the chain after a place, of one kind or of all. */
export const selectEntries = (tx: Transaction, after: number, limit: number, kind?: StoredEntry['kind']) =>
  tx
    .select()
    .from(historySeals)
    .where(and(gt(historySeals.seq, after), kind ? eq(historySeals.kind, kind) : undefined))
    .orderBy(historySeals.seq)
    .limit(limit)

/**
 * The number of rows of each entry, from a place on; entries without rows, or whose rows were removed, are left out.
 */
export const selectCounts = (from: number, limit: number) =>
  db()
    .select({ seq: historySeals.seq, count: historySeals.count })
    .from(historySeals)
    .where(
      and(
        gte(historySeals.seq, from),
        eq(historySeals.kind, 'rows'),
        gt(historySeals.count, 0),
        isNotNull(historySeals.ids),
      ),
    )
    .orderBy(historySeals.seq)
    .limit(limit)

/** The ids of sealed rows after a place and up to an entry, in their order. */
export async function selectSealedIds(after: { seq: number; position: number }, until: number, limit: number) {
  const { rows } = await db().execute<{ seq: number; position: number; id: number }>(sql`
    select s.seq::float8 as seq, sealed.position::int as position, sealed.id::float8 as id
    from ${historySeals} s cross join lateral unnest(s.ids) with ordinality as sealed (id, position)
    where s.kind = 'rows' and s.seq between ${after.seq}::bigint and ${until}::bigint
      and (s.seq > ${after.seq}::bigint or sealed.position > ${after.position}::bigint)
    order by s.seq, sealed.position limit ${limit}::int`)
  return rows
}

/** Ids of rows that are neither in an entry nor in the queue. */
export async function selectUnknownRows(tx: Transaction, limit: number): Promise<number[]> {
  const { rows } = await tx.execute<{ id: number }>(sql`
    select h.id::float8 as id from ${history} h
    where not exists (select from (select unnest(ids) as id from ${historySeals}) sealed where sealed.id = h.id)
      and not exists (select from ${historyUnsealed} u where h.id between u.id and u.until)
    order by h.id limit ${limit}::int`)
  return rows.map(({ id }) => id)
}

/** Ids of rows that are in several entries. */
export async function selectSealedTwice(tx: Transaction, limit: number): Promise<number[]> {
  const { rows } = await tx.execute<{ id: number }>(sql`
    select id::float8 as id from (select unnest(ids) as id from ${historySeals}) sealed
    group by id having count(*) > 1 order by id limit ${limit}::int`)
  return rows.map(({ id }) => id)
}
