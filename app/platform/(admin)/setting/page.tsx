import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { pageUser } from '@/lib/context/navigation'
import { pageContext } from '@/lib/context/page'
import { pageTitle } from '@/lib/context/title'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('shell')
  return pageTitle(t('screens.Platform'))
}

export default async function OverviewPage() {
  const { ctx } = await pageContext()
  await pageUser(ctx, '/platform/setting')
  const t = await getTranslations('shell')
  return <h1 className="text-title">{t('screens.Platform')}</h1>
}
