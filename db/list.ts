import { and, asc, type Column, desc, inArray, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { PgSelect, PgTable } from 'drizzle-orm/pg-core'
import { defaultPageSize, type ListInput } from '@/lib/base/lists/lists'
import { db } from './client'

type ListRules<F, S extends string> = {
  /** What each sort orders by. */
  sorts: Record<S, SQLWrapper>
  /** The condition of each filter; undefined means none. */
  filters: { [K in keyof F]-?: (value: NonNullable<F[K]>) => SQL | undefined }
  /** Rows with this condition come first, whatever the sort. */
  first?: SQL
  /** A unique column that settles ties, so that pages don't overlap. */
  tie: SQLWrapper
}

/** The number of skipped rows from which on counting first is faster. */
const manySkipped = 1_000

export type Parts = { where: SQL | undefined; orderBy: SQL[]; limit: number; offset: number }

/** The conditions of the requested filters. */
export const whereOf = <F extends object>(
  filter: F,
  filters: { [K in keyof F]-?: (value: NonNullable<F[K]>) => SQL | undefined },
) =>
  and(
    ...(Object.entries(filter) as [keyof F, F[keyof F]][]).map(([name, value]) =>
      value === undefined || value === null ? undefined : filters[name](value as NonNullable<F[keyof F]>),
    ),
  )

/**
 * Reads one page of a list and counts all its rows. `rows` and `count` get the where, order and page made from the
 * query; only `rules` turn parts of the query into SQL.
 */
export async function selectPage<F extends object, S extends string, Row>(
  query: ListInput<F, S>,
  callerPageSize: number | null | undefined,
  rules: ListRules<F, S>,
  { rows, count }: { rows: (parts: Parts) => Promise<Row[]>; count: (where: SQL | undefined) => Promise<number> },
) {
  const perPage = query.perPage ?? callerPageSize ?? defaultPageSize
  const where = and(whereOf(query.filter, rules.filters), query.only ? sql`${rules.tie} = ${query.only}` : undefined)
  const [order, reverse] = query.sort === 'desc' ? [desc, asc] : [asc, desc]
  const orderIn = (direction: typeof asc) => [
    ...(rules.first ? [(direction === order ? desc : asc)(rules.first)] : []),
    direction(rules.sorts[query.sortBy]),
    direction(rules.tie),
  ]
  const offset = (query.page - 1) * perPage
  const metaOf = (total: number) => ({ page: query.page, perPage, total, pages: Math.ceil(total / perPage) })

  if (offset < manySkipped) {
    const [page, total] = await Promise.all([
      rows({ where, orderBy: orderIn(order), limit: perPage, offset }),
      count(where),
    ])
    return { rows: page, meta: metaOf(total) }
  }
  // skipped rows are read too, so a page in the second half is read from the end
  const total = await count(where)
  const remaining = total - offset
  if (remaining <= 0) return { rows: [], meta: metaOf(total) }
  if (offset <= total / 2)
    return { rows: await rows({ where, orderBy: orderIn(order), limit: perPage, offset }), meta: metaOf(total) }
  const limit = Math.min(perPage, remaining)
  const page = await rows({ where, orderBy: orderIn(reverse), limit, offset: remaining - limit })
  return { rows: page.reverse(), meta: metaOf(total) }
}

/** Returns the number of rows of a table that match the condition; with `atMost` it stops counting there. */
export async function countRows(table: PgTable, where?: SQL, limit?: number): Promise<number> {
  const select = db()
    .select({ one: sql<number>`1`.as('one') })
    .from(table)
    .where(where)
    .$dynamic()
  return db().$count((limit === undefined ? select : select.limit(limit)).as('found'))
}

/** A LIKE pattern that finds the text anywhere, with the text's own wildcards escaped. */
export const containing = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`

/** A `$dynamic()` select with the parts that `selectPage` made of the query. */
export const paged = <S extends PgSelect>(select: S, { where, orderBy, limit, offset }: Parts) =>
  select
    .where(where)
    .orderBy(...orderBy)
    .limit(limit)
    .offset(offset)

/** What `selectPage` needs to read whole rows of a table. */
export const wholeRows = <T extends PgTable>(table: T) => ({
  rows: (parts: Parts) => {
    const select = db()
      .select()
      .from(table as PgTable)
    return paged(select.$dynamic(), parts) as unknown as Promise<T['$inferSelect'][]>
  },
  count: (where: SQL | undefined) => countRows(table, where),
})

/**
 * Returns the rows of a search, from a `$dynamic()` select: up to 50 that match a text, or those with these `ids`; at
 * most `limit`.
 */
export const chosen = <S extends PgSelect>(
  select: S,
  {
    searchValue,
    ids,
    limit,
  }: { searchValue?: string | undefined; ids?: string[] | undefined; limit?: number | undefined },
  {
    id,
    called,
    by,
    among,
  }: {
    id: Column
    called: (text: string) => SQL | undefined
    by: SQLWrapper
    /** A further condition. */
    among?: SQL | undefined
  },
) =>
  select
    .where(and(searchValue ? called(searchValue) : undefined, ids ? inArray(id, ids) : undefined, among))
    .orderBy(asc(by), asc(id))
    .limit(limit ?? ids?.length ?? 50)
