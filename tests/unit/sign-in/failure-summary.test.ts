import { NextIntlClientProvider } from 'next-intl'
import { type ComponentProps, createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { failureOf } from '@/app/platform/(auth)/_ui/failure'
import { FailureSummary } from '@/app/platform/(auth)/_ui/failure-summary'
import { CallError } from '@/lib/base/http/client'
import { loadMessages } from '@/lib/base/i18n/messages'

/** Draws the summary of a failed call. */
async function drawn(locale: 'ru' | 'en', error: CallError) {
  const messages = await loadMessages(locale)
  const intl = { locale, messages, timeZone: 'Europe/Moscow' } as ComponentProps<typeof NextIntlClientProvider>
  const part = createElement(FailureSummary, { failed: { failure: failureOf(error), count: 1 }, fields: {} })
  return renderToStaticMarkup(createElement(NextIntlClientProvider, intl, part)).replaceAll('\u00a0', ' ')
}

test.each([
  ['no answer', new CallError(0, 'techError', {}, undefined, undefined)],
  ['a fault of ours', new CallError(500, 'errorServer', {}, 'r1', undefined)],
])('%s is a technical error, with the way to the sign-in and to support', async (_, error) => {
  for (const [locale, title] of [
    ['ru', 'Техническая ошибка'],
    ['en', 'Technical error'],
  ] as const) {
    const html = await drawn(locale, error)
    expect(html).toContain(title)
    const links = [...html.matchAll(/<a href="([^"]*)"/g)].map(([, href]) => href)
    expect(links).toEqual(['/platform/login', '/platform/help'])
  }
})
