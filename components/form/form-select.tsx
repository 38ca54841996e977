'use client'

import { useController } from 'react-hook-form'
import { Field } from './field'
import { useFieldId } from './form'
import type { FormFieldProps } from './form-text'
import { SelectBox } from './select-box'
import type { Option } from './use-search'

type Props = FormFieldProps<string | null | undefined> & {
  options: readonly Option[]
  /** Whether the person may choose nothing; the value is then `null`. */
  clearable?: boolean
  disabled?: boolean
  /** Replaces setting the value, for a choice that asks first or changes other fields. */
  onChoose?: (value: string | null) => void
  /** Its label in the error summary and in a conflict, where its group isn't visible. */
  fullLabel?: string
}

/** Chooses one of a few options; the value is a string. */
export function FormSelect({
  name,
  label,
  hint,
  options,
  clearable = false,
  disabled,
  onChoose,
  fullLabel = label,
}: Props) {
  const id = useFieldId(name, fullLabel, {
    show: (value) => options.find((option) => option.value === value)?.label,
  })
  const { field, fieldState } = useController({ name })
  return (
    <Field id={id} label={label} hint={hint} error={fieldState.error?.message}>
      {(bound) => (
        <SelectBox
          {...bound}
          ref={field.ref}
          onBlur={field.onBlur}
          options={options}
          value={field.value || null}
          onChange={onChoose ?? field.onChange}
          clearable={clearable}
          disabled={disabled}
        />
      )}
    </Field>
  )
}
