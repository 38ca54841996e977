import { ArrowDown, ArrowUp, ArrowUpDown } from 'lucide-react'
import { useTranslations } from 'next-intl'
import type { ComponentProps, ReactNode } from 'react'
import type { ListAddress } from '@/lib/kernel/list-address'
import { cn } from '../ui/cn'
import { ListBody, ListLink } from './list'
import { listHref } from './list-link'

export type Sorting = { sortBy: string; sort: 'asc' | 'desc' }

/** On a phone rows become cards, and browsers drop the table roles of elements that aren't displayed as a table. */
const roles = {
  table: { role: 'table' },
  group: { role: 'rowgroup' },
  row: { role: 'row' },
  head: { role: 'columnheader' },
  title: { role: 'rowheader' },
  cell: { role: 'cell' },
} as const

/** A table in its card. `caption` names it for those who don't see it; `head` is a row of Header and SortHeader. */
export function Table({ caption, head, children }: { caption: string; head: ReactNode; children: ReactNode }) {
  return (
    <ListBody>
      <div className="list-table">
        <table {...roles.table}>
          <caption className="sr-only">{caption}</caption>
          <thead {...roles.group}>
            <tr {...roles.row}>{head}</tr>
          </thead>
          <tbody {...roles.group}>{children}</tbody>
        </table>
      </div>
    </ListBody>
  )
}

/** The head of a column; numbers are at the right. */
export function Header({ align, ...rest }: Omit<ComponentProps<'th'>, 'align'> & { align?: 'right' }) {
  return <th scope="col" {...roles.head} {...rest} className={align === 'right' ? 'text-right' : undefined} />
}

/** The head of the column of row menus, which has a name but needs none to be seen. */
export function MenuHeader() {
  const t = useTranslations('ui.list')
  return (
    <Header>
      <span className="sr-only">{t('actions')}</span>
    </Header>
  )
}

type SortProps = { by: string; query: Sorting; address: ListAddress; first?: 'asc' | 'desc'; children: ReactNode }

/** A head that sorts: the first click by `first`, the next one the other way round. */
export function SortHeader({ by, query, address, first = 'asc', children }: SortProps) {
  const held = query.sortBy === by
  const order = held ? (query.sort === 'asc' ? 'desc' : 'asc') : first
  const Icon = held ? (query.sort === 'asc' ? ArrowUp : ArrowDown) : ArrowUpDown
  return (
    <th scope="col" {...roles.head} aria-sort={held ? (query.sort === 'asc' ? 'ascending' : 'descending') : undefined}>
      <ListLink
        href={listHref(address, { sort: { by, order } })}
        className="group/sort -mx-1.5 inline-flex min-h-7 items-center gap-1 rounded-pill px-1.5 hover:text-ink aria-[current]:text-ink"
        aria-current={held || undefined}
      >
        {children}
        <Icon
          aria-hidden="true"
          className={cn(
            'size-3.5',
            !held && 'opacity-0 group-hover/sort:opacity-60 group-focus-visible/sort:opacity-60',
          )}
        />
      </ListLink>
    </th>
  )
}

/** One row. */
export function Row(props: ComponentProps<'tr'>) {
  return <tr {...roles.row} {...props} />
}

/** The row's title: its first cell, and the title of its card on a phone. */
export function TitleCell(props: ComponentProps<'th'>) {
  return <th scope="row" {...roles.title} {...props} />
}

type CellProps = Omit<ComponentProps<'td'>, 'align'> & {
  /** Its column's name, which a card on a phone shows beside it. */
  label: string
  align?: 'right'
}

/** A cell. */
export function Cell({ label, align, className, ...rest }: CellProps) {
  return (
    <td {...roles.cell} {...rest} data-label={label} className={cn(align === 'right' && 'sm:text-right', className)} />
  )
}

/** The last cell of a row, with its menu. */
export function MenuCell(props: ComponentProps<'td'>) {
  return <td {...roles.cell} {...props} data-menu="" />
}
