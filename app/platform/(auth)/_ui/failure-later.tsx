'use client'

import { useTranslations } from 'next-intl'
import { type ComponentProps, lazy, Suspense } from 'react'
import type { FailureSummary } from './failure-summary'

type Props = ComponentProps<typeof FailureSummary>

/** Offline even the summary can't be fetched: then this says the essence; the fields say their own. */
function Plain({ failed }: Props) {
  const t = useTranslations('errors')
  const kind = failed?.failure.kind
  return (
    <p role="alert" className="text-danger">
      {t(kind === 'tech' ? 'techError' : kind === 'expired' ? 'expiredError' : 'formError')}
    </p>
  )
}

const Summary = lazy(async () => ({
  default: await import('./failure-summary').then(
    (module) => module.FailureSummary,
    () => Plain,
  ),
}))

/** FailureSummary for a page that must stay light: fetched with the first failure. */
export const FailureLater = (props: Props) =>
  props.failed ? (
    <Suspense fallback={null}>
      <Summary {...props} />
    </Suspense>
  ) : null
