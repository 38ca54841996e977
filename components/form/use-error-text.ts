'use client'

import { useTranslations } from 'next-intl'

type ErrorKey = Parameters<ReturnType<typeof useTranslations<'errors'>>>[0]

/** Words for an error's code; a code without words of its own gets those for an unknown error. */
export function useErrorText() {
  const t = useTranslations('errors')
  return (code: string): string => (t.has(code as ErrorKey) ? t(code as ErrorKey) : t('errorUnknown'))
}
