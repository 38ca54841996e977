'use client'

import { useTranslations } from 'next-intl'
import { ErrorPage } from '@/components/shell/error-page'

export default function ErrorBoundary({ error, retry }: { error: unknown; retry: () => void }) {
  const t = useTranslations('failure.error')
  const words = { title: t('title'), text: t('text'), code: t('code'), retry: t('retry'), action: t('action') }
  return <ErrorPage error={error} retry={retry} words={words} />
}
