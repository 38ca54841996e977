import { NextIntlClientProvider } from 'next-intl'
import { getMessages } from 'next-intl/server'
import type { ReactNode } from 'react'
import { pickMessages } from '@/lib/base/i18n/messages'
import { developmentOnly } from '@/lib/request/development'

/** Pages for developers. Production doesn't have them. */
export default async function GalleryLayout({ children }: { children: ReactNode }) {
  developmentOnly()
  const messages = pickMessages(await getMessages(), [
    'account',
    'access-lists',
    'administration',
    'blacklist',
    'common',
    'errors',
    'gallery',
    'invitation-import',
    'notices',
    'shell',
    'profile',
    'runs',
    'snackbar',
    'ui',
    'whitelist',
  ])
  return <NextIntlClientProvider messages={messages}>{children}</NextIntlClientProvider>
}
