import { useTranslations } from 'next-intl'
import { useLimitEnd } from '@/components/form/use-limit-end'
import { Alert } from '@/components/ui/alert'
import type { Failure } from '../../_ui/failure'
import { FailureAlert, failureBox } from '../../_ui/failure-alert'

/** Returns whether the daily limit is the reason, and when links are sent again, if that is known. */
export function dailyLimitOf(failure: Failure | null): { until: number | null } | null {
  if (failure?.kind !== 'wait' && failure?.kind !== 'refused') return null
  if (failure.code !== 'recoveryDailyLimit') return null
  return { until: failure.kind === 'wait' ? failure.until : null }
}

/** Explains above the form why no link was sent and what to do instead. */
export function WhyNotSent({ failure }: { failure: Failure | null }) {
  const t = useTranslations('recovery.forgot')
  const endOf = useLimitEnd()
  const limit = dailyLimitOf(failure)
  // a countdown of a day is useless: the page names the hour
  if (limit)
    return (
      <Alert {...failureBox(t('limit.title'), true)}>
        <p>
          {limit.until ? t('limit.until', endOf(limit.until)) : t('limit.closed')} {t('limit.text')}
        </p>
      </Alert>
    )
  if (failure?.kind === 'refused' && failure.code === 'directoryAccount')
    return (
      // no failure: the link may have been sent
      <Alert tone="info" role="alert" aria-label={t('directory.title')} title={t('directory.title')}>
        <p>{t('directory.text')}</p>
      </Alert>
    )
  return <FailureAlert announced failure={failure} action={t('failed')} />
}
