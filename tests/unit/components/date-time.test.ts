import { NextIntlClientProvider } from 'next-intl'
import { type ComponentProps, createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { DateTime } from '@/components/ui/date-time'
import { loadMessages } from '@/lib/base/i18n/messages'

const moment = '2026-03-01T12:00:00Z'

async function drawn(locale: 'ru' | 'en', timeZone: string, props: Partial<ComponentProps<typeof DateTime>> = {}) {
  const messages = await loadMessages(locale)
  const intl = { locale, messages, timeZone } as ComponentProps<typeof NextIntlClientProvider>
  const html = renderToStaticMarkup(
    createElement(NextIntlClientProvider, intl, createElement(DateTime, { value: moment, ...props })),
  )
  return html.replace(/<[^>]*>/g, '').replaceAll(/[\u00a0\u202f]/g, ' ')
}

test('a time names its zone, a date has none', async () => {
  expect(await drawn('ru', 'Europe/Moscow')).toMatch(/15:00 МСК$/)
  expect(await drawn('en', 'Europe/Moscow')).toMatch(/3:00 PM Moscow time$/)
  expect(await drawn('ru', 'Asia/Yekaterinburg', { form: 'time' })).toBe('17:00 UTC+5')
  expect(await drawn('ru', 'Europe/Moscow', { form: 'date' })).not.toContain('МСК')
})
