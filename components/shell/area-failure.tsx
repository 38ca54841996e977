'use client'

import { useTranslations } from 'next-intl'
import { useEffect } from 'react'
import { Button } from '../ui/button'
import { buttonClasses } from '../ui/button-classes'
import { digestOf } from '../ui/digest-of'
import { PageHeader } from '../ui/page-header'
import { isMissingChunk, mayReload } from '../ui/stale-page'

/**
 * The error page inside an area, whose menu stays. If a script is missing because of a new version, the page reloads
 * itself.
 */
export function AreaFailure({ error, retry }: { error: unknown; retry: () => void }) {
  const t = useTranslations('failure.error')
  const missing = isMissingChunk(error)
  useEffect(() => {
    if (missing && mayReload(() => sessionStorage, Date.now())) window.location.reload()
  }, [missing])
  const digest = digestOf(error)
  return (
    <div className="grid justify-items-start gap-6">
      <title>{t('title')}</title>
      <PageHeader title={t('title')} text={t('text')} />
      {digest ? (
        <p className="text-ink-second text-note">
          {t('code')}: <span className="break-all font-mono">{digest}</span>
        </p>
      ) : null}
      <div className="flex flex-wrap gap-3">
        <Button size="L" onClick={missing ? () => window.location.reload() : retry}>
          {t('retry')}
        </Button>
        <a href="/" className={buttonClasses({ variant: 'secondary', size: 'L' })}>
          {t('action')}
        </a>
      </div>
    </div>
  )
}
