'use client'

import { ArrowUp, Plus, Trash2 } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { type ClipboardEvent, useEffect, useRef } from 'react'
import { get, useController, useFormState } from 'react-hook-form'
import { Button } from '../ui/button'
import { cn } from '../ui/cn'
import { IconButton } from '../ui/icon-button'
import { FieldError } from './field-error'
import { useFieldId } from './form'
import type { FormFieldProps } from './form-text'
import { inputClasses } from './input-classes'
import { splitPasted } from './pasted'

type Props = FormFieldProps<readonly string[] | undefined> & {
  /** The label of one line, without its number: “Address”. */
  rowLabel: string
  addLabel: string
  max: number
  maxLength?: number
  /** The text in place of the lines if there are none. */
  empty?: string
  /**
   * The first line is a special one: its note below it, and the label of the button that makes another one the first.
   */
  first?: { note: string; label: (value: string) => string }
}

type Fault = { message?: string; root?: { message?: string } } | undefined

/**
 * A list of addresses or codes, one per line. Several values pasted into an empty line become as many lines. An added
 * line gets the focus.
 */
export function FormLines({ name, label, hint, rowLabel, addLabel, max, maxLength = 2048, empty, first }: Props) {
  const id = useFieldId(name, label, { show: (value) => ((value ?? []) as string[]).join('\n') })
  const { field } = useController({ name })
  const { errors } = useFormState()
  const values: string[] = field.value ?? []
  const list = useRef<HTMLOListElement>(null)
  const next = useRef<number | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: lines that came or went are what it waits for
  useEffect(() => {
    if (next.current === null) return
    const input = list.current?.querySelectorAll('input')[Math.min(next.current, values.length - 1)]
    next.current = null
    ;(input ?? document.getElementById(id))?.focus()
  }, [values.length])
  const set = (index: number, value: string) => field.onChange(values.map((each, n) => (n === index ? value : each)))
  const fault: Fault = get(errors, name)
  const error = fault?.root?.message ?? fault?.message
  const remove = (index: number) => {
    next.current = Math.max(0, index - 1)
    field.onChange(values.filter((_, n) => n !== index))
  }
  const paste = (event: ClipboardEvent, index: number) => {
    const pasted = splitPasted(event.clipboardData.getData('text/plain'))
    if (pasted.length < 2 || values[index] !== '') return
    event.preventDefault()
    const fresh = pasted.filter((value) => !values.includes(value))
    next.current = index + fresh.length - 1
    field.onChange([...values.slice(0, index), ...fresh, ...values.slice(index + 1)].slice(0, max))
  }
  return (
    <fieldset
      className="grid gap-2"
      aria-describedby={[error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ') || undefined}
    >
      <legend className="mb-2 font-medium text-table">{label}</legend>
      {error ? <FieldError id={`${id}-error`}>{error}</FieldError> : null}
      {values.length > 0 ? (
        <ol ref={list} className="grid gap-2">
          {values.map((value, index) => (
            <Line
              // biome-ignore lint/suspicious/noArrayIndexKey: a line is known by its place
              key={index}
              name={`${name}.${index}`}
              label={`${rowLabel} ${index + 1}`}
              value={value}
              maxLength={maxLength}
              error={(get(errors, `${name}.${index}`) as Fault)?.message}
              note={index === 0 ? first?.note : undefined}
              firstLabel={index > 0 ? first?.label(value || `${rowLabel} ${index + 1}`) : undefined}
              onFirst={() => field.onChange([value, ...values.toSpliced(index, 1)])}
              onChange={(typed) => set(index, typed)}
              onBlur={field.onBlur}
              onPaste={(event) => paste(event, index)}
              onRemove={() => remove(index)}
            />
          ))}
        </ol>
      ) : empty ? (
        <p className="text-ink-second text-table">{empty}</p>
      ) : null}
      {hint ? (
        <p id={`${id}-hint`} className="text-ink-second text-note">
          {hint}
        </p>
      ) : null}
      <Button
        ref={field.ref}
        id={id}
        variant="secondary"
        size="S"
        aria-disabled={values.length >= max || undefined}
        onClick={() => {
          if (values.length >= max) return
          next.current = values.length
          field.onChange([...values, ''])
        }}
        className="justify-self-start"
      >
        <Plus aria-hidden="true" className="size-4" />
        {addLabel}
      </Button>
    </fieldset>
  )
}

type LineProps = {
  name: string
  label: string
  value: string
  maxLength: number
  error: string | undefined
  note: string | undefined
  firstLabel: string | undefined
  onChange: (value: string) => void
  onBlur: () => void
  onPaste: (event: ClipboardEvent) => void
  onFirst: () => void
  onRemove: () => void
}

function Line(props: LineProps) {
  const { name, label, value, maxLength, error, note, firstLabel, onChange, onBlur, onPaste, onFirst, onRemove } = props
  const t = useTranslations('ui.form')
  const id = useFieldId(name, label)
  return (
    <li className="grid gap-1">
      <div className="flex items-center gap-1">
        <input
          id={id}
          aria-label={label}
          aria-invalid={error ? true : undefined}
          aria-describedby={[error && `${id}-error`, note && `${id}-note`].filter(Boolean).join(' ') || undefined}
          autoComplete="off"
          autoCapitalize="none"
          inputMode="url"
          spellCheck={false}
          maxLength={maxLength}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          onBlur={onBlur}
          onPaste={onPaste}
          className={cn(inputClasses, 'h-10 min-w-0 grow font-mono text-table pointer-coarse:h-11')}
        />
        {firstLabel ? (
          <IconButton quiet label={firstLabel} onClick={onFirst}>
            <ArrowUp aria-hidden="true" className="size-4" />
          </IconButton>
        ) : null}
        <IconButton quiet label={t('removeRow', { row: value || label })} onClick={onRemove}>
          <Trash2 aria-hidden="true" className="size-4" />
        </IconButton>
      </div>
      {error ? <FieldError id={`${id}-error`}>{error}</FieldError> : null}
      {note ? (
        <p id={`${id}-note`} className="text-ink-second text-note">
          {note}
        </p>
      ) : null}
    </li>
  )
}
