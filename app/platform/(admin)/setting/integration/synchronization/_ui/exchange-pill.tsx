import { useTranslations } from 'next-intl'
import { syncTones } from '@/components/batch-job/tones'
import { Pill } from '@/components/ui/pill'
import type { IntegrationSync } from '@/lib/exchanges/exchanges/contract'

/** The state of an exchange. A batch job that ended with failed rows has another tone than one without. */
export function ExchangePill({ details: { status, error } }: Pick<IntegrationSync, 'details'>) {
  const t = useTranslations('integration')
  if (status === 'success' && error > 0) return <Pill tone="warning">{t('partly')}</Pill>
  return <Pill tone={syncTones[status]}>{t(`statuses.${status}`)}</Pill>
}
