import { useTranslations } from 'next-intl'
import { wordsOf } from '@/lib/base/i18n/words'

/** Returns the text of an error's code; without one, the text of an unknown error. */
export function useErrorText() {
  const t = wordsOf(useTranslations('errors'))
  return (code: string, params?: Record<string, string | number | Date>): string =>
    t.has(code) ? t(code, params) : t('errorUnknown')
}
