'use client'

import { useTranslations } from 'next-intl'
import { ErrorSummary } from '@/components/form/error-summary'
import { useLimitEnd } from '@/components/form/use-limit-end'
import { Alert } from '@/components/ui/alert'
import { FailureSummary } from '../../_ui/failure-summary'
import type { Failed } from '../../_ui/use-submission'

type Props = {
  failed: Failed | null
  /** When links are sent again; null if the daily limit isn't the reason. */
  until: number | null
}

/** Explains above the form why no link was sent and what to do instead. The focus doesn't move. */
export function WhyNotSent({ failed, until }: Props) {
  const t = useTranslations('recovery.forgot')
  const tErrors = useTranslations('errors')
  const endOf = useLimitEnd()
  const code = failed?.failure.kind === 'refused' ? failed.failure.code : null
  if (code === 'recoveryDailyLimit')
    return (
      <ErrorSummary key={failed?.count} announced title={t('limit.title')}>
        <p>
          {until ? t('limit.until', endOf(until)) : t('limit.closed')} {t('limit.text')}
        </p>
      </ErrorSummary>
    )
  if (code === 'directoryAccount')
    return (
      // no failure: the link may have been sent
      <Alert
        key={failed?.count}
        tone="info"
        role="alert"
        aria-label={t('directory.title')}
        title={t('directory.title')}
      >
        <p>{t('directory.text')}</p>
      </Alert>
    )
  return <FailureSummary announced failed={failed} formTitle={tErrors('errorFields')} fields={{}} />
}
