'use client'

import { createContext, type ReactNode, use, useId } from 'react'
import { cn } from '../ui/cn'
import { TriangleAlert } from '../ui/icons'
import { FieldError } from './field-error'

export type FieldProps = {
  label: string
  hint?: ReactNode
  error?: string
  /** What is suspicious about a value that may be sent nevertheless. */
  warning?: string | undefined
  /** Set it if something links to the field, such as the error summary; by default the field creates one. */
  id?: string
}

/** Whether the labels of the fields are above all rows when there is room. Then each row hides its own labels. */
export const LabelsAbove = createContext(false)

/** The attributes that a field passes to its control. */
type Bound = { id: string; 'aria-describedby': string | undefined; 'aria-invalid': true | undefined }

/** Shows a control's label, hint, error or warning, and associates them with it for screen readers. */
export function Field({
  label,
  hint,
  error,
  warning,
  id,
  children,
}: FieldProps & { children: (bound: Bound) => ReactNode }) {
  const generatedId = useId()
  const labelsAbove = use(LabelsAbove)
  const controlId = id ?? generatedId
  const hintId = hint ? `${controlId}-hint` : undefined
  const errorId = error ? `${controlId}-error` : undefined
  const warningId = warning && !error ? `${controlId}-warning` : undefined
  return (
    <div className="grid gap-1.5">
      <label htmlFor={controlId} className={cn('font-medium text-table', labelsAbove && '@min-[38rem]:sr-only')}>
        {label}
      </label>
      {children({
        id: controlId,
        'aria-describedby': [errorId, warningId, hintId].filter(Boolean).join(' ') || undefined,
        'aria-invalid': error ? true : undefined,
      })}
      {error ? <FieldError id={errorId}>{error}</FieldError> : null}
      {warningId ? (
        <p id={warningId} className="flex gap-1.5 text-note text-warning">
          <TriangleAlert className="mt-px size-4 shrink-0" />
          {warning}
        </p>
      ) : null}
      {hint ? (
        <div id={hintId} className="text-ink-second text-note">
          {hint}
        </div>
      ) : null}
    </div>
  )
}
