'use client'

import en from '@/messages/en/failure.json'
import ru from '@/messages/ru/failure.json'
import '@fontsource-variable/golos-text/wght.css'
import './globals.css'
import './forced-colors.css'

/** Replaces the root layout when it fails. It has its own texts and uses little that could fail too. */
export default function GlobalError({ retry }: { error: unknown; retry: () => void }) {
  const cookie = typeof document === 'undefined' ? '' : document.cookie
  const locale = cookie.includes('locale=en') ? 'en' : 'ru'
  const { title, text, retry: again } = (locale === 'en' ? en : ru).failure.error
  return (
    <html lang={locale} data-theme={/theme=(light|dark)/.exec(cookie)?.[1]} suppressHydrationWarning>
      <body className="font-sans">
        <title>{title}</title>
        <main className="grid min-h-dvh content-center justify-items-start gap-4 px-6 md:px-12">
          <h1 className="text-title">{title}</h1>
          <p className="text-ink-second">{text}</p>
          <button
            type="button"
            onClick={retry}
            className="rounded-control bg-brand px-5 py-3 font-medium text-brand-ink"
          >
            {again}
          </button>
        </main>
      </body>
    </html>
  )
}
