'use client'

import { useController } from 'react-hook-form'
import { useFieldId } from './form'
import type { FormFieldProps } from './form-text'
import { PasswordField } from './password-field'

/** A password that can be shown. `autoComplete` tells password managers which one. */
export function FormPassword({
  name,
  label,
  autoComplete,
  describedBy,
}: Omit<FormFieldProps<string | null | undefined>, 'hint'> & {
  autoComplete: 'current-password' | 'new-password'
  describedBy?: string
}) {
  const id = useFieldId(name, label, { secret: true })
  const { field, fieldState } = useController({ name })
  return (
    <PasswordField
      {...field}
      name={name}
      size="M"
      id={id}
      label={label}
      value={field.value ?? ''}
      error={fieldState.error?.message}
      autoComplete={autoComplete}
      describedBy={describedBy}
    />
  )
}
