'use client'

import { useFormatter, useTimeZone, useTranslations } from 'next-intl'
import { useState } from 'react'
import { useController } from 'react-hook-form'
import { defaultTimeZone, localTime, momentAt, yearRoundZoneLabel } from '@/lib/base/text/time-zone'
import { cn } from '../ui/cn'
import { Field } from './field'
import { useFieldId } from './form'
import type { FormFieldProps } from './form-text'
import { inputClasses } from './input-classes'

/**
 * A day and a time in the zone of the person, with the browser's own picker. Its value is ISO 8601 in UTC, or `null`.
 */
export function FormMoment({
  name,
  label,
  hint,
  disabled,
}: FormFieldProps<string | null | undefined> & { disabled?: boolean }) {
  const timeZone = useTimeZone() ?? defaultTimeZone
  const format = useFormatter()
  const t = useTranslations()
  const id = useFieldId(name, label, {
    show: (value) =>
      value ? format.dateTime(new Date(String(value)), { dateStyle: 'medium', timeStyle: 'short' }) : undefined,
  })
  const { field, fieldState } = useController({ name })
  const localText = (value: string | null | undefined) => (value ? localTime(new Date(value), timeZone) : '')
  // an incomplete time is no moment yet; a value from outside replaces the typed text
  const [typed, setTyped] = useState({ text: localText(field.value), value: field.value ?? null })
  const text = typed.value === (field.value ?? null) ? typed.text : localText(field.value)
  return (
    <Field
      id={id}
      label={label}
      hint={hint ?? t('ui.list.zone', { zone: yearRoundZoneLabel(timeZone, t('common.moscow')) })}
      error={fieldState.error?.message}
    >
      {(bound) => (
        <input
          {...field}
          {...bound}
          type="datetime-local"
          disabled={disabled}
          value={text}
          onChange={({ target: { value: local } }) => {
            const value = momentAt(local, timeZone)?.toISOString() ?? null
            setTyped({ text: local, value })
            field.onChange(value)
          }}
          className={cn(inputClasses, 'h-10 max-w-60 tabular-nums pointer-coarse:h-11')}
        />
      )}
    </Field>
  )
}
