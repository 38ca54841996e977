import type { Metadata } from 'next'
import { forbidden } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { pageTitle } from '@/lib/context/title'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('shell')
  return pageTitle(t('screens.NoAccess'))
}

/** Applications send people here whom they refuse. */
export default function NoAccessPage() {
  forbidden()
}
