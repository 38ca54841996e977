'use client'

import { useTranslations } from 'next-intl'

type Params = Record<string, string | number>
/** Texts by a key that is only known at run time. Cast by hand, because comparing the type takes the compiler minutes. */
type Words = { (key: string, params?: Params): string; has(key: string): boolean }

/** The text of an error's code; a code without a text gets the text of an unknown error. */
export function useErrorText() {
  const t = useTranslations('errors') as unknown as Words
  return (code: string, params?: Params): string => (t.has(code) ? t(code, params) : t('errorUnknown'))
}
