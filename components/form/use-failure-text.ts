'use client'

import { useTimeZone, useTranslations } from 'next-intl'
import { useCallback } from 'react'
import { wordsOf } from '@/lib/base/i18n/words'

/**
 * Returns a function that gives the text of an error that a call threw, or of its first fault: what happened, and what
 * to do. The texts are loaded with the first failure, because most pages never have one.
 */
export function useFailureText() {
  const errors = wordsOf(useTranslations('errors'))
  const timeZone = useTimeZone()
  const moscow = useTranslations('common')('moscow')
  return useCallback(
    (thrown: unknown): Promise<string> =>
      import('./failure-text').then(
        ({ textOfFailure, zoneNaming }) => textOfFailure(errors, thrown, zoneNaming(timeZone, moscow)),
        // without a network they can't be loaded
        () => errors('offline'),
      ),
    [errors, timeZone, moscow],
  )
}
