'use client'

import { X } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useController } from 'react-hook-form'
import { cn } from '../ui/cn'
import { ChevronDown } from '../ui/icons'
import { Field } from './field'
import { type Labels, useFieldId } from './form'
import type { FormFieldProps } from './form-text'
import { inputClasses } from './input-classes'
import { useOptions } from './use-options'
import type { Option, Search } from './use-search'

type Single = { multiple?: false } & FormFieldProps<string | null | undefined>
/** Whether several options can be chosen: the value is then a list, otherwise a string or `null`. */
type Multiple = { multiple: true } & FormFieldProps<readonly string[] | undefined>

type Props = (Single | Multiple) & {
  /** Finds options, usually by a search call. Keep the function the same between renders. */
  search: Search
  /** The chosen options with their labels, which the values alone don't contain. */
  chosen?: readonly Option[]
  disabled?: boolean
}

/** Chooses one or several of many options by searching. */
export function FormCombobox({ name, label, hint, search, chosen = [], multiple = false, disabled }: Props) {
  const t = useTranslations('ui.form')
  const { field, fieldState } = useController({ name })
  const [labels, setLabels] = useState(() => new Map(chosen.map((option) => [option.value, option.label])))
  const values: string[] = multiple ? (field.value ?? []) : field.value ? [field.value] : []
  const labelOf = (value: string, foundLabels?: Labels) => labels.get(value) ?? foundLabels?.get(value) ?? value
  const id = useFieldId(name, label, {
    show: (value, context) =>
      [value ?? []]
        .flat()
        .map((each) => labelOf(String(each), context?.labels))
        .join(', '),
    learn: async (value) => {
      const unknown = [value ?? []]
        .flat()
        .map(String)
        .filter((each) => !labels.has(each))
      const options = unknown.length > 0 ? await search.named?.(unknown) : undefined
      const learned = new Map(options?.map((option) => [option.value, option.label]))
      if (learned.size > 0) setLabels((before) => new Map([...before, ...learned]))
      return learned
    },
  })

  const choose = (option: Option) => {
    setLabels((before) => new Map(before).set(option.value, option.label))
    if (multiple) {
      const remaining = values.filter((value) => value !== option.value)
      field.onChange(remaining.length < values.length ? remaining : [...values, option.value])
      return
    }
    field.onChange(option.value)
    close()
  }
  const remove = (value: string) => {
    field.onChange(multiple ? values.filter((each) => each !== value) : null)
    button.current?.focus()
  }
  const { button, opens, popover, close } = useOptions({
    label,
    search,
    chosen: values,
    onChoose: choose,
    className: 'w-(--radix-popover-trigger-width) min-w-60',
  })
  const [onlyValue] = values
  return (
    <Field id={id} label={label} hint={hint} error={fieldState.error?.message}>
      {(bound) => (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
          <div className="relative">
            <button
              {...bound}
              {...opens}
              ref={(element) => {
                button.current = element
                field.ref(element)
              }}
              onBlur={field.onBlur}
              disabled={disabled}
              className={cn(
                inputClasses,
                'flex h-10 cursor-pointer items-center justify-between gap-2 text-left disabled:cursor-not-allowed disabled:opacity-50 pointer-coarse:h-11',
              )}
            >
              <span className={cn('truncate', values.length === 0 ? 'text-ink-second' : !multiple && 'pr-8')}>
                {values.length === 0
                  ? t('choose')
                  : multiple
                    ? t('chosen', { count: values.length })
                    : labelOf(onlyValue ?? '')}
              </span>
              <ChevronDown className="size-4 text-ink-second" />
            </button>
            {popover}
            {!multiple && onlyValue && !disabled ? (
              <button
                type="button"
                aria-label={t('clear', { label })}
                onClick={() => remove(onlyValue)}
                className="absolute top-1 right-9 flex size-8 cursor-pointer items-center justify-center rounded-control text-ink-second hover:text-ink pointer-coarse:top-0 pointer-coarse:size-11"
              >
                <X aria-hidden="true" className="size-4" />
              </button>
            ) : null}
          </div>
          {multiple && values.length > 0 ? (
            <ul className="flex flex-wrap gap-1.5">
              {values.map((value) => (
                <li
                  key={value}
                  className="flex max-w-full items-center overflow-clip rounded-pill bg-sunken pl-2.5 text-table"
                >
                  <span className="min-w-0 break-words py-1">{labelOf(value)}</span>
                  <button
                    type="button"
                    disabled={disabled}
                    aria-label={t('removeValue', { value: labelOf(value) })}
                    onClick={() => remove(value)}
                    className="flex size-8 shrink-0 cursor-pointer items-center justify-center rounded-pill text-ink-second outline-offset-[-2px]! hover:text-ink pointer-coarse:size-11"
                  >
                    <X aria-hidden="true" className="size-3.5" />
                  </button>
                </li>
              ))}
            </ul>
          ) : null}
        </div>
      )}
    </Field>
  )
}
