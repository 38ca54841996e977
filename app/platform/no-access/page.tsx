import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { pageTitle } from '@/lib/request/title'
import { NoAccessPage } from '../_ui/no-access-page'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('shell')
  return pageTitle(t('screens.NoAccess'))
}

/** Applications redirect people here if they refuse them. The server process answers 403 (`giveStatus`). */
export default NoAccessPage
