'use client'

import { useTranslations } from 'next-intl'

type ErrorKey = Parameters<ReturnType<typeof useTranslations<'errors'>>>[0]
type Words = (key: ErrorKey, params?: Record<string, string | number>) => string

/** Words for an error's code; a code without words of its own gets those for an unknown error. */
export function useErrorText() {
  const t = useTranslations('errors')
  return (code: string, params?: Record<string, string | number>): string =>
    t.has(code as ErrorKey) ? (t as unknown as Words)(code as ErrorKey, params) : t('errorUnknown')
}
