'use client'

import { useTranslations } from 'next-intl'
import { useCallback } from 'react'
import { CallError } from '@/lib/kernel/http/client'
import { wordsOf } from '@/lib/kernel/i18n/words'
import { failureText } from './failure-text'

/** Returns the text of what a call threw, or of its first fault: what happened, and what to do. */
export function useFailureText() {
  const errors = useTranslations('errors')
  return useCallback(
    (thrown: unknown): string => {
      const t = wordsOf(errors)
      const error = thrown instanceof CallError ? thrown : new CallError(0, 'techError', {}, undefined, undefined)
      const [fault] = error.errorList
      const { code, params } = fault && t.has(fault.code) ? fault : failureText(error, (known) => t.has(known))
      return t(code, params)
    },
    [errors],
  )
}
