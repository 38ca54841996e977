'use client'

import type { ReactNode } from 'react'
import { useFormState } from 'react-hook-form'
import { Button } from '../ui/button'

/** Submits its form. It is never disabled in advance and shows a spinner while the call runs. */
export function SubmitButton({ children }: { children: ReactNode }) {
  const { isSubmitting } = useFormState()
  return (
    <Button type="submit" pending={isSubmitting}>
      {children}
    </Button>
  )
}
