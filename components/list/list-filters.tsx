'use client'

import { Plus, X } from 'lucide-react'
import { useFormatter, useTranslations } from 'next-intl'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { ListAddress } from '@/lib/kernel/list-address'
import { buttonClasses } from '../ui/button-classes'
import { cn } from '../ui/cn'
import { Popover, PopoverContent, PopoverTrigger } from '../ui/popover'
import { filterNames, filterText, type ListFilter } from './filter'
import { FilterEditor } from './filter-editor'
import { ListLink, useList } from './list'
import { isFiltered, listHref } from './list-link'

type Props = { address: ListAddress; filters: readonly ListFilter[] }

const chipPart =
  'flex min-h-9 cursor-pointer items-center text-brand outline-offset-[-2px]! transition-colors hover:bg-[color-mix(in_oklab,var(--brand-tint),var(--brand)_14%)] pointer-coarse:min-h-11'

/** The filters of a list as chips, a menu of further filters, and *Reset*. */
export function ListFilters({ address, filters }: Props) {
  const t = useTranslations('ui.list')
  const format = useFormatter()
  const { go } = useList()
  const add = useRef<HTMLButtonElement>(null)
  const [adding, setAdding] = useState(false)
  const [picked, setPicked] = useState<ListFilter | null>(null)
  const content = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (picked) content.current?.querySelector<HTMLElement>('input, button')?.focus()
  }, [picked])

  const shown = filters.flatMap((filter) => {
    const value = filterText(filter, address, { t, format })
    return value === null ? [] : [{ filter, value }]
  })
  const unused = filters.filter((filter) => !shown.some((one) => one.filter === filter))
  const without = (filter: ListFilter) =>
    listHref(address, { filter: Object.fromEntries(filterNames(filter).map((name) => [name, null])) })
  // the clicked element is about to disappear, so the focus moves to one that stays
  const keepFocus = () => add.current?.focus()
  const open = (next: boolean) => {
    setAdding(next)
    setPicked(null)
  }
  return (
    <>
      {shown.map(({ filter, value }) => (
        <Chip
          key={filter.name}
          label={filter.label}
          value={value}
          removeHref={without(filter)}
          onRemove={keepFocus}
          editor={(close) => (
            <FilterEditor
              filter={filter}
              address={address}
              onApply={(values) => {
                close()
                go(listHref(address, { filter: values }))
              }}
            />
          )}
        />
      ))}
      <Popover open={adding} onOpenChange={open}>
        <PopoverTrigger
          ref={add}
          aria-disabled={unused.length === 0 || undefined}
          onClick={(event) => {
            if (unused.length === 0) event.preventDefault()
          }}
          className={cn(
            buttonClasses({ variant: 'quiet', size: 'S' }),
            'border border-line-strong border-dashed aria-disabled:hidden',
          )}
        >
          <Plus aria-hidden="true" className="size-4" />
          {t('addFilter')}
        </PopoverTrigger>
        <PopoverContent ref={content} aria-label={t('filters')}>
          {picked ? (
            <FilterEditor
              key={picked.name}
              filter={picked}
              address={address}
              onApply={(values) => {
                open(false)
                go(listHref(address, { filter: values }))
              }}
            />
          ) : (
            <ul className="grid min-w-52 p-1 text-table">
              {unused.map((filter) => (
                <li key={filter.name}>
                  <button
                    type="button"
                    onClick={() => setPicked(filter)}
                    className="flex min-h-9 w-full cursor-pointer items-center rounded-control px-3 text-left outline-offset-[-2px]! hover:bg-sunken pointer-coarse:min-h-11"
                  >
                    {filter.label}
                  </button>
                </li>
              ))}
            </ul>
          )}
        </PopoverContent>
      </Popover>
      {isFiltered(address) ? (
        <ListLink
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

type ChipProps = {
  label: string
  value: string
  removeHref: string
  onRemove: () => void
  editor: (close: () => void) => ReactNode
}

function Chip({ label, value, removeHref, onRemove, editor }: ChipProps) {
  const t = useTranslations('ui.list')
  const [open, setOpen] = useState(false)
  return (
    <div className="flex max-w-full overflow-clip rounded-control bg-brand-tint font-medium text-table">
      <Popover open={open} onOpenChange={setOpen}>
        <PopoverTrigger
          aria-label={t('changeFilter', { label, value })}
          className={cn(chipPart, 'min-w-0 rounded-l-control pr-1.5 pl-3')}
        >
          <span className="truncate">{t('filter', { label, value })}</span>
        </PopoverTrigger>
        <PopoverContent aria-label={label}>{editor(() => setOpen(false))}</PopoverContent>
      </Popover>
      <ListLink
        href={removeHref}
        onClick={onRemove}
        aria-label={t('removeFilter', { label, value })}
        className={cn(chipPart, 'w-8 shrink-0 justify-center rounded-r-control pointer-coarse:w-11')}
      >
        <X aria-hidden="true" className="size-3.5" />
      </ListLink>
    </div>
  )
}
