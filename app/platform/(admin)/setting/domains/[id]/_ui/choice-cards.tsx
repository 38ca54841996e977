'use client'

import type { ReactNode } from 'react'
import { useController } from 'react-hook-form'
import { useFieldId } from '@/components/form/form'
import type { FormFieldProps } from '@/components/form/form-text'

type Choice = { value: string; label: string; picture: ReactNode }

/** One of a few looks, each shown as a picture. */
export function ChoiceCards({
  name,
  label,
  hint,
  options,
}: FormFieldProps<string | undefined> & { options: readonly Choice[] }) {
  const id = useFieldId(name, label, {
    show: (value) => options.find((option) => option.value === value)?.label,
  })
  const { field } = useController({ name })
  return (
    <fieldset className="grid gap-1.5" aria-describedby={hint ? `${id}-hint` : undefined}>
      <legend className="mb-1.5 font-medium text-table">{label}</legend>
      <div className="grid grid-cols-[repeat(auto-fill,minmax(9rem,1fr))] gap-2.5">
        {options.map(({ value, label: text, picture }, index) => (
          <label
            key={value}
            className="grid cursor-pointer content-between gap-3 rounded-card border border-line-strong bg-surface p-3 has-checked:border-brand has-checked:outline has-checked:outline-brand"
          >
            {picture}
            <span className="flex items-center gap-2.5">
              <input
                type="radio"
                id={index === 0 ? id : undefined}
                name={field.name}
                value={value}
                checked={field.value === value}
                onChange={() => field.onChange(value)}
                onBlur={field.onBlur}
                className="accent-brand"
              />
              <span className="wrap-anywhere min-w-0">{text}</span>
            </span>
          </label>
        ))}
      </div>
      {hint ? (
        <p id={`${id}-hint`} className="text-ink-second text-note">
          {hint}
        </p>
      ) : null}
    </fieldset>
  )
}
