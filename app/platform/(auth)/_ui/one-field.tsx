'use client'

import { useEffect } from 'react'
import type { Failed } from './use-submission'

/** The error of a step's only field, for screen readers, which read it out when it appears. The field shows it too. */
export const FieldMessage = ({ children }: { children: string | undefined }) => (
  <p role="alert" className="sr-only">
    {children}
  </p>
)

/**
 * After each failure of a step with one field, moves the focus to that field and selects its content, so that typing
 * replaces it. Returns the failure for the summary if it isn't about the field, which has one of `names`.
 */
export function useOneField(failed: Failed | null, id: string, names: readonly string[]): Failed | null {
  // a failure of which some faults are corrected is the same failure
  const count = failed?.count
  useEffect(() => {
    if (count === undefined) return
    const field = document.getElementById(id) as HTMLInputElement | null
    field?.focus()
    field?.select()
  }, [count, id])
  const faults = failed && 'errorList' in failed.failure ? failed.failure.errorList : []
  return faults.length > 0 && faults.every(({ field }) => names.includes(field)) ? null : failed
}
