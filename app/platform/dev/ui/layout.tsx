import { notFound } from 'next/navigation'
import { NextIntlClientProvider } from 'next-intl'
import { getMessages } from 'next-intl/server'
import type { ReactNode } from 'react'
import { env } from '@/lib/kernel/env'
import { pickMessages } from '@/lib/kernel/i18n/messages'

/** Only for those who build pages: production has none of this. */
export default async function GalleryLayout({ children }: { children: ReactNode }) {
  if (env().PLATFORM_MODE === 'production') notFound()
  const messages = pickMessages(await getMessages(), ['common', 'errors', 'gallery', 'snackbar', 'ui'])
  return <NextIntlClientProvider messages={messages}>{children}</NextIntlClientProvider>
}
