'use client'

import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { Button } from '@/components/ui/button'

/** The only button of a step; screen readers also hear that it waits for the answer. */
export function AuthSubmitButton({ pending, children }: { pending: boolean; children: ReactNode }) {
  const t = useTranslations('common')
  return (
    <>
      <Button type="submit" size="L" pending={pending}>
        {children}
      </Button>
      <p role="status" className="sr-only">
        {pending ? t('pending') : ''}
      </p>
    </>
  )
}
