'use client'

import { Search, X } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import type { ListAddress } from '@/lib/base/lists/list-address'
import { inputClasses } from '../form/input-classes'
import { cn } from '../ui/cn'
import { useList } from './list'
import { filterValues, listHref } from './list-link'

/** Milliseconds without typing before the list is requested. */
const settled = 300

type Props = {
  address: ListAddress
  /** What the search covers, such as “Name, address or comment”. It is also the field's name for screen readers. */
  label: string
  /** The filter that it sets. */
  name?: string
}

/** Searches while a person types, and keeps the focus. Before scripts run it is a form that Enter submits. */
export function ListSearch({ address, label, name = 'search' }: Props) {
  const t = useTranslations('ui.list')
  const { go } = useList()
  const inAddress = filterValues(address, name)[0] ?? ''
  const [text, setText] = useState(inAddress)
  const sent = useRef(inAddress)
  /** Whether the browser's history already has an entry for this use of the field. */
  const placed = useRef(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  useEffect(() => {
    // a search sent while the person follows a link would return them to the list
    const follow = ({ target, button, ctrlKey, metaKey, shiftKey }: MouseEvent) => {
      const leaves = button === 0 && !ctrlKey && !metaKey && !shiftKey
      if (leaves && target instanceof Element && target.closest('a[href]')) clearTimeout(timer.current)
    }
    document.addEventListener('click', follow, true)
    return () => {
      clearTimeout(timer.current)
      document.removeEventListener('click', follow, true)
    }
  }, [])
  useEffect(() => {
    // another control changed the address: back, forward, reset
    if (inAddress === sent.current) return
    sent.current = inAddress
    clearTimeout(timer.current)
    setText(inAddress)
  }, [inAddress])

  const send = (value: string) => {
    clearTimeout(timer.current)
    const searchText = value.trim()
    if (searchText === sent.current) return
    sent.current = searchText
    go(listHref(address, { filter: { [name]: searchText || null } }), placed.current ? 'replace' : 'push')
    placed.current = true
  }
  const type = (value: string) => {
    setText(value)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => send(value), settled)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    send(text)
  }
  const key = `filter[${name}]`
  const otherParameters = [...new URLSearchParams(address.search)].filter(
    ([parameter]) => parameter !== key && parameter !== 'meta[page]',
  )
  return (
    <search className="w-full @min-[40rem]:w-76">
      <form action={address.path} onSubmit={submit} className="relative">
        {otherParameters.map(([parameter, value]) => (
          <input key={`${parameter} ${value}`} type="hidden" name={parameter} value={value} />
        ))}
        <Search
          aria-hidden="true"
          className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-ink-second"
        />
        <input
          name={key}
          value={text}
          onChange={(event) => type(event.target.value)}
          onFocus={() => {
            placed.current = false
          }}
          aria-label={label}
          placeholder={label}
          autoComplete="off"
          enterKeyHint="search"
          maxLength={255}
          className={cn(inputClasses, 'h-9 pl-9.5 text-table pointer-coarse:h-11', text ? 'pr-9' : 'pr-3')}
        />
        {text ? (
          <button
            type="button"
            aria-label={t('clearSearch')}
            onClick={(event) => {
              event.currentTarget.form?.querySelector<HTMLInputElement>('input:not([type=hidden])')?.focus()
              setText('')
              send('')
            }}
            className="absolute top-0.5 right-0.5 flex size-8 cursor-pointer items-center justify-center rounded-control text-ink-second hover:text-ink pointer-coarse:size-10"
          >
            <X aria-hidden="true" className="size-4" />
          </button>
        ) : null}
      </form>
    </search>
  )
}
