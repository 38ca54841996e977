import { NextIntlClientProvider } from 'next-intl'
import { getMessages } from 'next-intl/server'
import type { ReactNode } from 'react'
import { developmentOnly } from '@/lib/context/development'
import { pickMessages } from '@/lib/kernel/i18n/messages'

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
