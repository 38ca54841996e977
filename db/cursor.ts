import { and, asc, Column, desc, eq, getTableColumns, is, isNull, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { PgDialect, type PgTable } from 'drizzle-orm/pg-core'
import { z } from 'zod'
import { decrypt, digest, encrypt } from '@/lib/base/crypto/encryption'
import { type CursorMeta, defaultPageSize, type ListInput } from '@/lib/base/lists/lists'
import { fieldError } from '@/lib/base/runtime/errors'
import { db } from './client'
import { type Parts, paged, selectPage, whereOf } from './list'

/** What a list is ordered by: a column, or an expression with its type and whether it may be null. */
export type Order = Column | { by: SQL; type: string; nullable: boolean }

export type CursorRules<F, S extends string> = {
  /** Names the list: a cursor of another one is refused. */
  list: string
  /** The id of the caller: the cursor of another caller is refused. */
  caller: string
  /** What each sort orders by: texts of at most about 255 characters. */
  sorts: Record<S, Order>
  filters: { [K in keyof F]-?: (value: NonNullable<F[K]>) => SQL | undefined }
  /** Rows with this condition come first, whatever the sort; it is never null. */
  first?: SQL
  /** A unique column, never null, that settles ties. */
  tie: Column
  /** Up to how many rows are counted; `none` counts none, and by default all are counted. */
  total?: number | 'none'
}

/** The texts of what a row is ordered by: `rows` selects them as `keys`. */
export type Keys = (string | null)[]
export type CursorParts = Parts & { keys: SQL<Keys> }
type Key = { by: SQLWrapper; type: string; nullable: boolean; descending: boolean }
type Place = { values: Keys; inclusive: boolean }

const dialect = new PgDialect()
const textOf = (part: SQLWrapper) => dialect.sqlToQuery(sql`${part}`)

/** Reads rows of a whole table with their keys, for a list that needs no other columns. */
export const rowsOf =
  <T extends PgTable>(table: T) =>
  ({ keys, ...parts }: CursorParts) =>
    paged(
      db()
        .select({ ...getTableColumns(table), keys })
        .from(table as PgTable)
        .$dynamic(),
      parts,
    ) as unknown as Promise<(T['$inferSelect'] & { keys: Keys })[]>

/** Types that are only for declaring a column. */
const declared: Record<string, string> = { serial: 'integer', bigserial: 'bigint', smallserial: 'smallint' }

const partsOf = (order: Order, tie: Column) => {
  if (!is(order, Column)) return { ...order, by: sql`(${order.by})` }
  const type = order.getSQLType()
  // a table that is joined may have no row
  return { by: order, type: declared[type] ?? type, nullable: !order.notNull || order.table !== tie.table }
}

function keysOf<F, S extends string>({ sorts, first, tie }: CursorRules<F, S>, { sortBy, sort }: ListInput<F, S>) {
  const descending = sort === 'desc'
  const keys: Key[] = [sorts[sortBy], tie].map((order) => ({ ...partsOf(order, tie), descending }))
  return first ? [{ by: sql`(${first})`, type: 'boolean', nullable: false, descending: true }, ...keys] : keys
}

const backwards = (keys: Key[]): Key[] => keys.map((key) => ({ ...key, descending: !key.descending }))
// by default PostgreSQL sorts null as the greatest value, and so does this code
const orderOf = (keys: Key[]) => keys.map(({ by, descending }) => (descending ? desc(by) : asc(by)))
const listed = (parts: SQLWrapper[]) => sql.join(parts, sql`, `)
const exactly = ({ type }: Key, value: string | null | undefined) => sql`${value}::${sql.raw(type)}`

const same = (key: Key, value: string | null | undefined) =>
  value === null ? sql`${key.by} is null` : sql`${key.by} = ${exactly(key, value)}`

function beyond(key: Key, value: string | null | undefined): SQL[] {
  const { by, nullable, descending } = key
  if (value === null) return descending ? [sql`${by} is not null`] : []
  if (descending) return [sql`${by} < ${exactly(key, value)}`]
  return [sql`${by} > ${exactly(key, value)}`, ...(nullable ? [isNull(by)] : [])]
}

/**
 * All rows after a place, as consecutive ranges of an index: rows that are equal in all but the last key, then in all but
 * the last two, and so on. If all keys have one direction and none is null, it is one range.
 */
function rangesBehind(keys: Key[], { values, inclusive }: Place): SQL[] {
  if (keys.every(({ nullable, descending }) => !nullable && descending === keys[0]?.descending)) {
    const operator = sql.raw(`${keys[0]?.descending ? '<' : '>'}${inclusive ? '=' : ''}`)
    const row = listed(keys.map((key, n) => exactly(key, values[n])))
    return [sql`(${listed(keys.map(({ by }) => by))}) ${operator} (${row})`]
  }
  const all = (conditions: SQL[]) => sql.join(conditions, sql` and `)
  const agreeing = keys.map((key, n) => same(key, values[n]))
  const behind = keys.flatMap((key, n) =>
    beyond(key, values[n]).map((part) => ({ n, range: all([...agreeing.slice(0, n), part]) })),
  )
  // a stable sort: values first, null after them
  const ranges = behind.toSorted((a, b) => b.n - a.n).map(({ range }) => range)
  return inclusive ? [all(agreeing), ...ranges] : ranges
}

/** JSON that doesn't depend on the order of the parameters in an address. */
const canonical = (value: unknown) =>
  JSON.stringify(value, (_, inner) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )

/** What a cursor is bound to: caller, list, filter, and the order as it is sent to PostgreSQL. */
function fingerprintOf<F, S extends string>({ list, caller }: CursorRules<F, S>, query: ListInput<F, S>, keys: Key[]) {
  const order = keys.map(({ by, type, nullable, descending }) => {
    const { sql: text, params } = textOf(by)
    return [text, params, type, nullable, descending]
  })
  return digest(canonical([1, list, caller, query.filter, order]))
}

const Stored = z.strictObject({ k: z.array(z.string().nullable()), i: z.literal(1).optional() })

const write = ({ values, inclusive }: Place, fingerprint: string) =>
  encrypt('cursors', JSON.stringify({ k: values, ...(inclusive ? { i: 1 } : {}) }), fingerprint)

function read(cursor: string, field: string, fingerprint: string): Place {
  try {
    const { k, i } = Stored.parse(JSON.parse(decrypt('cursors', cursor, fingerprint)))
    return { values: k, inclusive: i === 1 }
  } catch {
    throw fieldError(field, 'errorCursor')
  }
}

/**
 * Reads one page of a list: by a cursor, `after` or `before`, or by its number as `selectPage` does. `rows` gets what to
 * ask for and selects `keys` along; `count` gets how many are worth counting, if not all. Throws 400 for a cursor that
 * this list, filter and order didn't give to this caller.
 */
export async function cursorPage<F extends object, S extends string, Row extends { keys: Keys }>(
  query: ListInput<F, S>,
  ownPageSize: number | null | undefined,
  rules: CursorRules<F, S>,
  reads: {
    rows: (parts: CursorParts) => Promise<Row[]>
    count: (where: SQL | undefined, atMost?: number) => Promise<number>
  },
): Promise<{ rows: Omit<Row, 'keys'>[]; meta: CursorMeta }> {
  const perPage = query.perPage ?? ownPageSize ?? defaultPageSize
  const keys = keysOf(rules, query)
  const fingerprint = fingerprintOf(rules, query, keys)
  const where = and(whereOf(query.filter, rules.filters), query.only ? eq(rules.tie, query.only) : undefined)
  const texts = sql<Keys>`array[${listed(keys.map(({ by }) => sql`(${by})::text`))}]`

  const cursorOf = (row: Row | undefined) => {
    if (!row) return null
    if (keys.some(({ nullable }, n) => !nullable && row.keys[n] === null))
      throw new Error(`the list ${rules.list} is ordered by what is null and isn't declared so`)
    return write({ values: row.keys, inclusive: false }, fingerprint)
  }
  const answer = (
    rows: Row[],
    meta: Omit<CursorMeta, 'after' | 'before'>,
    more: { after: boolean; before: boolean },
  ) => ({
    rows: rows.map(({ keys: _, ...row }) => row),
    meta: {
      ...meta,
      after: more.after ? cursorOf(rows.at(-1)) : null,
      before: more.before ? cursorOf(rows[0]) : null,
    },
  })
  const counted = async (): Promise<{ total?: number; more?: boolean }> => {
    if (rules.total === 'none') return {}
    const total = await reads.count(where, rules.total === undefined ? undefined : rules.total + 1)
    return rules.total !== undefined && total > rules.total ? { total: rules.total, more: true } : { total }
  }
  /** Rows of the ranges, one after another, until there are enough. */
  const walk = async (order: Key[], place: Place, limit: number) => {
    const found: Row[] = []
    for (const range of rangesBehind(order, place)) {
      const rest = limit - found.length
      if (rest <= 0) break
      const within = where ? sql`(${where}) and (${range})` : range
      found.push(...(await reads.rows({ where: within, orderBy: orderOf(order), limit: rest, offset: 0, keys: texts })))
    }
    return found
  }

  if (query.after !== undefined) {
    const place = read(query.after, 'meta.after', fingerprint)
    const [found, total] = await Promise.all([walk(keys, place, perPage + 1), counted()])
    const page = answer(found.slice(0, perPage), { perPage, ...total }, { after: found.length > perPage, before: true })
    // no rows follow: the previous page ends with the row of the cursor
    if (found.length === 0) page.meta.before = write({ ...place, inclusive: true }, fingerprint)
    return page
  }
  if (query.before !== undefined) {
    const place = read(query.before, 'meta.before', fingerprint)
    const [found, total] = await Promise.all([walk(backwards(keys), place, perPage + 1), counted()])
    const rows = found.slice(0, perPage).reverse()
    const page = answer(rows, { perPage, ...total }, { after: true, before: found.length > perPage })
    if (found.length === 0) page.meta.after = write({ ...place, inclusive: true }, fingerprint)
    return page
  }

  const more = (rows: Row[], after: boolean) => ({ after, before: query.page > 1 && rows.length > 0 })
  if (rules.total === undefined) {
    const { first } = rules
    const sorts = Object.fromEntries(
      Object.entries<Order>(rules.sorts).map(([name, order]) => [name, partsOf(order, rules.tie).by]),
    )
    const { rows, meta } = await selectPage(
      query,
      ownPageSize,
      {
        sorts: sorts as unknown as Record<S, SQLWrapper>,
        filters: rules.filters,
        tie: rules.tie,
        ...(first ? { first } : {}),
      },
      { rows: (parts) => reads.rows({ ...parts, keys: texts }), count: (all) => reads.count(all) },
    )
    return answer(rows, meta, more(rows, query.page * perPage < meta.total))
  }
  const offset = (query.page - 1) * perPage
  const byNumber = () => reads.rows({ where, orderBy: orderOf(keys), limit: perPage + 1, offset, keys: texts })
  const [found, total] = where ? await searched() : await Promise.all([byNumber(), counted()])
  const rows = found.slice(0, perPage)
  const pages = total.total === undefined ? {} : { pages: Math.ceil(total.total / perPage) }
  return answer(rows, { page: query.page, perPage, ...total, ...pages }, more(rows, found.length > perPage))

  /** Searching costs most, and the last page tells the number of rows without another search. */
  async function searched(): Promise<[Row[], { total?: number; more?: boolean }]> {
    const found = await byNumber()
    const isLast = found.length <= perPage && (found.length > 0 || offset === 0)
    return [found, isLast && rules.total !== 'none' ? { total: offset + found.length } : await counted()]
  }
}
