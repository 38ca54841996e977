'use client'

import { useEffect } from 'react'
import type { Failed } from './use-submission'

/** What is wrong with a step's one field, which screen readers announce when it appears; it is shown at the field. */
export const Said = ({ children }: { children: string | undefined }) => (
  <p role="alert" className="sr-only">
    {children}
  </p>
)

/**
 * After each failure of a step with one field that field has the focus, with its content selected: what is typed next
 * takes its place. Returns the failure that the summary must say, because it isn't about the field (by its `names`).
 */
export function useOneField(failed: Failed | null, id: string, names: readonly string[]): Failed | null {
  useEffect(() => {
    if (!failed) return
    const field = document.getElementById(id) as HTMLInputElement | null
    field?.focus()
    field?.select()
  }, [failed, id])
  const faults = failed && 'errorList' in failed.failure ? failed.failure.errorList : []
  return faults.length > 0 && faults.every(({ field }) => names.includes(field)) ? null : failed
}
