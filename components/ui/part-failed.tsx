'use client'

import { useTranslations } from 'next-intl'
import { Button } from '../ui/button'
import { EmptyState } from '../ui/empty-state'

/** A list that didn't load, for `error.tsx`; `retry` is what Next passes. */
export function ListFailed({ retry }: { retry: () => void }) {
  const t = useTranslations('ui.list')
  return (
    <EmptyState
      tone="danger"
      title={t('failedTitle')}
      text={t('failedText')}
      action={
        <Button variant="secondary" size="S" onClick={retry}>
          {t('retry')}
        </Button>
      }
    />
  )
}
