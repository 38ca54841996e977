import { NextIntlClientProvider } from 'next-intl'
import { type ComponentProps, createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Difference } from '@/components/history/difference'
import type { Plain } from '@/lib/base/audit/values'
import { textLocales } from '@/lib/base/i18n/choose-locale'
import { loadMessages } from '@/lib/base/i18n/messages'
import type { Names } from '@/lib/operations/history/contract'
import { diffOf } from '@/lib/operations/history/diff'
import { domainEntity } from '@/lib/site/domains/entity'

const locale = '3a6f91f2-0000-4000-8000-000000000001'
const banner = 'a0abb2a1-0000-4000-8000-000000000002'
const unknownId = 'c0ffee00-0000-4000-8000-000000000003'

/** The text of each row of a change: where, what was, and what is. */
async function rowsOf(
  language: 'ru' | 'en',
  field: 'locales' | 'devicesIdAttributes',
  sides: [Plain, Plain],
  names: Names,
) {
  const messages = await loadMessages(language)
  const [previous, current] = sides.map((value) => ({ value })) as [{ value: Plain }, { value: Plain }]
  const diff = diffOf(domainEntity.fields[field], previous, current)
  const label = domainEntity.fields[field].label
  const intl = { locale: language, messages, timeZone: 'UTC' } as ComponentProps<typeof NextIntlClientProvider>
  const row = createElement(Difference, { change: { field, label, diff }, label: 'FIELD', names, act: 'update' })
  const html = renderToStaticMarkup(createElement(NextIntlClientProvider, intl, row))
  const textIn = (part: string) =>
    part
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim()
  return html
    .split('<dt')
    .slice(1)
    .map((row) => `<dt${row}`.split('<dd').map((part, at) => textIn(at === 0 ? part : `<dd${part}`)))
}

const side = (projectTitle: string, banners: string[]): Plain => [
  { localeId: locale, order: 0, enabled: true, settings: { projectTitle, banners, siteName: '' } },
]

test.each(textLocales)('a change inside a value is shown where it is, in words, %s', async (language) => {
  const { domains, history } = await loadMessages(language)
  const names = { [locale]: 'Русский', [banner]: 'Баннер' }
  const rows = await rowsOf(language, 'locales', [side('Полярис', [banner]), side('Полярис 2', [])], names)
  const { was, is } = history.view
  expect(rows).toEqual([
    [`FIELD Русский · ${domains.projectTitle}`, `− ${was} Полярис`, `+ ${is} Полярис 2`],
    [`FIELD Русский · ${domains.banners}`, `− ${was} Баннер`],
  ])
})

test('what an id without a name stands for is shown short, and beside the difference', async () => {
  const rows = await rowsOf(
    'ru',
    'devicesIdAttributes',
    [{ [unknownId]: ['login'] }, { [unknownId]: ['login', 'email'] }],
    {},
  )
  expect(rows).toEqual([[expect.stringMatching(/^FIELD c0ffee00… /), expect.stringMatching(/ Почта$/)]])
})
