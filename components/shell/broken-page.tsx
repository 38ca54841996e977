'use client'

import { useTranslations } from 'next-intl'
import { buttonClasses } from '../ui/button-classes'
import { digestOf } from '../ui/digest-of'
import { FailurePage } from './failure-page'

/** Shown in place of a page that failed. */
export function BrokenPage({ error, retry }: { error: unknown; retry: () => void }) {
  const t = useTranslations('failure.error')
  const digest = digestOf(error)
  return (
    <FailurePage title={t('title')} text={t('text')}>
      <title>{t('title')}</title>
      {digest ? (
        <p className="text-ink-second text-note">
          {t('code')}: <span className="break-all font-mono">{digest}</span>
        </p>
      ) : null}
      <div className="flex flex-wrap gap-3">
        <button type="button" onClick={retry} className={buttonClasses({ size: 'L' })}>
          {t('retry')}
        </button>
        <a href="/" className={buttonClasses({ variant: 'secondary', size: 'L' })}>
          {t('action')}
        </a>
      </div>
    </FailurePage>
  )
}
