'use client'

import type { ComponentProps } from 'react'
import { type ControllerRenderProps, useController } from 'react-hook-form'
import { cn } from '../ui/cn'
import { Field } from './field'
import type { FieldName } from './field-name'
import { useFieldId } from './form'
import { inputClasses } from './input-classes'

export type FormFieldProps<T = unknown> = {
  /** The name from `fieldsOf` or from a row. */
  name: FieldName<T>
  label: string
  hint?: string
}

type Text = Pick<
  ComponentProps<'input'>,
  'type' | 'autoComplete' | 'inputMode' | 'placeholder' | 'maxLength' | 'readOnly' | 'disabled' | 'autoFocus'
>

type Line = string | null | undefined

type Props = FormFieldProps<Line> &
  Text & {
    /** In the monospace font, for addresses, ids and codes. */
    mono?: boolean
    /** What is suspicious about the value, which may be sent nevertheless. */
    warning?: string | undefined
  }

/** Trims the value when the person leaves the field, as the call does: a space at the end is no change. */
function leaving({ value, onChange, onBlur }: ControllerRenderProps) {
  return () => {
    if (typeof value === 'string' && value.trim() !== value) onChange(value.trim())
    onBlur()
  }
}

/** One line of text; also a mail address, a phone number, an address by `type`. */
export function FormText({ name, label, hint, warning, mono = false, type = 'text', ...input }: Props) {
  const id = useFieldId(name, label)
  const { field, fieldState } = useController({ name })
  return (
    <Field id={id} label={label} hint={hint} error={fieldState.error?.message} warning={warning}>
      {(bound) => (
        <input
          autoComplete="off"
          {...input}
          {...field}
          {...bound}
          onBlur={leaving(field)}
          type={type}
          value={field.value ?? ''}
          className={cn(
            inputClasses,
            'h-10 read-only:border-line read-only:bg-sunken read-only:text-ink-second pointer-coarse:h-11',
            mono && 'font-mono text-table',
          )}
        />
      )}
    </Field>
  )
}

/** Several lines of text. */
export function FormTextarea({
  name,
  label,
  hint,
  rows = 4,
  ...area
}: FormFieldProps<Line> & Pick<ComponentProps<'textarea'>, 'rows' | 'placeholder' | 'maxLength' | 'disabled'>) {
  const id = useFieldId(name, label)
  const { field, fieldState } = useController({ name })
  return (
    <Field id={id} label={label} hint={hint} error={fieldState.error?.message}>
      {(bound) => (
        <textarea
          {...area}
          {...field}
          {...bound}
          onBlur={leaving(field)}
          rows={rows}
          value={field.value ?? ''}
          className={cn(inputClasses, 'field-sizing-content max-h-96 min-h-24 resize-y py-2')}
        />
      )}
    </Field>
  )
}

/** A whole number with its unit. An empty field is `null`; other input stays text and fails the check. */
export function FormNumber({
  name,
  label,
  hint,
  unit,
  ...input
}: FormFieldProps<number | null | undefined> & { unit?: string } & Pick<
    ComponentProps<'input'>,
    'disabled' | 'placeholder'
  >) {
  const id = useFieldId(name, label)
  const { field, fieldState } = useController({ name })
  return (
    <Field id={id} label={label} hint={hint} error={fieldState.error?.message}>
      {(bound) => (
        <div className="flex items-center gap-2.5">
          <input
            {...input}
            {...field}
            {...bound}
            type="text"
            inputMode="numeric"
            autoComplete="off"
            value={field.value ?? ''}
            onChange={({ target: { value } }) => {
              const text = value.trim()
              field.onChange(text === '' ? null : /^-?\d{1,15}$/.test(text) ? Number(text) : text)
            }}
            className={cn(inputClasses, 'h-10 max-w-40 tabular-nums pointer-coarse:h-11')}
          />
          {unit ? <span className="text-ink-second">{unit}</span> : null}
        </div>
      )}
    </Field>
  )
}

/** A day, with the browser's own picker. Its value is `2026-11-21` or empty. */
export function FormDate({
  name,
  label,
  hint,
  ...input
}: FormFieldProps<Line> & Pick<ComponentProps<'input'>, 'min' | 'max' | 'disabled' | 'autoComplete'>) {
  const id = useFieldId(name, label)
  const { field, fieldState } = useController({ name })
  return (
    <Field id={id} label={label} hint={hint} error={fieldState.error?.message}>
      {(bound) => (
        <input
          {...input}
          {...field}
          {...bound}
          type="date"
          value={field.value ?? ''}
          className={cn(inputClasses, 'h-10 max-w-52 tabular-nums pointer-coarse:h-11')}
        />
      )}
    </Field>
  )
}
