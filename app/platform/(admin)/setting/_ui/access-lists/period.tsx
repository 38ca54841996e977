import { useTranslations } from 'next-intl'
import { DateTime } from '@/components/ui/date-time'

/** The time in which an entry counts; both ends are included. */
export function Period({ dateFrom, dateTo }: { dateFrom: string | null; dateTo: string | null }) {
  const t = useTranslations('access-lists')
  if (!dateFrom && !dateTo) return t('always')
  return (
    <span className="flex flex-wrap gap-x-1">
      {dateFrom ? <span>{t.rich('from', { date: () => <DateTime value={dateFrom} /> })}</span> : null}
      {dateTo ? <span>{t.rich('to', { date: () => <DateTime value={dateTo} /> })}</span> : null}
    </span>
  )
}
