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
  /** The name of the list: a cursor of another list is refused. */
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
  /** The largest number of rows that is counted; `none` counts none, and by default all are counted. */
  total?: number | 'none'
}

/** The order values of a row as texts: `rows` selects them as `keys`. */
export type Keys = (string | null)[]
export type CursorParts = Parts & { keys: SQL<Keys> }
type Key = { by: SQLWrapper; type: string; nullable: boolean; descending: boolean }
type Position = { values: Keys; inclusive: boolean }

const dialect = new PgDialect()
const textOf = (part: SQLWrapper) => dialect.sqlToQuery(sql`${part}`)

/** Returns a function that reads rows of a whole table with their keys, for a list that needs no other columns. */
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

/** Types that exist only for declaring a column, with their real types. */
const realTypes: Record<string, string> = { serial: 'integer', bigserial: 'bigint', smallserial: 'smallint' }

const partsOf = (order: Order, tie: Column) => {
  if (!is(order, Column)) return { ...order, by: sql`(${order.by})` }
  const type = order.getSQLType()
  // a joined table may have no row
  return { by: order, type: realTypes[type] ?? type, nullable: !order.notNull || order.table !== tie.table }
}

function keysOf<F, S extends string>({ sorts, first, tie }: CursorRules<F, S>, { sortBy, sort }: ListInput<F, S>) {
  const descending = sort === 'desc'
  const keys: Key[] = [sorts[sortBy], tie].map((order) => ({ ...partsOf(order, tie), descending }))
  return first ? [{ by: sql`(${first})`, type: 'boolean', nullable: false, descending: true }, ...keys] : keys
}

const backwards = (keys: Key[]): Key[] => keys.map((key) => ({ ...key, descending: !key.descending }))
// by default PostgreSQL sorts null as the greatest value, and so does this code
const orderOf = (keys: Key[]) => keys.map(({ by, descending }) => (descending ? desc(by) : asc(by)))
const commaList = (parts: SQLWrapper[]) => sql.join(parts, sql`, `)
const typedValue = ({ type }: Key, value: string | null | undefined) => sql`${value}::${sql.raw(type)}`

const equals = (key: Key, value: string | null | undefined) =>
  value === null ? sql`${key.by} is null` : sql`${key.by} = ${typedValue(key, value)}`

function conditionsAfter(key: Key, value: string | null | undefined): SQL[] {
  const { by, nullable, descending } = key
  if (value === null) return descending ? [sql`${by} is not null`] : []
  if (descending) return [sql`${by} < ${typedValue(key, value)}`]
  return [sql`${by} > ${typedValue(key, value)}`, ...(nullable ? [isNull(by)] : [])]
}

/**
 * Returns all rows after a position as consecutive ranges of an index: rows that are equal in all but the last key,
 * then in all but the last two, and so on. If all keys have one direction and none is null, this is one range.
 */
function rangesAfter(keys: Key[], { values, inclusive }: Position): SQL[] {
  if (keys.every(({ nullable, descending }) => !nullable && descending === keys[0]?.descending)) {
    const operator = sql.raw(`${keys[0]?.descending ? '<' : '>'}${inclusive ? '=' : ''}`)
    const row = commaList(keys.map((key, index) => typedValue(key, values[index])))
    return [sql`(${commaList(keys.map(({ by }) => by))}) ${operator} (${row})`]
  }
  const allOf = (conditions: SQL[]) => sql.join(conditions, sql` and `)
  const equalities = keys.map((key, index) => equals(key, values[index]))
  const keyRanges = keys.flatMap((key, index) =>
    conditionsAfter(key, values[index]).map((part) => ({
      n: index,
      range: allOf([...equalities.slice(0, index), part]),
    })),
  )
  // a stable sort: values first, null after them
  const ranges = keyRanges.toSorted((a, b) => b.n - a.n).map(({ range }) => range)
  return inclusive ? [allOf(equalities), ...ranges] : ranges
}

/** Returns JSON that doesn't depend on the order of the parameters in an address. */
const canonical = (value: unknown) =>
  JSON.stringify(value, (_, inner) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )

/** Returns a hash of what a cursor is bound to: caller, list, filter, and the order as it is sent to PostgreSQL. */
function fingerprintOf<F, S extends string>({ list, caller }: CursorRules<F, S>, query: ListInput<F, S>, keys: Key[]) {
  const order = keys.map(({ by, type, nullable, descending }) => {
    const { sql: text, params } = textOf(by)
    return [text, params, type, nullable, descending]
  })
  return digest(canonical([1, list, caller, query.filter, order]))
}

const StoredCursor = z.strictObject({ k: z.array(z.string().nullable()), i: z.literal(1).optional() })

const writeCursor = ({ values, inclusive }: Position, fingerprint: string) =>
  encrypt('cursors', JSON.stringify({ k: values, ...(inclusive ? { i: 1 } : {}) }), fingerprint)

function readCursor(cursor: string, field: string, fingerprint: string): Position {
  try {
    const { k, i } = StoredCursor.parse(JSON.parse(decrypt('cursors', cursor, fingerprint)))
    return { values: k, inclusive: i === 1 }
  } catch {
    throw fieldError(field, 'errorCursor')
  }
}

/**
 * Reads one page of a list: by a cursor, `after` or `before`, or by its number as `selectPage` does. `rows` gets the
 * parts of the select and must also select `keys`; `count` gets the largest number worth counting, if there is one.
 * Throws 400 for a cursor that wasn't given to this caller for this list, filter and order.
 */
