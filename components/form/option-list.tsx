'use client'

import { Command } from 'cmdk'
import { Search as SearchIcon } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useEffect, useState } from 'react'
import { Check } from '../ui/icons'
import { type Option, type Search, useSearch } from './use-search'

type Props = {
  /** The name of the list of options. */
  label: string
  /** Keep it the same between renders: a new function starts a new search. */
  search: Search
  /** The chosen values. */
  chosen: readonly string[]
  onChoose: (option: Option) => void
}

/** A search field with the options that it finds, for a combobox and for a filter. */
export function OptionList({ label, search, chosen, onChoose }: Props) {
  const t = useTranslations('ui.form')
  const [text, setText] = useState('')
  const [active, setActive] = useState('')
  const { state, options } = useSearch(search, text)
  // Enter chooses the first option
  useEffect(() => setActive(options[0]?.value ?? ''), [options])
  return (
    <Command
      shouldFilter={false}
      label={label}
      vimBindings={false}
      value={active}
      onValueChange={setActive}
      className="grid"
    >
      <div className="relative border-line border-b">
        <SearchIcon
          aria-hidden="true"
          className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-ink-second"
        />
        <Command.Input
          value={text}
          onValueChange={setText}
          placeholder={t('search')}
          maxLength={255}
          className="h-10 w-full bg-transparent pr-3 pl-9.5 text-table outline-none pointer-coarse:h-11 pointer-coarse:text-[1rem]"
        />
      </div>
      <p
        role="status"
        className={state === 'found' && options.length > 0 ? 'sr-only' : 'px-3 py-3 text-ink-second text-table'}
      >
        {state === 'failed'
          ? t('searchFailed')
          : state === 'searching'
            ? options.length > 0
              ? ''
              : t('searching')
            : options.length > 0
              ? ''
              : t('nothingFound')}
      </p>
      <Command.List
        label={label}
        className={
          options.length > 0 ? 'max-h-64 scroll-py-1 overflow-y-auto overscroll-contain p-1 text-table' : 'h-0'
        }
      >
        {options.map((option) => (
          <Command.Item
            key={option.value}
            value={option.value}
            onSelect={() => onChoose(option)}
            className="flex min-h-9 cursor-pointer items-center gap-3 rounded-control px-3 py-1.5 data-[selected=true]:bg-sunken pointer-coarse:min-h-11"
          >
            <span className="grid min-w-0 grow">
              <span className="break-words">{option.label}</span>
              {option.note ? <span className="text-ink-second text-note">{option.note}</span> : null}
            </span>
            {chosen.includes(option.value) ? <Check className="size-4 text-brand" /> : null}
          </Command.Item>
        ))}
      </Command.List>
    </Command>
  )
}
