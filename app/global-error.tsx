'use client'

import { ErrorPage } from '@/components/shell/error-page'
import en from '@/messages/en/failure.json'
import ru from '@/messages/ru/failure.json'
import './globals.css'

/** Stands in for the root layout, so it brings its own words and finds its language alone. */
export default function GlobalError({ error, retry }: { error: unknown; retry: () => void }) {
  const cookie = typeof document === 'undefined' ? '' : document.cookie
  const locale = /(?:^|; )locale=en(?:;|$)/.test(cookie) ? 'en' : 'ru'
  const words = (locale === 'en' ? en : ru).failure.error
  const theme = /(?:^|; )theme=(light|dark)(?:;|$)/.exec(cookie)?.[1]
  return (
    <html lang={locale} data-theme={theme}>
      <body className="font-sans">
        <ErrorPage error={error} retry={retry} words={words} />
      </body>
    </html>
  )
}
