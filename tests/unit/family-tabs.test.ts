import { PathnameContext } from 'next/dist/shared/lib/hooks-client-context.shared-runtime'
import { NextIntlClientProvider } from 'next-intl'
import { type ComponentProps, createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { FamilyTabs } from '@/components/shell/family-tabs'
import texts from '@/messages/ru/ui.json'

const families = [
  {
    label: 'Списки',
    tabs: [
      { label: 'Белый', href: '/setting/whitelist', badge: null },
      { label: 'Алиасы', href: '/setting/aliases', badge: 2 },
    ],
  },
]

/** Returns the tabs at a path: their labels, their addresses, and whether they are current. */
function tabsAt(path: string) {
  const tabs = createElement(PathnameContext.Provider, { value: path }, createElement(FamilyTabs, { families }))
  const intl = { locale: 'ru', messages: texts, timeZone: 'UTC' } as ComponentProps<typeof NextIntlClientProvider>
  const page = createElement(NextIntlClientProvider, intl, tabs)
  const html = renderToStaticMarkup(page)
  return [...html.matchAll(/<a ([^>]*)>([^<]*)/g)].map(([, attributes = '', words]) => [
    words,
    /href="([^"]*)"/.exec(attributes)?.[1],
    attributes.includes('aria-current="page"'),
  ])
}

test('the pages of a family are tabs on each of them and below, and nowhere else', () => {
  const shown = (current: string) => [
    ['Белый', '/setting/whitelist', current === 'Белый'],
    ['Алиасы', '/setting/aliases', current === 'Алиасы'],
  ]
  expect(tabsAt('/setting/whitelist')).toEqual(shown('Белый'))
  expect(tabsAt('/setting/aliases/1')).toEqual(shown('Алиасы'))
  expect(tabsAt('/setting/aliases-of-others')).toEqual([])
  expect(tabsAt('/setting')).toEqual([])
})
