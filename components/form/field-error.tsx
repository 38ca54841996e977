import type { ReactNode } from 'react'
import { CircleAlert } from '../ui/icons'

/** The error of a control. The control refers to it by `id` as its description. */
export function FieldError({ id, children }: { id: string | undefined; children: ReactNode }) {
  return (
    <p id={id} className="flex gap-1.5 text-danger text-note">
      <CircleAlert className="mt-px size-4 shrink-0" />
      {children}
    </p>
  )
}
