import type { ReactNode } from 'react'
import { FieldError } from '../form/field-error'

/** The attributes of a control that its label and its error need. `describedBy` is the id of another description. */
export const plainControl = (id: string, error: string | undefined, describedBy?: string) => ({
  id,
  'aria-describedby': [error && `${id}-error`, describedBy].filter(Boolean).join(' ') || undefined,
  'aria-invalid': error ? (true as const) : undefined,
})

/** The error of a control, which refers to it by `plainControl`. */
export const PlainError = ({ id, error }: { id: string; error: string | undefined }) =>
  error ? <FieldError id={`${id}-error`}>{error}</FieldError> : null

type Props = {
  id: string
  label: string
  error: string | undefined
  /** A note below the control, which refers to it by its id, `hintId`. */
  hint?: string | undefined
  children: ReactNode
}

export const hintId = (id: string) => `${id}-hint`

/** The label and the error of a control, as `Field` shows them, in a page that sends no script for it. */
export const PlainField = ({ id, label, error, hint, children }: Props) => (
  <div className="grid gap-1.5">
    <label htmlFor={id} className="font-medium text-table">
      {label}
    </label>
    {children}
    <PlainError id={id} error={error} />
    {hint ? (
      <p id={hintId(id)} className="text-ink-second text-note">
        {hint}
      </p>
    ) : null}
  </div>
)
