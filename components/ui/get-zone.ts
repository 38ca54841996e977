import { getTimeZone, getTranslations } from 'next-intl/server'
import { zoneLabel } from '@/lib/base/text/time-zone'

/** Returns a function that names the page's zone for a time, as `useZone` does, for parts that the server renders. */
export async function getZone(): Promise<(moment: Date) => string> {
  const [timeZone, t] = await Promise.all([getTimeZone(), getTranslations('common')])
  return (moment) => zoneLabel(timeZone, moment, t('moscow'))
}
