import type { ReactNode } from 'react'
import type { ListAddress } from '@/lib/base/lists/list-address'
import type { ChosenColumns } from '@/lib/base/navigation/screens'
import { isShown } from './chosen-columns'
import { CreatedMark, CreatedNotice, createdRow } from './created'
import type { ListFilter } from './filter'
import { ListEmpty } from './list-empty'
import { hasNothing } from './list-link'
import { ListToolbar } from './list-toolbar'
import { Pager, type PagerMeta } from './pager'
import { Cell, Header, MenuCell, MenuHeader, type Priority, Row, SortHeader, Table, TitleCell } from './table'

/** A column. Exactly one column of a table is its `title`, which identifies a row. */
type Column<R, S extends string> = {
  /** Its head. On a phone it is the label on a card and the name among the sorts. */
  label: string
  /** Its sort in the call. Without it the column can't be sorted. */
  by?: S
  /** The direction of the first click. */
  first?: 'asc' | 'desc'
  title?: true
  /** Its name, by which a reader may hide it; a column without one always stays. */
  name?: string
  /** It is shown only to readers who have chosen it. */
  hidden?: true
  /** How long it stays as the page gets narrower; then the row unfolds it. By default as long as there is a table. */
  priority?: Priority
  /** Whether it takes the whole width of a card. Other statuses, numbers and dates stand side by side. */
  whole?: true
  /** Aligns numbers to the right. */
  align?: 'right'
  className?: string | ((row: R) => string)
  cell: (row: R) => ReactNode
}

type Props<R, S extends string> = {
  address: ListAddress
  query: { sortBy: S; sort: 'asc' | 'desc' }
  meta: PagerMeta
  rows: readonly R[]
  columns: readonly Column<R, NoInfer<S>>[]
  /** The reader's choice of columns, by name. Without it the columns can't be chosen. */
  chosenColumns?: ChosenColumns
  /** The actions of a row; leave it out if there are none. */
  menu?: ((row: R) => ReactNode) | undefined
  /** The name of the table for screen readers. */
  caption: string
  /** What the search covers; without it there is no search. */
  search?: string
  filters?: readonly ListFilter[]
  /** The text and the action if no row was ever created. */
  empty?: { title?: string; text?: string; action?: ReactNode }
  /** Cursors of the previous and next page, in place of page numbers. */
  cursor?: boolean
  /** The path of the call that exports the list under its filters, such as `/setting/users/export`. */
  exports?: string
  /**
   * Makes rows selectable for an action on several: the `BulkBox` of a row, and the `BulkBar` that covers the tools of
   * the list. Other lists don't load them.
   */
  bulk?: { boxOf: (row: R) => ReactNode; barOver: (tools: ReactNode) => ReactNode }
}

/** `box` is null for a row that can't be chosen, and undefined in a list without a choice of rows. */
type Marks = { mark: ReactNode; box: ReactNode | undefined }

function cellOf<R, S extends string>(
  column: Column<R, S>,
  columns: readonly Column<R, S>[],
  row: R,
  { mark, box }: Marks,
) {
  const { title, label, className, cell, priority, whole, align } = column
  const rowClass = typeof className === 'function' ? className(row) : className
  if (!title)
    return (
      <Cell key={label} label={label} className={rowClass} priority={priority} whole={whole} align={align}>
        {cell(row)}
      </Cell>
    )
  const facts = columns.flatMap(({ label, priority, cell }) =>
    priority && priority > 1 ? [{ label, priority, value: cell(row) }] : [],
  )
  return (
    <TitleCell key={label} className={rowClass} facts={facts}>
      {mark}
      {box === undefined ? (
        cell(row)
      ) : (
        <span className="flex items-center gap-3 @max-[40rem]:items-start">
          <span className="flex min-h-6 min-w-5 items-center print:hidden @max-[40rem]:empty:hidden">{box}</span>
          <span className="min-w-0">{cell(row)}</span>
        </span>
      )}
    </TitleCell>
  )
}

/** A list of an administration page: search, filters, table and pager, all derived from its columns. */
export function ListTable<R extends { id: string }, S extends string>(props: Props<R, S>) {
  const {
    address,
    query,
    meta,
    rows,
    columns: allColumns,
    chosenColumns,
    menu,
    caption,
    search,
    filters,
    empty,
    cursor = false,
    exports,
    bulk,
  } = props
  const chosen = chosenColumns?.chosen ?? {}
  const columns = allColumns.filter((column) => isShown(column, chosen))
  const choosable = allColumns.flatMap(({ name, label, hidden }) =>
    name ? [{ name, label, shown: isShown({ name, hidden }, chosen) }] : [],
  )
  const heads = columns.map(({ by, first, label, priority, align }) =>
    by ? (
      <SortHeader key={label} by={by} query={query} address={address} first={first} priority={priority} align={align}>
        {label}
      </SortHeader>
    ) : (
      <Header key={label} priority={priority} align={align}>
        {label}
      </Header>
    ),
  )
  // an empty list has nothing to search, sort or choose
  const idle = rows.length === 0 && hasNothing(address, meta)
  const tools = (
    <ListToolbar
      address={address}
      query={query}
      meta={meta}
      search={search}
      sorts={columns.flatMap(({ by, label }) => (by ? [{ by, label }] : []))}
      {...(filters ? { filters } : {})}
      {...(chosenColumns ? { choice: { list: chosenColumns.list, columns: choosable } } : {})}
      exports={rows.length > 0 ? exports : undefined}
    />
  )
  return (
    <>
      {idle ? null : bulk ? bulk.barOver(tools) : tools}
      <CreatedNotice address={address} shown={rows.some(({ id }) => id === address.created)} />
      {rows.length === 0 ? (
        <ListEmpty address={address} meta={meta} {...empty} />
      ) : (
        <Table
          caption={caption}
          head={
            <>
              {heads}
              {menu ? <MenuHeader /> : null}
            </>
          }
        >
          {rows.map((row) => (
            <Row key={row.id} {...(row.id === address.created ? createdRow : {})}>
              {columns.map((column) =>
                cellOf(column, columns, row, {
                  mark: row.id === address.created ? <CreatedMark /> : null,
                  box: bulk ? (bulk.boxOf(row) ?? null) : undefined,
                }),
              )}
              {menu ? <MenuCell>{menu(row)}</MenuCell> : null}
            </Row>
          ))}
        </Table>
      )}
      <Pager cursor={cursor} address={address} meta={meta} counted />
    </>
  )
}
