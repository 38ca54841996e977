'use client'

import { Plus, Trash2 } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { type ClipboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { type FieldValues, useFieldArray, useFormContext, useFormState } from 'react-hook-form'
import { Button } from '../ui/button'
import { IconButton } from '../ui/icon-button'
import { FieldError } from './field-error'
import { type FieldName, type RowFields, rowFields } from './field-name'
import { useFieldId } from './form'
import { placePasted, splitPasted } from './pasted'

type Props<Row extends FieldValues> = {
  /** The name from `fieldsOf`. */
  name: FieldName<readonly Row[] | undefined>
  /** The label of the list: “Addresses”. */
  label: string
  /** The label of one row, without its number: “Address”. */
  rowLabel: string
  hint?: string
  /** The values of a new row. */
  empty: () => NoInfer<Row>
  /** The least and the largest number of rows. */
  min?: number
  max?: number
  addLabel?: string
  /** The field whose values have no spaces. Several values pasted into it become as many rows. */
  pasted?: keyof NoInfer<Row> & string
  /** Renders the fields of a row; `field` has their names. */
  children: (field: RowFields<Row>, index: number) => ReactNode
}

const firstControl = 'input, textarea, button[role=combobox], select'

/**
 * Repeated rows. After adding a row the focus moves to its first field, after removing one to the row that takes its
 * place.
 */
export function FormRows<Row extends FieldValues>(props: Props<Row>) {
  const { name, label, rowLabel, hint, empty, min = 0, max = 100, addLabel, pasted, children } = props
  const t = useTranslations('ui.form')
  const id = useFieldId(name, label)
  const { fields, append, remove, insert } = useFieldArray({ name })
  const { getValues, setValue, trigger } = useFormContext()
  const { errors } = useFormState({ name })
  const list = useRef<HTMLOListElement>(null)
  const add = useRef<HTMLButtonElement>(null)
  const [said, setSaid] = useState('')
  const [told, setTold] = useState<{ count: number; left: number; repeated: number } | null>(null)
  /** The row that gets the focus after the rows have changed. */
  const next = useRef<{ row: number; at: 'field' | 'remove' } | null>(null)

  // biome-ignore lint/correctness/useExhaustiveDependencies: rows that came or went are what it waits for
  useEffect(() => {
    if (!next.current) return
    const { row, at } = next.current
    next.current = null
    const element = list.current?.children[row]
    const target = element?.querySelector<HTMLElement>(at === 'field' ? firstControl : '[data-remove]')
    ;(target ?? add.current)?.focus()
  }, [fields.length])

  const rowName = (index: number) => t('row', { label: rowLabel, number: index + 1 })
  const addRow = () => {
    if (fields.length >= max) return
    next.current = { row: fields.length, at: 'field' }
    setTold(null)
    append(empty(), { shouldFocus: false })
    setSaid(t('rowAdded', { row: rowName(fields.length) }))
  }
  const removeRow = (index: number) => {
    const left = fields.length - 1
    next.current = { row: Math.min(index, left - 1), at: left > min ? 'remove' : 'field' }
    setTold(null)
    remove(index)
    setSaid(t('rowRemoved', { row: rowName(index) }))
  }
  const paste = (event: ClipboardEvent) => {
    const field = event.target instanceof HTMLInputElement ? event.target.name : ''
    const [row = '', of] = field.startsWith(`${name}.`) ? field.slice(name.length + 1).split('.') : []
    const values = splitPasted(event.clipboardData.getData('text/plain'))
    if (!pasted || of !== pasted || values.length < 2) return
    event.preventDefault()
    const at = Number(row)
    const { selectionStart, selectionEnd, value } = event.target as HTMLInputElement
    const replaced = selectionStart === 0 && selectionEnd === value.length
    const held = (getValues(name) as FieldValues[]).map((one, n) =>
      n === at && replaced ? '' : String(one[pasted] ?? ''),
    )
    const { first, added, left, repeated } = placePasted(held, at, values, max)
    if (first !== undefined) setValue(field, first, { shouldDirty: true })
    if (added.length > 0) {
      next.current = { row: at + added.length, at: 'field' }
      insert(
        at + 1,
        added.map((value) => ({ ...empty(), [pasted]: value })),
        { shouldFocus: false },
      )
    }
    // repeated or wrong values are marked at once
    void trigger(name)
    setTold({ count: added.length + (first === undefined ? 0 : 1), left, repeated })
  }
  const fault = errors[name]
  const error = (fault?.root?.message ?? fault?.message) as string | undefined
  return (
    <fieldset
      className="grid gap-2.5"
      aria-describedby={[error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ') || undefined}
    >
      <legend className="mb-2.5 font-medium text-table">{label}</legend>
      {error ? <FieldError id={`${id}-error`}>{error}</FieldError> : null}
      {fields.length === 0 ? <p className="text-ink-second text-table">{t('noRows')}</p> : null}
      <ol ref={list} onPaste={paste} className="grid gap-2.5">
        {fields.map((field, index) => (
          <li key={field.id}>
            <fieldset
              aria-label={rowName(index)}
              className="flex items-start gap-1 rounded-card border border-line p-3 pr-1.5"
            >
              <div className="grid min-w-0 grow gap-3 sm:auto-cols-fr sm:grid-flow-col">
                {children(rowFields<Row>(`${name}.${index}`), index)}
              </div>
              <IconButton
                quiet
                data-remove=""
                label={t('removeRow', { row: rowName(index) })}
                aria-disabled={fields.length <= min || undefined}
                onClick={() => {
                  if (fields.length > min) removeRow(index)
                }}
                className="mt-6.5"
              >
                <Trash2 aria-hidden="true" className="size-4" />
              </IconButton>
            </fieldset>
          </li>
        ))}
      </ol>
      <p role="status" className={told ? 'text-ink-second text-note' : 'sr-only'}>
        {told
          ? [t('pasted', { count: told.count }), told.repeated > 0 ? t('pastedRepeated', { count: told.repeated }) : '']
              .filter(Boolean)
              .join(', ')
          : ''}
        {told && told.left > 0 ? (
          <span className="block text-warning">{t('pastedLeft', { left: told.left, max })}</span>
        ) : null}
      </p>
      {hint ? (
        <p id={`${id}-hint`} className="text-ink-second text-note">
          {hint}
        </p>
      ) : null}
      <Button
        ref={add}
        id={id}
        variant="secondary"
        size="S"
        onClick={addRow}
        aria-disabled={fields.length >= max || undefined}
        className="justify-self-start"
      >
        <Plus aria-hidden="true" className="size-4" />
        {addLabel ?? t('add')}
      </Button>
      <p role="status" className="sr-only">
        {said}
      </p>
    </fieldset>
  )
}
