import { getTimeZone, getTranslations } from 'next-intl/server'
import { zoneLabel } from '@/lib/base/text/time-zone'

/** Returns what names the zone of the page beside a time, as `useZone` does, for parts that the server draws. */
export async function getZone(): Promise<(moment: Date) => string> {
  const [timeZone, t] = await Promise.all([getTimeZone(), getTranslations('common')])
  return (moment) => zoneLabel(timeZone, moment, t('moscow'))
}
