'use client'

import { Plus, X } from 'lucide-react'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { useController } from 'react-hook-form'
import { FieldError } from '@/components/form/field-error'
import { useFieldId } from '@/components/form/form'
import type { FormFieldProps } from '@/components/form/form-text'
import { useOptions } from '@/components/form/use-options'
import type { Option, Search } from '@/components/form/use-search'
import { OrderList } from '@/components/order/order-list'
import { Button } from '@/components/ui/button'
import { IconButton } from '@/components/ui/icon-button'
import { type NamedOption, useKnownNames } from './known'

type Props<V> = FormFieldProps<readonly V[] | undefined> & {
  search: Search
  /** The label of the button that adds one. */
  add: string
  none: string
  idOf: (value: V) => string
  /** The value of an added one. */
  made: (id: string) => V
  /** The content below the name of one; `change` replaces its value. */
  below?: (value: V, change: (next: V) => void, known: NamedOption | undefined) => ReactNode
  /** The text of a conflict about one, after its name. */
  told?: (value: V) => string
}

/** Chosen objects in their order: found by a search, moved by dragging, by buttons or by Alt and an arrow key. */
export function OrderedField<V>(props: Props<V>) {
  const { name, label, hint, search, add, none, idOf, made, below, told } = props
  const t = useTranslations('ui.form')
  const { field, fieldState } = useController({ name })
  const names = useKnownNames()
  const values: V[] = field.value ?? []
  const nameOf = (id: string) => names.of(id)?.label ?? id
  const id = useFieldId(name, label, {
    show: (value, beside) =>
      ((value ?? []) as V[])
        .map((item) => [beside?.labels?.get(idOf(item)) ?? nameOf(idOf(item)), told?.(item)].filter(Boolean).join(': '))
        .join('\n'),
    learn: async (value) => {
      const unknown = ((value ?? []) as V[]).map(idOf).filter((item) => !names.of(item))
      const options = unknown.length > 0 ? await search.named?.(unknown) : undefined
      return new Map(options?.map((option) => [option.value, option.label]))
    },
  })
  const choose = (option: Option) => {
    names.add(option)
    close()
    if (!values.some((item) => idOf(item) === option.value)) field.onChange([...values, made(option.value)])
  }
  const { button, opens, popover, close } = useOptions({
    label: add,
    search,
    chosen: values.map(idOf),
    onChoose: choose,
    className: 'w-80',
  })
  const change = (next: V) => field.onChange(values.map((item) => (idOf(item) === idOf(next) ? next : item)))
  const error = fieldState.error?.root?.message ?? fieldState.error?.message
  return (
    <fieldset
      className="grid min-w-0 gap-2.5"
      aria-describedby={[error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ') || undefined}
    >
      <legend className="mb-2.5 font-medium text-table">{label}</legend>
      {error ? <FieldError id={`${id}-error`}>{error}</FieldError> : null}
      {values.length === 0 ? (
        <p className="text-ink-second text-table">{none}</p>
      ) : (
        <OrderList
          label={label}
          items={values.map((value) => {
            const item = idOf(value)
            return {
              id: item,
              name: nameOf(item),
              body: <span className="wrap-anywhere">{nameOf(item)}</span>,
              below: below?.(value, change, names.of(item)),
              menu: (
                <IconButton
                  quiet
                  label={t('removeRow', { row: nameOf(item) })}
                  onClick={() => field.onChange(values.filter((each) => idOf(each) !== item))}
                >
                  <X aria-hidden="true" className="size-4" />
                </IconButton>
              ),
            }
          })}
          onOrder={async (ids) => {
            field.onChange(ids.flatMap((item) => values.find((value) => idOf(value) === item) ?? []))
            return true
          }}
        />
      )}
      {hint ? (
        <p id={`${id}-hint`} className="text-ink-second text-note">
          {hint}
        </p>
      ) : null}
      <div className="justify-self-start">
        <Button
          {...opens}
          id={id}
          ref={(element) => {
            button.current = element
            field.ref(element)
          }}
          variant="secondary"
          size="S"
        >
          <Plus aria-hidden="true" className="size-4" />
          {add}
        </Button>
        {popover}
      </div>
    </fieldset>
  )
}
