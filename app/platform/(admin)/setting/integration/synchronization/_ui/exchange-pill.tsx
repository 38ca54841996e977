import { useTranslations } from 'next-intl'
import { syncTones } from '@/components/batch-job/tones'
import { Pill } from '@/components/ui/pill'
import type { IntegrationSync } from '@/lib/exchanges/exchanges/contract'

/** How an exchange is; a run that ended with rows that failed doesn't look as if all were well. */
export function ExchangePill({ details: { status, error } }: Pick<IntegrationSync, 'details'>) {
  const t = useTranslations('integration')
  if (status === 'success' && error > 0) return <Pill tone="warning">{t('partly')}</Pill>
  return <Pill tone={syncTones[status]}>{t(`statuses.${status}`)}</Pill>
}