export async function cursorPage<F extends object, S extends string, Row extends { keys: Keys }>(
  query: ListInput<F, S>,
  callerPageSize: number | null | undefined,
  rules: CursorRules<F, S>,
  reads: {
    rows: (parts: CursorParts) => Promise<Row[]>
    count: (where: SQL | undefined, atMost?: number) => Promise<number>
  },
): Promise<{ rows: Omit<Row, 'keys'>[]; meta: CursorMeta }> {
  const perPage = query.perPage ?? callerPageSize ?? defaultPageSize
  const keys = keysOf(rules, query)
  const fingerprint = fingerprintOf(rules, query, keys)
  const where = and(whereOf(query.filter, rules.filters), query.only ? eq(rules.tie, query.only) : undefined)
  const texts = sql<Keys>`array[${commaList(keys.map(({ by }) => sql`(${by})::text`))}]`

  const cursorOf = (row: Row | undefined) => {
    if (!row) return null
    if (keys.some(({ nullable }, index) => !nullable && row.keys[index] === null))
      throw new Error(`the list ${rules.list} is ordered by what is null and isn't declared so`)
    return writeCursor({ values: row.keys, inclusive: false }, fingerprint)
  }
  const answer = (
    rows: Row[],
    meta: Omit<CursorMeta, 'after' | 'before'>,
    continuation: { after: boolean; before: boolean },
  ) => ({
    rows: rows.map(({ keys: _, ...row }) => row),
    meta: {
      ...meta,
      after: continuation.after ? cursorOf(rows.at(-1)) : null,
      before: continuation.before ? cursorOf(rows[0]) : null,
    },
  })
  const countTotal = async (): Promise<{ total?: number; more?: boolean }> => {
    if (rules.total === 'none') return {}
    const total = await reads.count(where, rules.total === undefined ? undefined : rules.total + 1)
    return rules.total !== undefined && total > rules.total ? { total: rules.total, more: true } : { total }
  }
  /** Reads rows of the ranges, one range after another, until there are enough. */
  const readRanges = async (order: Key[], position: Position, limit: number) => {
    const foundRows: Row[] = []
    for (const range of rangesAfter(order, position)) {
      const missing = limit - foundRows.length
      if (missing <= 0) break
      const condition = where ? sql`(${where}) and (${range})` : range
      foundRows.push(
        ...(await reads.rows({ where: condition, orderBy: orderOf(order), limit: missing, offset: 0, keys: texts })),
      )
    }
    return foundRows
  }

  if (query.after !== undefined) {
    const position = readCursor(query.after, 'meta.after', fingerprint)
    const [foundRows, total] = await Promise.all([readRanges(keys, position, perPage + 1), countTotal()])
    const page = answer(
      foundRows.slice(0, perPage),
      { perPage, ...total },
      { after: foundRows.length > perPage, before: true },
    )
    // no rows follow: the previous page ends with the row of the cursor
    if (foundRows.length === 0) page.meta.before = writeCursor({ ...position, inclusive: true }, fingerprint)
    return page
  }
  if (query.before !== undefined) {
    const position = readCursor(query.before, 'meta.before', fingerprint)
    const [foundRows, total] = await Promise.all([readRanges(backwards(keys), position, perPage + 1), countTotal()])
    const rows = foundRows.slice(0, perPage).reverse()
    const page = answer(rows, { perPage, ...total }, { after: true, before: foundRows.length > perPage })
    if (foundRows.length === 0) page.meta.after = writeCursor({ ...position, inclusive: true }, fingerprint)
    return page
  }

  const continuation = (rows: Row[], after: boolean) => ({ after, before: query.page > 1 && rows.length > 0 })
  if (rules.total === undefined) {
    const { first } = rules
    const sorts = Object.fromEntries(
      Object.entries<Order>(rules.sorts).map(([name, order]) => [name, partsOf(order, rules.tie).by]),
    )
    const { rows, meta } = await selectPage(
      query,
      callerPageSize,
      {
        sorts: sorts as unknown as Record<S, SQLWrapper>,
        filters: rules.filters,
        tie: rules.tie,
        ...(first ? { first } : {}),
      },
      { rows: (parts) => reads.rows({ ...parts, keys: texts }), count: (all) => reads.count(all) },
    )
    return answer(rows, meta, continuation(rows, query.page * perPage < meta.total))
  }
  const offset = (query.page - 1) * perPage
  const readByNumber = () => reads.rows({ where, orderBy: orderOf(keys), limit: perPage + 1, offset, keys: texts })
  const [foundRows, total] = where ? await readSearch() : await Promise.all([readByNumber(), countTotal()])
  const rows = foundRows.slice(0, perPage)
  const pages = total.total === undefined ? {} : { pages: Math.ceil(total.total / perPage) }
  return answer(rows, { page: query.page, perPage, ...total, ...pages }, continuation(rows, foundRows.length > perPage))

  /** Reads a filtered page: filtering costs most, and the last page gives the total without a second query. */
  async function readSearch(): Promise<[Row[], { total?: number; more?: boolean }]> {
    const foundRows = await readByNumber()
    const isLast = foundRows.length <= perPage && (foundRows.length > 0 || offset === 0)
    return [foundRows, isLast && rules.total !== 'none' ? { total: offset + foundRows.length } : await countTotal()]
  }
}
