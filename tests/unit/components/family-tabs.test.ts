import { PathnameContext } from 'next/dist/shared/lib/hooks-client-context.shared-runtime'
import { NextIntlClientProvider } from 'next-intl'
import { type ComponentProps, createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { FamilyTabs } from '@/components/shell/family-tabs'
import texts from '@/messages/ru/ui.json'

const families: ComponentProps<typeof FamilyTabs>['families'] = [
  {
    label: 'Списки',
    tabs: [
      { label: 'Белый', href: '/setting/whitelist', badge: null },
      { label: 'Алиасы', href: '/setting/aliases', badge: 2 },
    ],
  },
]

/** Returns the tabs at a path: their labels, their addresses, and whether they are current. */
function tabsAt(path: string, of = families) {
  const tabs = createElement(PathnameContext.Provider, { value: path }, createElement(FamilyTabs, { families: of }))
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
  const expectedTabs = (current: string) => [
    ['Белый', '/setting/whitelist', current === 'Белый'],
    ['Алиасы', '/setting/aliases', current === 'Алиасы'],
  ]
  expect(tabsAt('/setting/whitelist')).toEqual(expectedTabs('Белый'))
  expect(tabsAt('/setting/aliases/1')).toEqual(expectedTabs('Алиасы'))
  expect(tabsAt('/setting/aliases-of-others')).toEqual([])
  expect(tabsAt('/setting')).toEqual([])
})

test('a tab below which the others are is open at its own address only, so that its cards have none', () => {
  const tabs = ['', '/internal', '/sessions'].map((end) => ({ label: end || 'all', href: `/apps${end}`, badge: null }))
  const openTab = (path: string) =>
    tabsAt(path, [{ label: 'Apps', tabs }]).flatMap(([label, , open]) => (open ? label : []))
  expect(openTab('/apps')).toEqual(['all'])
  expect(openTab('/apps/sessions')).toEqual(['/sessions'])
  expect(tabsAt('/apps/0f3c', [{ label: 'Apps', tabs }])).toEqual([])
})
