import type { Metadata, Viewport } from 'next'
import { NextIntlClientProvider } from 'next-intl'
import { getLocale, getMessages, getTranslations } from 'next-intl/server'
import type { ReactNode } from 'react'
import { PartEnd } from '@/components/hydration/part-end'
import { PreHydrationScript } from '@/components/hydration/pre-hydration-script'
import { FontPreload } from '@/components/look/font-preload'
import { Snackbar } from '@/components/ui/snackbar'
import { pickMessages } from '@/lib/base/i18n/messages'
import { isPlainPage, pageContext, pageNonce } from '@/lib/request/page'
import { pageTheme } from '@/lib/request/theme'
import { styleSheetAddress } from '@/lib/site/domains/style-templates'
import '@fontsource-variable/golos-text/wght.css'
import './globals.css'
import './forced-colors.css'

export const metadata: Metadata = {
  referrer: 'strict-origin-when-cross-origin',
  formatDetection: { telephone: false },
  // search engines list a page only if it asks for it: docs/rules/pages.md#search-engines
  robots: { index: false, follow: false },
}

export const viewport: Viewport = {
  // only then a phone says how much of its screen the safe area leaves: docs/quality.md#u13
  viewportFit: 'cover',
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#fbfbf9' },
    { media: '(prefers-color-scheme: dark)', color: '#111417' },
  ],
}

export default async function RootLayout({ children }: { children: ReactNode }) {
  const [{ ctx }, locale, theme, messages, t, nonce, isPlain] = await Promise.all([
    pageContext(),
    getLocale(),
    pageTheme(),
    getMessages(),
    getTranslations('common'),
    pageNonce(),
    isPlainPage(),
  ])
  return (
    <html lang={locale} data-theme={theme}>
      <head>
        {isPlain ? null : <PreHydrationScript nonce={nonce} />}
        <FontPreload locale={locale} />
        <link rel="stylesheet" href={styleSheetAddress(ctx.domain.styleTemplate)} />
      </head>
      <body className="font-sans">
        <NextIntlClientProvider messages={pickMessages(messages, ['failure'])}>{children}</NextIntlClientProvider>
        {isPlain ? null : (
          <>
            <Snackbar label={t('notices')} close={t('closeNotice')} />
            <PartEnd />
          </>
        )}
      </body>
    </html>
  )
}
