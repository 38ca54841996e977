'use client'

import { useLocale } from 'next-intl'
import type { BatchFault } from '@/lib/base/batch-jobs/contracts'
import { inSentence } from '@/lib/base/i18n/in-sentence'
import { useErrorText } from '../form/use-error-text'

/** Returns the text of a row's fault, after the name of the column that it concerns, if there is one. */
export function useFaultText() {
  const locale = useLocale()
  const errorText = useErrorText()
  return ({ code, params }: Pick<BatchFault, 'code' | 'params'>): string =>
    params.column ? `${params.column}: ${inSentence(errorText(code, params), locale)}` : errorText(code, params)
}
