'use client'

import { useTranslations } from 'next-intl'
import { type ComponentProps, type ComponentType, useEffect, useState } from 'react'
import { Button } from '@/components/ui/button'
import type { FailureSummary } from './failure-summary'
import { stepForm } from './step-title'
import { WaysOut } from './ways-out'

type Props = ComponentProps<typeof FailureSummary>

/**
 * FailureSummary for a page that must stay small: it is loaded with the first failure. Offline a short text replaces
 * it.
 */
export function FailureLater(props: Props) {
  const { failed } = props
  const t = useTranslations()
  const [Summary, setSummary] = useState<ComponentType<Props> | 'offline'>()
  useEffect(() => {
    if (!failed) return
    import('./failure-summary').then(
      ({ FailureSummary }) => setSummary(() => FailureSummary),
      () => setSummary('offline'),
    )
  }, [failed])
  if (!failed || !Summary) return null
  if (Summary !== 'offline') return <Summary {...props} />
  return (
    <div role="alert" className="grid justify-items-start gap-2 text-danger">
      <p className="font-semibold">{t('errors.techErrorTitle')}</p>
      <p>{t('errors.offline')}</p>
      <Button type="submit" form={stepForm.id} variant="secondary">
        {t('common.tryAgain')}
      </Button>
      <WaysOut />
    </div>
  )
}
