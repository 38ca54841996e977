'use client'

import type { ReactNode } from 'react'
import { useController } from 'react-hook-form'
import { CheckboxBox } from './checkbox-box'
import { FieldError } from './field-error'
import { useFieldId } from './form'
import type { FormFieldProps } from './form-text'
import { SwitchBox } from './switch-box'

type Props = FormFieldProps<boolean | null | undefined> & {
  disabled?: boolean
  /** Replaces setting the value, for a flag that changes other fields. */
  onChoose?: (checked: boolean) => void
  /** Its label in the error summary and in a conflict, where its group isn't visible. */
  fullLabel?: string
}

/** A control with its label beside it; hint and error are below the label. */
function LabelledControl({
  id,
  label,
  hint,
  error,
  control,
}: {
  id: string
  label: string
  hint: string | undefined
  error: string | undefined
  control: ReactNode
}) {
  return (
    <div className="flex items-start gap-3">
      <span className="flex min-h-6 items-center">{control}</span>
      <div className="grid gap-1">
        <label htmlFor={id} className="cursor-pointer">
          {label}
        </label>
        {error ? <FieldError id={`${id}-error`}>{error}</FieldError> : null}
        {hint ? (
          <p id={`${id}-hint`} className="text-ink-second text-note">
            {hint}
          </p>
        ) : null}
      </div>
    </div>
  )
}

const described = (id: string, hint: string | undefined, error: string | undefined) =>
  [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ') || undefined

/** A checkbox that is saved with the form. */
export function FormCheckbox({ name, label, hint, disabled, onChoose, fullLabel = label }: Props) {
  const id = useFieldId(name, fullLabel)
  const { field, fieldState } = useController({ name })
  const error = fieldState.error?.message
  return (
    <LabelledControl
      id={id}
      label={label}
      hint={hint}
      error={error}
      control={
        <CheckboxBox
          id={id}
          ref={field.ref}
          checked={field.value === true}
          onCheckedChange={(checked) => (onChoose ?? field.onChange)(checked === true)}
          onBlur={field.onBlur}
          disabled={disabled}
          aria-invalid={error ? true : undefined}
          aria-describedby={described(id, hint, error)}
        />
      }
    />
  )
}

/** A switch that is saved with the form. */
export function FormSwitch({ name, label, hint, disabled, fullLabel = label }: Props) {
  const id = useFieldId(name, fullLabel)
  const { field, fieldState } = useController({ name })
  const error = fieldState.error?.message
  return (
    <LabelledControl
      id={id}
      label={label}
      hint={hint}
      error={error}
      control={
        <SwitchBox
          id={id}
          ref={field.ref}
          checked={field.value === true}
          onCheckedChange={field.onChange}
          onBlur={field.onBlur}
          disabled={disabled}
          aria-describedby={described(id, hint, error)}
        />
      }
    />
  )
}
