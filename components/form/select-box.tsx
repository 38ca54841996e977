'use client'

import * as Radix from '@radix-ui/react-select'
import { useTranslations } from 'next-intl'
import { type ComponentProps, useState } from 'react'
import { cn } from '../ui/cn'
import { Check, ChevronDown } from '../ui/icons'
import { useAskedBy } from '../ui/use-later'
import { selectClasses } from './select-classes'
import type { Option } from './use-search'

/** Radix uses the empty value for “nothing chosen”, so an option for it has another value. */
const emptyValue = '\0'

const itemLook =
  'flex min-h-9 cursor-pointer items-center justify-between gap-4 rounded-control px-3 outline-none data-[highlighted]:bg-sunken data-[state=checked]:font-medium pointer-coarse:min-h-11'

export type SelectBoxProps = Omit<ComponentProps<'button'>, 'value' | 'onChange'> & {
  options: readonly Option[]
  /** Null while nothing is chosen; an option may have the empty value. */
  value: string | null
  onChange: (value: string | null) => void
  /** Whether the person may choose nothing. */
  clearable?: boolean
  /** The text while nothing is chosen. */
  placeholder?: string
}

/** A choice from a few options. It opens at once if a click loaded it. */
export function SelectBox({
  options,
  value,
  onChange,
  clearable = false,
  placeholder,
  disabled,
  className,
  ...rest
}: SelectBoxProps) {
  const t = useTranslations('ui.form')
  const askedBy = useAskedBy()
  const [open, setOpen] = useState(askedBy !== null)
  return (
    <Radix.Root
      open={open}
      onOpenChange={setOpen}
      value={value === null ? '' : value || emptyValue}
      onValueChange={(next) => onChange(next === emptyValue ? (clearable ? null : '') : next)}
      disabled={disabled}
    >
      <Radix.Trigger {...rest} className={cn(selectClasses, className)}>
        <span className="truncate">
          <Radix.Value placeholder={placeholder ?? t('choose')} />
        </span>
        <ChevronDown className="size-4 shrink-0 text-ink-second" />
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          position="popper"
          sideOffset={6}
          collisionPadding={8}
          className="z-60 max-h-(--radix-select-content-available-height) min-w-(--radix-select-trigger-width) max-w-[calc(100vw-1rem)] animate-arrive overflow-clip rounded-card border border-line bg-surface text-ink text-table shadow-float"
        >
          <Radix.Viewport className="p-1">
            {clearable ? (
              <Radix.Item value={emptyValue} className={cn(itemLook, 'text-ink-second')}>
                <Radix.ItemText>{t('none')}</Radix.ItemText>
              </Radix.Item>
            ) : null}
            {options.map(({ value: optionValue, label }) => (
              <Radix.Item key={optionValue} value={optionValue || emptyValue} className={itemLook}>
                <Radix.ItemText>{label}</Radix.ItemText>
                <Radix.ItemIndicator>
                  <Check className="size-4 text-brand" />
                </Radix.ItemIndicator>
              </Radix.Item>
            ))}
          </Radix.Viewport>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
