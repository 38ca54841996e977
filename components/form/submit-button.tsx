'use client'

import type { ReactNode } from 'react'
import { useFormState } from 'react-hook-form'
import { Button } from '../ui/button'

/** Submits its form. It is never disabled in advance and shows a spinner while the call runs. */
export function SubmitButton({ variant, children }: { variant?: 'danger'; children: ReactNode }) {
  const { isSubmitting } = useFormState()
  return (
    <Button type="submit" variant={variant} pending={isSubmitting}>
      {children}
    </Button>
  )
}
