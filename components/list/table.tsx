import { ArrowDown, ArrowUp, ArrowUpDown } from 'lucide-react'
import { useTimeZone, useTranslations } from 'next-intl'
import type { ComponentProps, ReactNode } from 'react'
import type { ListAddress } from '@/lib/base/lists/list-address'
import { defaultTimeZone, yearRoundZoneLabel } from '@/lib/base/text/time-zone'
import { cn } from '../ui/cn'
import { ChevronDown } from '../ui/icons'
import { ListBody, ListLink } from './list'
import { listHref } from './list-link'

/** When a column is hidden as its container gets narrower: 1 never, 2 below 52rem, 3 below 62rem. */
export type Priority = 1 | 2 | 3
type Fading = { priority?: Priority | undefined }

export type Sorting = { sortBy: string; sort: 'asc' | 'desc' }

/**
 * The ARIA roles of a table. On a phone rows are cards, and browsers drop the table roles of elements that aren't
 * displayed as a table.
 */
const roles = {
  table: { role: 'table' },
  group: { role: 'rowgroup' },
  row: { role: 'row' },
  head: { role: 'columnheader' },
  title: { role: 'rowheader' },
  cell: { role: 'cell' },
} as const

/** A table in its card. `caption` is its name for screen readers; `head` is a row of Header and SortHeader. */
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
      <ZoneNote />
    </ListBody>
  )
}

/** The zone of the times in the table, which don't name it themselves; hidden if there are none. */
function ZoneNote() {
  const t = useTranslations('ui.list')
  const moscow = useTranslations('common')('moscow')
  const zone = yearRoundZoneLabel(useTimeZone() ?? defaultTimeZone, moscow)
  return (
    <p data-zone-note="" className="mt-2 text-ink-second text-note">
      {t('zone', { zone })}
    </p>
  )
}

/** The head of a column. Numbers are aligned to the right. */
export function Header({
  align,
  priority,
  ...rest
}: Omit<ComponentProps<'th'>, 'align'> & Fading & { align?: 'right' | undefined; 'data-menu'?: '' }) {
  return (
    <th
      scope="col"
      {...roles.head}
      {...rest}
      data-priority={priority}
      className={align === 'right' ? 'text-right' : undefined}
    />
  )
}

/** The head of the column with the menus of rows. Its name is only for screen readers. */
export function MenuHeader() {
  const t = useTranslations('ui.list')
  return (
    <Header data-menu="">
      <span className="sr-only">{t('actions')}</span>
    </Header>
  )
}

type SortProps = Fading & {
  by: string
  query: Sorting
  address: ListAddress
  first?: 'asc' | 'desc' | undefined
  align?: 'right' | undefined
  children: ReactNode
}

/** A column head that sorts: the first click by `first`, each further one in the other direction. */
export function SortHeader({ by, query, address, first = 'asc', priority, align, children }: SortProps) {
  const isSorted = query.sortBy === by
  const order = isSorted ? (query.sort === 'asc' ? 'desc' : 'asc') : first
  const Icon = isSorted ? (query.sort === 'asc' ? ArrowUp : ArrowDown) : ArrowUpDown
  return (
    <th
      scope="col"
      {...roles.head}
      data-priority={priority}
      className={align === 'right' ? 'text-right' : undefined}
      aria-sort={isSorted ? (query.sort === 'asc' ? 'ascending' : 'descending') : undefined}
    >
      <ListLink
        href={listHref(address, { sort: { by, order } })}
        className="group/sort -mx-1.5 inline-flex min-h-7 items-center gap-1 rounded-pill px-1.5 hover:text-ink aria-[current]:text-ink"
        aria-current={isSorted || undefined}
      >
        {children}
        <Icon
          aria-hidden="true"
          className={cn(
            'size-3.5',
            !isSorted && 'opacity-0 group-hover/sort:opacity-60 group-focus-visible/sort:opacity-60',
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

/** The values of a row in hidden columns. */
type Fact = { label: string; value: ReactNode; priority: Priority }

type TitleProps = ComponentProps<'th'> & {
  /** The cells of the columns that may be hidden; without them the row doesn't unfold. */
  facts?: Fact[] | undefined
}

/**
 * The title of the row: its first cell, and the title of its card on a phone. If columns are hidden, it unfolds their
 * values with a `details` element.
 */
export function TitleCell({ facts = [], children, ...rest }: TitleProps) {
  const t = useTranslations('ui.list')
  if (facts.length === 0)
    return (
      <th scope="row" {...roles.title} {...rest}>
        {children}
      </th>
    )
  return (
    <th scope="row" {...roles.title} {...rest}>
      {children}
      <details data-facts="" className="group/facts font-normal text-ink-second text-note">
        <summary
          aria-label={t('moreFacts')}
          className="absolute top-1/2 left-1 flex size-8 -translate-y-1/2 cursor-pointer list-none items-center justify-center rounded-control hover:bg-sunken hover:text-ink group-open/facts:top-2 group-open/facts:translate-y-0 pointer-coarse:-left-0.5 pointer-coarse:size-11 pointer-coarse:group-open/facts:top-0.5 [&::-webkit-details-marker]:hidden"
        >
          <ChevronDown className="size-4 -rotate-90 group-open/facts:rotate-0" />
        </summary>
        <dl className="grid gap-1.5 pt-1.5 pb-1">
          {facts.map(({ label, value, priority }) => (
            <div key={label} data-fact={priority} className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
              <dt>{label}:</dt>
              <dd className="min-w-0 text-ink">{value}</dd>
            </div>
          ))}
        </dl>
      </details>
    </th>
  )
}

type CellProps = Omit<ComponentProps<'td'>, 'align'> &
  Fading & {
    /** The name of its column, which a card on a phone shows above the value. */
    label: string
    align?: 'right' | undefined
    /** Whether it takes the whole width of a card. Other statuses, numbers and dates stand side by side. */
    whole?: boolean | undefined
  }

/** A cell. */
export function Cell({ label, align, priority, whole, className, ...rest }: CellProps) {
  return (
    <td
      {...roles.cell}
      {...rest}
      data-label={label}
      data-priority={priority}
      data-whole={whole ? '' : undefined}
      className={cn(align === 'right' && '@min-[40rem]:text-right', className)}
    />
  )
}

/** The last cell of a row, with its menu. */
export function MenuCell(props: ComponentProps<'td'>) {
  return <td {...roles.cell} {...props} data-menu="" />
}
