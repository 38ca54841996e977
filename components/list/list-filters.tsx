'use client'

import { Plus, X } from 'lucide-react'
import { useFormatter, useTranslations } from 'next-intl'
import { type ComponentProps, useRef } from 'react'
import type { ListAddress } from '@/lib/base/lists/list-address'
import { buttonClasses } from '../ui/button-classes'
import { cn } from '../ui/cn'
import { AskedByContext, useLater } from '../ui/use-later'
import { filterNames, filterText, type ListFilter } from './filter'
import type { FilterPopoverProps } from './filter-popover'
import { ListLink } from './list'
import { listHref, narrowedBy } from './list-link'

type Props = { address: ListAddress; filters: readonly ListFilter[] }

const chipPart =
  'flex min-h-9 cursor-pointer items-center text-brand outline-offset-[-2px]! transition-colors hover:bg-[color-mix(in_oklab,var(--brand-tint),var(--brand)_14%)] pointer-coarse:min-h-11'

const load = () => import('./filter-popover').then(({ FilterPopover }) => FilterPopover)

type ButtonProps = Omit<FilterPopoverProps, 'trigger'> & ComponentProps<'button'>

/** The button of a filter. Its popover is loaded when it is first used. */
function FilterButton({ label, address, filters, choose, ...button }: ButtonProps) {
  const { Part, asked, wake } = useLater(load)
  if (!Part) return <button aria-haspopup="dialog" aria-expanded={false} {...button} type="button" {...wake} />
  return (
    <AskedByContext value={asked}>
      <Part
        trigger={<button {...button} type="button" />}
        label={label}
        address={address}
        filters={filters}
        choose={choose}
      />
    </AskedByContext>
  )
}

/** The active filters of a list as chips, a menu of more filters, and *Reset*. A search has its own clear button. */
export function ListFilters({ address, filters }: Props) {
  const t = useTranslations('ui.list')
  const format = useFormatter()
  const add = useRef<HTMLButtonElement>(null)

  const activeFilters = filters.flatMap((filter) => {
    const value = filterText(filter, address, { t, format })
    return value === null ? [] : [{ filter, value }]
  })
  const unused = filters.filter((filter) => !activeFilters.some((active) => active.filter === filter))
  const hrefWithout = (filter: ListFilter) =>
    listHref(address, { filter: Object.fromEntries(filterNames(filter).map((name) => [name, null])) })
  // the clicked element disappears, so the focus moves to one that stays
  const keepFocus = () => add.current?.focus()
  return (
    <>
      {activeFilters.map(({ filter, value }) => (
        <div
          key={filter.name}
          className="flex max-w-full overflow-clip rounded-control bg-brand-tint font-medium text-table"
        >
          <FilterButton
            label={filter.label}
            address={address}
            filters={[filter]}
            choose={false}
            aria-label={t('changeFilter', { label: filter.label, value })}
            className={cn(chipPart, 'min-w-0 rounded-l-control pr-1.5 pl-3')}
          >
            <span className="truncate">{t('filter', { label: filter.label, value })}</span>
          </FilterButton>
          <ListLink
            href={hrefWithout(filter)}
            onClick={keepFocus}
            aria-label={t('removeFilter', { label: filter.label, value })}
            className={cn(chipPart, 'w-8 shrink-0 justify-center rounded-r-control pointer-coarse:w-11')}
          >
            <X aria-hidden="true" className="size-3.5" />
          </ListLink>
        </div>
      ))}
      <FilterButton
        ref={add}
        label={t('filters')}
        address={address}
        filters={unused}
        choose
        aria-disabled={unused.length === 0 || undefined}
        className={cn(
          buttonClasses({ variant: 'quiet', size: 'S' }),
          'border border-line-strong border-dashed aria-disabled:hidden',
        )}
      >
        <Plus aria-hidden="true" className="size-4" />
        {t('addFilter')}
      </FilterButton>
      {narrowedBy(address).filters ? (
        <ListLink
          data-reset=""
          href={listHref(address, { reset: true })}
          onClick={keepFocus}
          className="rounded-[2px] px-1 text-brand text-note underline-offset-4 hover:underline pointer-coarse:py-3"
        >
          {t('reset')}
        </ListLink>
      ) : null}
    </>
  )
}
