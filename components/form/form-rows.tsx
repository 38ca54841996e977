'use client'

import { Plus } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { type ClipboardEvent, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { type FieldErrors, type FieldValues, get, useFieldArray, useFormState } from 'react-hook-form'
import { inPlaceOf } from '../order/moved'
import { useDragging } from '../order/use-dragging'
import { Button } from '../ui/button'
import { cn } from '../ui/cn'
import { LabelsAbove } from './field'
import { FieldError } from './field-error'
import { type FieldName, type RowFields, rowFields } from './field-name'
import { useFieldId, useFormMethods } from './form'
import { FormRow } from './form-row'
import { placePasted, splitLines, splitPasted } from './pasted'

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
  /** The smallest and the largest number of rows. */
  min?: number
  max?: number
  addLabel?: string
  /** The field whose values have no spaces. Several values pasted into it become as many rows. */
  pasted?: keyof NoInfer<Row> & string
  /** The rows have an order, which people change by dragging, by buttons, or by Alt and an arrow key. */
  ordered?: {
    /** The labels of a row's fields; they are above the rows when there is room. */
    heads: readonly string[]
    /** The widths of the fields, as grid classes. */
    columns: string
    /** The field of a new row whose error is shown at once. */
    fresh?: keyof NoInfer<Row> & string
    /** Returns the row for a line of a pasted text. */
    rowOf?: (line: string) => NoInfer<Row>
  }
  /** Renders the fields of a row; `field` has their names. */
  children: (field: RowFields<Row>, index: number) => ReactNode
}

const firstControl = 'input, textarea, button[role=combobox], select'

/**
 * Repeated rows. After adding a row the focus moves to its first field, after removing one to the row that takes its
 * place. `ordered` makes the rows sortable: a moved row keeps the focus and its values.
 */
