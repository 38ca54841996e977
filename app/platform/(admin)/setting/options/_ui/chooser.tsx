'use client'

import { X } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useOptions } from '@/components/form/use-options'
import { type RemoteName, useRemote } from '@/components/form/use-remote'
import type { Option } from '@/components/form/use-search'
import { Button } from '@/components/ui/button'
import { ChevronDown } from '@/components/ui/icons'
import type { Names } from './use-words'

type Props = {
  id: string
  label: string
  /** The label of its button. */
  button: string
  of: Extract<RemoteName, 'systemicRoles' | 'networkAliases' | 'people'>
  values: readonly string[]
  /** Whether it takes several; otherwise a new choice replaces the old one. */
  several: boolean
  names: Names
  onChange: (values: string[], chosen?: Option) => void
  'aria-describedby'?: string | undefined
  'aria-invalid'?: true | undefined
}

/** Chooses the objects that a setting names: the server searches while the person types. */
export function Chooser({ id, label, button, of, values, several, names, onChange, ...described }: Props) {
  const t = useTranslations('settings')
  const search = useRemote(of)
  const choose = (option: Option) => {
    if (!several) {
      onChange([option.value], option)
      close()
      return
    }
    const others = values.filter((value) => value !== option.value)
    onChange(others.length < values.length ? others : [...values, option.value], option)
  }
  const {
    button: trigger,
    opens,
    popover,
    close,
  } = useOptions({ label, search, chosen: values, onChoose: choose, className: 'w-80 max-w-[calc(100vw-2rem)]' })
  return (
    <div className="grid min-w-0 gap-2">
      {several && values.length > 0 ? (
        <ul className="flex flex-wrap gap-1.5">
          {values.map((value) => {
            const name = names.get(value) ?? value
            return (
              <li
                key={value}
                className="flex max-w-full items-center overflow-clip rounded-pill bg-sunken pl-2.5 text-table"
              >
                <span className="min-w-0 break-words py-1">{name}</span>
                <button
                  type="button"
                  aria-label={t('remove', { value: name })}
                  onClick={() => {
                    onChange(values.filter((chosen) => chosen !== value))
                    trigger.current?.focus()
                  }}
                  className="flex size-8 shrink-0 cursor-pointer items-center justify-center rounded-pill text-ink-second outline-offset-[-2px]! hover:text-ink pointer-coarse:size-11"
                >
                  <X aria-hidden="true" className="size-3.5" />
                </button>
              </li>
            )
          })}
        </ul>
      ) : null}
      <div className="justify-self-start">
        <Button
          {...described}
          {...opens}
          ref={trigger}
          id={id}
          variant="secondary"
          size="S"
          aria-label={`${label}: ${button}`}
        >
          <span className="max-w-52 truncate">{button}</span>
          <ChevronDown className="size-4 text-ink-second" />
        </Button>
        {popover}
      </div>
    </div>
  )
}
