'use client'

import { useLocale, useTranslations } from 'next-intl'
import { useState } from 'react'
import { useController } from 'react-hook-form'
import { durationText, unitText } from '@/lib/base/i18n/duration-text'
import { asDuration, type DurationUnit, secondsIn } from '@/lib/site/settings/duration'
import { DurationBox } from './duration-box'
import { Field } from './field'
import { useFieldId } from './form'
import type { FormFieldProps } from './form-text'

const units = ['seconds', 'minutes', 'hours', 'days'] as const satisfies readonly DurationUnit[]

/** A number of seconds, typed in a unit of time. An empty field is `null`; other input stays text and fails the check. */
export function FormDuration({ name, label, hint }: FormFieldProps<number | null | undefined>) {
  const [t, locale] = [useTranslations('ui.form'), useLocale()]
  const id = useFieldId(name, label, {
    show: (value) => (typeof value === 'number' ? durationText(asDuration(value), locale) : String(value ?? '')),
  })
  const { field, fieldState } = useController({ name })
  const seconds: unknown = field.value
  const [chosen, setChosen] = useState<DurationUnit>(() =>
    typeof seconds === 'number' ? asDuration(seconds).unit : 'minutes',
  )
  // the value that another person stored may be no whole number of the chosen unit
  const unit = typeof seconds === 'number' && seconds % secondsIn[chosen] !== 0 ? asDuration(seconds).unit : chosen
  const value = typeof seconds === 'number' ? seconds / secondsIn[unit] : ((seconds as string | null) ?? '')
  return (
    <Field id={id} label={label} hint={hint} error={fieldState.error?.message}>
      {(bound) => (
        <DurationBox
          id={bound.id}
          aria-describedby={bound['aria-describedby']}
          aria-invalid={bound['aria-invalid'] ? true : undefined}
          label={label}
          value={{ value, unit }}
          units={units.map((unitName) => ({ unit: unitName, text: unitText(unitName, Number(value) || 0, locale) }))}
          unitLabel={t('unit', { label })}
          onBlur={field.onBlur}
          onChange={(typed) => {
            const chosenUnit = typed.unit as DurationUnit
            setChosen(chosenUnit)
            const text = typeof typed.value === 'string' ? typed.value.trim() : typed.value
            field.onChange(text === '' ? null : typeof text === 'number' ? text * secondsIn[chosenUnit] : text)
          }}
        />
      )}
    </Field>
  )
}
