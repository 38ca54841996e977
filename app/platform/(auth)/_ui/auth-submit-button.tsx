'use client'

import { useTranslations } from 'next-intl'
import type { ComponentProps } from 'react'
import { Button } from '@/components/ui/button'

/** The only button of a step. Screen readers announce that it waits for the answer. */
export function AuthSubmitButton({ pending, ...rest }: ComponentProps<'button'> & { pending: boolean }) {
  const t = useTranslations('common')
  return (
    <>
      <Button {...rest} type="submit" size="L" pending={pending} />
      <p role="status" className="sr-only">
        {pending ? t('pending') : ''}
      </p>
    </>
  )
}
