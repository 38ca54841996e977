'use client'

import { CircleAlert } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { Button } from './button'
import { EmptyState } from './empty-state'

type Props = {
  of?: 'part' | 'list' | undefined
  retry: () => void
  /** The id by which support finds the error. */
  code?: string | undefined
}

/** A list, or another part of a page, that didn't load. */
export function PartFailed({ of = 'part', retry, code }: Props) {
  const t = useTranslations('ui.failure')
  return (
    <EmptyState
      tone="danger"
      icon={<CircleAlert aria-hidden="true" strokeWidth={1.75} className="size-6 text-danger" />}
      title={t(of)}
      text={
        <>
          {t('text')}
          {code ? (
            <span className="mt-1.5 block text-note">
              {t('code')}: <span className="break-all font-mono">{code}</span>
            </span>
          ) : null}
        </>
      }
      action={
        <Button variant="secondary" size="S" onClick={retry}>
          {t('retry')}
        </Button>
      }
    />
  )
}
