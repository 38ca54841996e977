import type { Metadata } from 'next'
import { forbidden } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { pageTitle } from '@/lib/request/title'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('shell')
  return pageTitle(t('screens.NoAccess'))
}

/** Applications redirect people here if they refuse them. */
export default function NoAccessPage() {
  forbidden()
}
