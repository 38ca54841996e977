import type { ReactNode } from 'react'
import type { ListAddress } from '@/lib/kernel/list-address'
import { CreatedMark, CreatedNotice, createdRow } from './created'
import type { ListFilter } from './filter'
import { ListRows } from './list-rows'
import { ListToolbar } from './list-toolbar'
import type { PagerMeta } from './pager'
import { Cell, Header, MenuCell, MenuHeader, Row, SortHeader, Table, TitleCell } from './table'

/** A column. Exactly one column of a table is its `title`, which identifies a row. */
type Column<R, S extends string> = {
  /** Its head, its name on a card of a phone, and among the sorts of phones. */
  label: string
  /** Its sort in the call; a column without one can't be sorted. */
  by?: S
  /** In which direction its first click sorts. */
  first?: 'asc' | 'desc'
  title?: true
  className?: string | ((row: R) => string)
  cell: (row: R) => ReactNode
}

type Props<R, S extends string> = {
  address: ListAddress
  query: { sortBy: S; sort: 'asc' | 'desc' }
  meta: PagerMeta
  rows: readonly R[]
  columns: readonly Column<R, NoInfer<S>>[]
  /** The actions of a row; leave it out if there are none. */
  menu?: ((row: R) => ReactNode) | undefined
  /** The table's name for screen readers. */
  caption: string
  /** What is searched in. */
  search: string
  filters?: readonly ListFilter[]
  /** The text and the action if nothing was ever created. */
  empty?: { title?: string; text?: string; action?: ReactNode }
  /** Steps by cursor instead of numbered pages. */
  cursor?: boolean
}

function cellOf<R, S extends string>({ title, label, className, cell }: Column<R, S>, row: R, mark: ReactNode) {
  const of = typeof className === 'function' ? className(row) : className
  return title ? (
    <TitleCell key={label} className={of}>
      {mark}
      {cell(row)}
    </TitleCell>
  ) : (
    <Cell key={label} label={label} className={of}>
      {cell(row)}
    </Cell>
  )
}

/** A list of an administration page: its tools, its table and its pager, all derived from its columns. */
export function ListTable<R extends { id: string }, S extends string>(props: Props<R, S>) {
  const { address, query, meta, rows, columns, menu, caption, search, filters, empty, cursor } = props
  const heads = columns.map(({ by, first, label }) =>
    by ? (
      <SortHeader key={label} by={by} query={query} address={address} {...(first ? { first } : {})}>
        {label}
      </SortHeader>
    ) : (
      <Header key={label}>{label}</Header>
    ),
  )
  return (
    <>
      <ListToolbar
        address={address}
        query={query}
        meta={meta}
        search={search}
        sorts={columns.flatMap(({ by, label }) => (by ? [{ by, label }] : []))}
        {...(filters ? { filters } : {})}
      />
      <CreatedNotice address={address} shown={rows.some(({ id }) => id === address.created)} />
      <ListRows address={address} meta={meta} count={rows.length} cursor={cursor} {...(empty ? { empty } : {})}>
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
              {columns.map((column) => cellOf(column, row, row.id === address.created ? <CreatedMark /> : null))}
              {menu ? <MenuCell>{menu(row)}</MenuCell> : null}
            </Row>
          ))}
        </Table>
      </ListRows>
    </>
  )
}
