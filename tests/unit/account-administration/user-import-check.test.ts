import { NextIntlClientProvider } from 'next-intl'
import { type ComponentProps, createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { CheckStep } from '@/app/platform/(admin)/setting/users/import/_ui/check-step'
import type { ImportPreview } from '@/lib/account-administration/user-import/contract'
import { loadMessages } from '@/lib/base/i18n/messages'

// what writes needs the router of a page
vi.mock('@/components/form/use-write', () => ({ useWriter: () => ({ pending: false }) }))

const preview: ImportPreview = {
  ...{
    total: 7,
    good: 7,
    create: 5,
    update: 0,
    same: 2,
    links: 0,
    passwords: 0,
    passwordsLeft: 0,
    apps: 0,
    appsLeft: 0,
  },
  ...{ rows: [], unused: [], lacking: { titles: [], rows: 0 }, faults: [], head: ['login'] },
}
const fault = { row: 3, title: 'anna', code: 'errorEmail', params: {}, cells: ['anna'] }

/** The alert above what the check has found, with its words. */
async function alertOf(counts: Partial<ImportPreview>) {
  const choices = { targets: [], dayOrders: [], by: 'login', mode: 'both', sendLinks: false } as const
  const of = {
    read: { file: new File([], 'a.csv'), wishes: {} },
    choices: { ...choices, targets: [], dayOrders: [] },
    preview: { ...preview, ...counts },
    onBack: () => {},
    onStarted: () => {},
  }
  const intl = { locale: 'en', messages: await loadMessages('en'), timeZone: 'UTC' }
  const page = renderToStaticMarkup(
    createElement(
      NextIntlClientProvider,
      intl as ComponentProps<typeof NextIntlClientProvider>,
      createElement(CheckStep, of),
    ),
  )
  const [alert = ''] = page.split('</div></div></div>')
  return {
    alert,
    words: alert
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim(),
  }
}

test.each([
  [{}, 'bg-ok', '5 rows can be written'],
  [{ create: 0, same: 7 }, 'bg-ok', '0 changes 7 rows of the file'],
  [
    { good: 5, create: 3, faults: [fault] },
    'bg-warning',
    '2 rows have errors and won’t be written 3 rows can be written',
  ],
  [
    { good: 6, create: 0, same: 6, faults: [fault] },
    'bg-warning',
    '1 row has errors and won’t be written 6 rows of the file',
  ],
  [{ good: 0, create: 0, same: 0, faults: [fault] }, 'bg-danger', 'Nothing can be written'],
])('the check of a file is praised only without faults: %#', async (counts, tone, text) => {
  const { alert, words } = await alertOf(counts)
  expect(words.slice(0, text.length)).toBe(text)
  expect(alert).toContain(tone)
})
