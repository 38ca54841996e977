import { useTranslations } from 'next-intl'
import { syncTones } from '@/components/batch-job/tones'
import { Pill } from '@/components/ui/pill'
import type { SyncDetails } from '@/lib/directory-sync/providers/contract'

/** The state of a synchronization. One that left people out has another tone than one without failures. */
export function ProviderSyncPill({ details: { status, error } }: { details: Pick<SyncDetails, 'status' | 'error'> }) {
  const t = useTranslations('providers')
  if (status === 'success' && error > 0) return <Pill tone="warning">{t('partly', { count: error })}</Pill>
  return <Pill tone={syncTones[status]}>{t(`statuses.${status}`)}</Pill>
}
