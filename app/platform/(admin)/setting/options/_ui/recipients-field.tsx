'use client'

import { X } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { type KeyboardEvent, useState } from 'react'
import { inputClasses } from '@/components/form/input-classes'
import { splitPasted } from '@/components/form/pasted'
import type { Option } from '@/components/form/use-search'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { Chooser } from './chooser'
import type { Names } from './use-words'
import type { Recipients } from './values'

type Props = {
  id: string
  label: string
  value: Recipients
  names: Names
  onChange: (value: Recipients, chosen?: Option) => void
  'aria-describedby'?: string | undefined
  'aria-invalid'?: true | undefined
}

/** People and e-mail addresses. Several pasted addresses are added at once. */
export function RecipientsField({ id, label, value, names, onChange, ...described }: Props) {
  const t = useTranslations('settings')
  const [typed, setTyped] = useState('')
  const add = (text: string) => {
    const added = splitPasted(text).filter((address) => !value.emails.includes(address))
    if (added.length > 0) onChange({ ...value, emails: [...value.emails, ...new Set(added)] })
    setTyped('')
  }
  const key = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return
    // Enter in this field adds the address, and doesn't save the page
    event.preventDefault()
    add(typed)
  }
  return (
    <div className="grid gap-3">
      <Chooser
        {...described}
        id={id}
        label={label}
        button={t('addPerson')}
        of="people"
        values={value.users}
        several
        names={names}
        onChange={(users, chosen) => onChange({ ...value, users }, chosen)}
      />
      {value.emails.length > 0 ? (
        <ul aria-label={t('emails')} className="flex flex-wrap gap-1.5">
          {value.emails.map((email) => (
            <li
              key={email}
              className="flex max-w-full items-center overflow-clip rounded-pill bg-sunken pl-2.5 text-table"
            >
              <span className="min-w-0 break-all py-1">{email}</span>
              <button
                type="button"
                aria-label={t('remove', { value: email })}
                onClick={() => {
                  onChange({ ...value, emails: value.emails.filter((address) => address !== email) })
                  document.getElementById(`${id}-email`)?.focus()
                }}
                className="flex size-8 shrink-0 cursor-pointer items-center justify-center rounded-pill text-ink-second outline-offset-[-2px]! hover:text-ink pointer-coarse:size-11"
              >
                <X aria-hidden="true" className="size-3.5" />
              </button>
            </li>
          ))}
        </ul>
      ) : null}
      <div className="flex max-w-md flex-wrap gap-2">
        <input
          id={`${id}-email`}
          type="email"
          autoComplete="off"
          aria-label={t('email')}
          placeholder={t('email')}
          maxLength={320}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={key}
          onBlur={() => add(typed)}
          onPaste={(event) => {
            const text = event.clipboardData.getData('text')
            if (splitPasted(text).length < 2) return
            event.preventDefault()
            add(text)
          }}
          className={cn(inputClasses, 'h-10 min-w-40 grow basis-0 pointer-coarse:h-11')}
        />
        <Button variant="secondary" onClick={() => add(typed)}>
          {t('addEmail')}
        </Button>
      </div>
    </div>
  )
}
