'use client'

import { useTranslations } from 'next-intl'
import { type ComponentProps, lazy, Suspense } from 'react'
import type { FailureSummary } from './failure-summary'

type Props = ComponentProps<typeof FailureSummary>

/** Shown if the summary can't be loaded offline; the fields show their own errors. */
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

/** FailureSummary for a page that must stay small: loaded with the first failure. */
export const FailureLater = (props: Props) =>
  props.failed ? (
    <Suspense fallback={null}>
      <Summary {...props} />
    </Suspense>
  ) : null
