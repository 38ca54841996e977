'use client'

import { useTranslations } from 'next-intl'
import { type ComponentProps, type ComponentType, useEffect, useState } from 'react'
import { LinkButton } from '@/components/ui/text-link'
import type { FailureSummary } from './failure-summary'
import { stepForm } from './step-title'

type Props = ComponentProps<typeof FailureSummary>

/** FailureSummary for a page that must stay small: loaded with the first failure; offline a few words stand in for it. */
export function FailureLater(props: Props) {
  const { failed } = props
  const t = useTranslations()
  const [Summary, setSummary] = useState<ComponentType<Props> | null>(null)
  const [offline, setOffline] = useState(false)
  useEffect(() => {
    if (!failed) return
    import('./failure-summary').then(
      ({ FailureSummary }) => setSummary(() => FailureSummary),
      () => setOffline(true),
    )
  }, [failed])
  if (!failed) return null
  if (Summary) return <Summary {...props} />
  return offline ? (
    <p role="alert" className="grid justify-items-start gap-1 text-danger">
      {t('errors.offline')}
      <LinkButton type="submit" form={stepForm.id}>
        {t('common.tryAgain')}
      </LinkButton>
    </p>
  ) : null
}
