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
import { type Known, useKnown } from './known'

type Props<V> = FormFieldProps<readonly V[] | undefined> & {
  search: Search
  /** The label of the button that adds one. */
  add: string
  none: string
  idOf: (value: V) => string
  /** The value of one that is added. */
  made: (id: string) => V
  /** What stands below the name of one; `change` replaces its value. */
  below?: (value: V, change: (next: V) => void, known: Known | undefined) => ReactNode
  /** What a conflict says of one beside its name. */
  told?: (value: V) => string
}

/** Chosen things in their order: found by a search, moved by dragging, by buttons or by Alt and an arrow key. */
export function OrderedField<V>(props: Props<V>) {
  const { name, label, hint, search, add, none, idOf, made, below, told } = props
  const t = useTranslations('ui.form')
  const { field, fieldState } = useController({ name })
  const known = useKnown()
  const values: V[] = field.value ?? []
  const nameOf = (id: string) => known.of(id)?.label ?? id
  const id = useFieldId(name, label, {
    show: (value, beside) =>
      ((value ?? []) as V[])
        .map((one) => [beside?.labels?.get(idOf(one)) ?? nameOf(idOf(one)), told?.(one)].filter(Boolean).join(': '))
        .join('\n'),
    learn: async (value) => {
      const unknown = ((value ?? []) as V[]).map(idOf).filter((one) => !known.of(one))
      const options = unknown.length > 0 ? await search.named?.(unknown) : undefined
      return new Map(options?.map((option) => [option.value, option.label]))
    },
  })
  const choose = (option: Option) => {
    known.add(option)
    close()
    if (!values.some((one) => idOf(one) === option.value)) field.onChange([...values, made(option.value)])
  }
  const { button, opens, popover, close } = useOptions({
    label: add,
    search,
    chosen: values.map(idOf),
    onChoose: choose,
    className: 'w-80',
  })
  const change = (next: V) => field.onChange(values.map((one) => (idOf(one) === idOf(next) ? next : one)))
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
            const one = idOf(value)
            return {
              id: one,
              name: nameOf(one),
              body: <span className="wrap-anywhere">{nameOf(one)}</span>,
              below: below?.(value, change, known.of(one)),
              menu: (
                <IconButton
                  quiet
                  label={t('removeRow', { row: nameOf(one) })}
                  onClick={() => field.onChange(values.filter((each) => idOf(each) !== one))}
                >
                  <X aria-hidden="true" className="size-4" />
                </IconButton>
              ),
            }
          })}
          onOrder={async (ids) => {
            field.onChange(ids.flatMap((one) => values.find((value) => idOf(value) === one) ?? []))
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
