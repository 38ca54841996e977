import { NextIntlClientProvider } from 'next-intl'
import { type ComponentProps, createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { RunLength } from '@/components/batch-job/run-length'
import { loadMessages } from '@/lib/base/i18n/messages'

const day = 86_400

test.each([
  ['ru', ['5 с', '2 мин 14 с', '3 ч 0 мин', '2 д 3 ч 4 мин']],
  ['en', ['5 s', '2 min 14 s', '3 h 0 min', '2 d 3 h 4 min']],
] as const)('a run says in %s how many days, hours and minutes it took', async (locale, words) => {
  const messages = await loadMessages(locale)
  const intl = { locale, messages, timeZone: 'Europe/Moscow' } as ComponentProps<typeof NextIntlClientProvider>
  const said = [5, 134, 3 * 3600, 2 * day + 3 * 3600 + 4 * 60 + 59].map((seconds) =>
    renderToStaticMarkup(createElement(NextIntlClientProvider, intl, createElement(RunLength, { seconds }))),
  )
  expect(said.map((text) => text.replaceAll('\u00a0', ' '))).toEqual(words)
})
