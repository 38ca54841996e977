import type { ReactNode } from 'react'
import type { ListAddress } from '@/lib/kernel/list-address'
import type { ListFilter } from './filter'
import { ListRows } from './list-rows'
import { ListToolbar } from './list-toolbar'
import type { PagerMeta } from './pager'
import { Cell, Header, MenuCell, MenuHeader, Row, SortHeader, Table, TitleCell } from './table'

/** A column. Exactly one of a table is its `title`: what a row is known by. */
type Column<R, S extends string> = {
  /** Its head, its name on a card of a phone, and among the sorts of phones. */
  label: string
  /** The sort of the call that it stands for; a column without one isn't sorted by. */
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
  /** What can be done with a row; left out where nothing ever can. */
  menu?: ((row: R) => ReactNode) | undefined
  /** Names the table for those who don't see it. */
  caption: string
  /** What is searched in. */
  search: string
  filters?: readonly ListFilter[]
  /** What to say and offer where nothing was ever created. */
  empty?: { title?: string; text?: string; action?: ReactNode }
  /** Steps by cursor instead of numbered pages. */
  cursor?: boolean
}

function cellOf<R, S extends string>({ title, label, className, cell }: Column<R, S>, row: R) {
  const of = typeof className === 'function' ? className(row) : className
  return title ? (
    <TitleCell key={label} className={of}>
      {cell(row)}
    </TitleCell>
  ) : (
    <Cell key={label} label={label} className={of}>
      {cell(row)}
    </Cell>
  )
}

/** A list of an administration page: its tools, its table and its pager, all of them made of its columns. */
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
            <Row key={row.id}>
              {columns.map((column) => cellOf(column, row))}
              {menu ? <MenuCell>{menu(row)}</MenuCell> : null}
            </Row>
          ))}
        </Table>
      </ListRows>
    </>
  )
}
