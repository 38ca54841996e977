'use client'

import { useTranslations } from 'next-intl'
import { type ReactElement, useEffect, useRef, useState } from 'react'
import type { ListAddress } from '@/lib/base/lists/list-address'
import { Popover, PopoverContent, PopoverTrigger } from '../ui/popover'
import { useAskedBy } from '../ui/use-later'
import type { ListFilter } from './filter'
import { FilterEditor } from './filter-editor'
import { useList } from './list'
import { listHref } from './list-link'

export type FilterPopoverProps = {
  /** The button that opens it. */
  trigger: ReactElement
  /** The name of the popover. */
  label: string
  address: ListAddress
  /** A single filter opens in its editor; of several, the person first chooses one. */
  filters: readonly ListFilter[]
  choose: boolean
}

/** The editor of a filter beside its button, or a choice of filters to add. */
export function FilterPopover({ trigger, label, address, filters, choose }: FilterPopoverProps) {
  const { go } = useList()
  const [open, setOpen] = useState(useAskedBy() !== null)
  const [picked, setPicked] = useState<ListFilter | null>(null)
  const content = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (picked) content.current?.querySelector<HTMLElement>('input, button')?.focus()
  }, [picked])
  const change = (next: boolean) => {
    setOpen(next)
    setPicked(null)
  }
  const edited = choose ? picked : filters[0]
  return (
    <Popover open={open && filters.length > 0} onOpenChange={change}>
      <PopoverTrigger asChild>{trigger}</PopoverTrigger>
      <PopoverContent ref={content} aria-label={label}>
        {edited ? (
          <FilterEditor
            key={edited.name}
            filter={edited}
            address={address}
            onApply={(values) => {
              change(false)
              go(listHref(address, { filter: values }))
            }}
          />
        ) : (
          <FilterChoice filters={filters} onPick={setPicked} />
        )}
      </PopoverContent>
    </Popover>
  )
}

function FilterChoice({ filters, onPick }: { filters: readonly ListFilter[]; onPick: (filter: ListFilter) => void }) {
  const t = useTranslations('ui.list')
  return (
    <ul aria-label={t('filters')} className="grid min-w-52 p-1 text-table">
      {filters.map((filter) => (
        <li key={filter.name}>
          <button
            type="button"
            onClick={() => onPick(filter)}
            className="flex min-h-9 w-full cursor-pointer items-center rounded-control px-3 text-left outline-offset-[-2px]! hover:bg-sunken pointer-coarse:min-h-11"
          >
            {filter.label}
          </button>
        </li>
      ))}
    </ul>
  )
}
