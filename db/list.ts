import { and, asc, desc, type SQL, type SQLWrapper } from 'drizzle-orm'
import type { PgSelect } from 'drizzle-orm/pg-core'
import { defaultPageSize, type ListInput } from '@/lib/kernel/lists'

type ListRules<F, S extends string> = {
  /** What each sort orders by. */
  sorts: Record<S, SQLWrapper>
  /** What each filter asks of a row; undefined asks nothing. */
  filters: { [K in keyof F]-?: (value: NonNullable<F[K]>) => SQL | undefined }
  /** A unique column that settles ties, so that pages don't overlap. */
  tie: SQLWrapper
}

type Parts = { where: SQL | undefined; orderBy: SQL[]; limit: number; offset: number }

/**
 * Reads one page of a list and counts the whole, in parallel. `rows` and `count` get the where, order and page
 * made from the query; nothing of the query itself reaches SQL but through `rules`.
 */
export async function listPage<F extends object, S extends string, Row>(
  query: ListInput<F, S>,
  ownPageSize: number | null | undefined,
  rules: ListRules<F, S>,
  { rows, count }: { rows: (parts: Parts) => Promise<Row[]>; count: (where: SQL | undefined) => Promise<number> },
) {
  const perPage = query.perPage ?? ownPageSize ?? defaultPageSize
  const where = and(
    ...(Object.entries(query.filter) as [keyof F, F[keyof F]][]).map(([name, value]) =>
      value === undefined || value === null ? undefined : rules.filters[name](value as NonNullable<F[keyof F]>),
    ),
  )
  const order = query.sort === 'desc' ? desc : asc
  const orderBy = [order(rules.sorts[query.sortBy]), order(rules.tie)]
  const [page, total] = await Promise.all([
    rows({ where, orderBy, limit: perPage, offset: (query.page - 1) * perPage }),
    count(where),
  ])
  return { rows: page, meta: { page: query.page, perPage, total, pages: Math.ceil(total / perPage) } }
}

/** A LIKE pattern that finds the text anywhere, with its own wildcards taken as they are. */
export const containing = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`

/** A `$dynamic()` select with the parts that `listPage` made of the query. */
export const paged = <S extends PgSelect>(select: S, { where, orderBy, limit, offset }: Parts) =>
  select
    .where(where)
    .orderBy(...orderBy)
    .limit(limit)
    .offset(offset)
