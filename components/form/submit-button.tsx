'use client'

import type { ReactNode } from 'react'
import { useFormState } from 'react-hook-form'
import { Button } from '../ui/button'

/** Sends the form around it. Never disabled in advance; turns while the call is under way. */
export function SubmitButton({ children }: { children: ReactNode }) {
  const { isSubmitting } = useFormState()
  return (
    <Button type="submit" pending={isSubmitting}>
      {children}
    </Button>
  )
}
