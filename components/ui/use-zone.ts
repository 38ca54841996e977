import { useTimeZone, useTranslations } from 'next-intl'
import { useCallback } from 'react'
import { defaultTimeZone, zoneLabel } from '@/lib/base/text/time-zone'

/** Returns a function that names the page's zone for a time (docs/rules/texts-and-look.md#times). */
export function useZone(): (moment: Date) => string {
  const timeZone = useTimeZone() ?? defaultTimeZone
  const moscow = useTranslations('common')('moscow')
  return useCallback((moment) => zoneLabel(timeZone, moment, moscow), [timeZone, moscow])
}
