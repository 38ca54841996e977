import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { FailurePage } from '@/components/shell/failure-page'
import { buttonClasses } from '@/components/ui/button-classes'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('not-found')
  return { title: t('title') }
}

export default async function NotFound() {
  const t = await getTranslations('not-found')
  return (
    <FailurePage title={t('title')} text={t('text')}>
      <a href="/" className={buttonClasses({ size: 'L' })}>
        {t('action')}
      </a>
    </FailurePage>
  )
}
