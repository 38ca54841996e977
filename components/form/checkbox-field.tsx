'use client'

import type { ComponentProps, ReactNode } from 'react'
import { FieldError } from './field-error'

type Props = Omit<ComponentProps<'input'>, 'type' | 'id' | 'children'> & {
  id: string
  error?: string
  children: ReactNode
}

/** A checkbox with its sentence, which may contain links. Takes the result of react-hook-form's `register`. */
export function CheckboxField({ id, error, children, ...input }: Props) {
  const errorId = error ? `${id}-error` : undefined
  return (
    <div className="grid gap-1.5">
      <div className="flex items-start gap-3">
        <input
          {...input}
          id={id}
          type="checkbox"
          aria-describedby={errorId}
          aria-invalid={error ? true : undefined}
          className="mt-0.5 size-5 shrink-0 cursor-pointer accent-brand aria-invalid:outline-2 aria-invalid:outline-danger"
        />
        <label htmlFor={id} className="cursor-pointer">
          {children}
        </label>
      </div>
      {error ? <FieldError id={errorId}>{error}</FieldError> : null}
    </div>
  )
}
