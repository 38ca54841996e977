'use client'

import { useTranslations } from 'next-intl'
import { useCallback } from 'react'
import { wordsOf } from '@/lib/kernel/i18n/words'
import { useZone } from '../ui/use-zone'

/**
 * Returns what gives the text of what a call threw, or of its first fault: what happened, and what to do. It is loaded
 * with the first failure, because most pages never have one.
 */
export function useFailureText() {
  const errors = wordsOf(useTranslations('errors'))
  const zoneOf = useZone()
  return useCallback(
    (thrown: unknown): Promise<string> =>
      import('./failure-text').then(
        ({ textOfFailure }) => textOfFailure(errors, thrown, zoneOf),
        // without a network it can't be loaded
        () => errors('offline'),
      ),
    [errors, zoneOf],
  )
}