export function FormRows<Row extends FieldValues>(props: Props<Row>) {
  const { name, label, rowLabel, hint, empty, min = 0, max = 100, addLabel, pasted, ordered, children } = props
  const t = useTranslations('ui.form')
  const id = useFieldId(name, label)
  // rows of a stored list have an id of their own
  const { fields, append, remove, insert, move } = useFieldArray({ name, keyName: 'key' })
  const { getValues, setValue, trigger } = useFormMethods()
  const { errors } = useFormState({ name })
  const list = useRef<HTMLOListElement>(null)
  const add = useRef<HTMLButtonElement>(null)
  const [announcement, setAnnouncement] = useState('')
  const [pasteResult, setPasteResult] = useState<{ count: number; left: number; repeated: number } | null>(null)
  /** The row that gets the focus after the rows have changed. */
  const next = useRef<{ row: number; at: 'field' | 'remove'; fresh?: boolean } | null>(null)
  const focusedElement = useRef<Element | null>(null)

  // biome-ignore lint/correctness/useExhaustiveDependencies: rows that came or went are what it waits for
  useEffect(() => {
    if (!next.current) return
    const { row, at, fresh } = next.current
    next.current = null
    if (fresh && ordered?.fresh) void trigger(`${name}.${row}.${ordered.fresh}`)
    const element = list.current?.children[row]
    const target = element?.querySelector<HTMLElement>(at === 'field' ? firstControl : '[data-remove]')
    ;(target ?? add.current)?.focus()
  }, [fields.length])

  useLayoutEffect(() => {
    // a row that moves loses the focus
    const element = focusedElement.current
    focusedElement.current = null
    if (element instanceof HTMLElement && document.activeElement === document.body) element.focus()
  })

  const rowName = (index: number) => t('row', { label: rowLabel, number: index + 1 })
  const addRow = () => {
    if (fields.length >= max) return
    next.current = { row: fields.length, at: 'field', fresh: true }
    setPasteResult(null)
    append(empty(), { shouldFocus: false })
    setAnnouncement(t('rowAdded', { row: rowName(fields.length) }))
  }
  const removeRow = (index: number) => {
    const left = fields.length - 1
    next.current = { row: Math.min(index, left - 1), at: left > min ? 'remove' : 'field' }
    setPasteResult(null)
    remove(index)
    setAnnouncement(t('rowRemoved', { row: rowName(index) }))
  }
  const place = (from: number, to: number) => {
    if (from === to || from < 0 || to < 0 || to >= fields.length) return
    focusedElement.current = document.activeElement
    setPasteResult(null)
    move(from, to)
    setAnnouncement(t('rowMoved', { row: rowName(from), place: to + 1, total: fields.length }))
  }
  const keys = fields.map(({ key }) => key)
  const { rowRef, gripRef, target } = useDragging({
    list: id,
    ids: keys,
    enabled: ordered !== undefined,
    onDrop: (key, targetKey, edge) => place(keys.indexOf(key), inPlaceOf(keys, key, targetKey, edge).indexOf(key)),
  })
  const paste = (event: ClipboardEvent) => {
    const field = event.target instanceof HTMLInputElement ? event.target.name : ''
    const [row = '', fieldName] = field.startsWith(`${name}.`) ? field.slice(name.length + 1).split('.') : []
    const values = (ordered ? splitLines : splitPasted)(event.clipboardData.getData('text/plain'))
    if (!pasted || fieldName !== pasted || values.length < 2) return
    event.preventDefault()
    const at = Number(row)
    const { selectionStart, selectionEnd, value } = event.target as HTMLInputElement
    const replaced = selectionStart === 0 && selectionEnd === value.length
    const rowValues = (getValues(name) as FieldValues[]).map((each, n) =>
      n === at && replaced ? '' : String(each[pasted] ?? ''),
    )
    const { first, added, left, repeated } = placePasted(rowValues, at, values, max)
    if (first !== undefined) setValue(field, first, { shouldDirty: true })
    if (added.length > 0) {
      next.current = { row: at + added.length, at: 'field' }
      insert(
        at + 1,
        added.map((value) => ordered?.rowOf?.(value) ?? { ...empty(), [pasted]: value }),
        { shouldFocus: false },
      )
    }
    // repeated or wrong values are marked at once
    void trigger(name)
    setPasteResult({ count: added.length + (first === undefined ? 0 : 1), left, repeated })
  }
  const fault = get(errors, name) as FieldErrors[string]
  const error = (fault?.root?.message ?? fault?.message) as string | undefined
  return (
    <fieldset
      className="grid gap-2.5"
      aria-describedby={[error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ') || undefined}
    >
      <legend className="mb-2.5 font-medium text-table">{label}</legend>
      {error ? <FieldError id={`${id}-error`}>{error}</FieldError> : null}
      {fields.length === 0 ? <p className="text-ink-second text-table">{t('noRows')}</p> : null}
      <div className="@container">
        {ordered && fields.length > 0 ? (
          <div
            aria-hidden="true"
            className={cn(
              'mb-1.5 hidden gap-2 pr-29 pl-8 text-ink-second text-note @min-[38rem]:grid pointer-coarse:pr-37',
              ordered.columns,
            )}
          >
            {ordered.heads.map((head) => (
              <span key={head}>{head}</span>
            ))}
          </div>
        ) : null}
        <ol ref={list} onPaste={paste} className="grid gap-2.5">
          {fields.map(({ key }, index) => (
            <FormRow
              key={key}
              name={rowName(index)}
              place={ordered ? { index, count: fields.length, columns: ordered.columns } : null}
              rowRef={rowRef(key)}
              gripRef={gripRef(key)}
              edge={target?.id === key ? target.edge : undefined}
              onMove={(by) => place(index, index + by)}
              onRemove={fields.length > min ? () => removeRow(index) : undefined}
            >
              <LabelsAbove value={ordered !== undefined}>
                {children(rowFields<Row>(`${name}.${index}`), index)}
              </LabelsAbove>
            </FormRow>
          ))}
        </ol>
      </div>
      <p role="status" className={pasteResult ? 'text-ink-second text-note' : 'sr-only'}>
        {pasteResult
          ? [
              t('pasted', { count: pasteResult.count }),
              pasteResult.repeated > 0 ? t('pastedRepeated', { count: pasteResult.repeated }) : '',
            ]
              .filter(Boolean)
              .join(', ')
          : ''}
        {pasteResult && pasteResult.left > 0 ? (
          <span className="block text-warning">{t('pastedLeft', { left: pasteResult.left, max })}</span>
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
        {announcement}
      </p>
    </fieldset>
  )
}
