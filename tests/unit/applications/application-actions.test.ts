import { NextIntlClientProvider } from 'next-intl'
import { type ComponentProps, createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { useApplicationActions } from '@/app/platform/(admin)/setting/applications/_ui/use-application-actions'
import texts from '@/messages/ru/applications.json'

type Application = Parameters<typeof useApplicationActions>[0]

const link: Application = {
  id: '',
  type: 'link',
  code: 'portal',
  url: 'https://portal.example/',
  enabled: true,
  menuVisible: true,
  immutable: false,
  actionsAccess: 1,
  clientCount: 0,
  updatedAt: '',
}

type Props = { application: Application }
const Reason = ({ application }: Props) => useApplicationActions(application, 'Portal').remove.unavailable ?? ''

/** Returns why the menu of an application doesn't offer to delete it, or nothing if it does. */
function keptBecause(wishes: Partial<Application>) {
  const intl = { locale: 'ru', messages: texts, timeZone: 'UTC' } as ComponentProps<typeof NextIntlClientProvider>
  const reason = createElement(Reason, { application: { ...link, ...wishes } })
  return renderToStaticMarkup(createElement(NextIntlClientProvider, intl, reason))
}

test('an application is offered for deletion unless it comes with the platform or is fixed', () => {
  const { keepShipped, fixedPlatform } = texts.applications
  expect(keptBecause({})).toBe('')
  expect(keptBecause({ type: 'external' })).toBe('')
  expect(keptBecause({ type: 'internal' })).toBe(keepShipped)
  expect(keptBecause({ immutable: true })).toBe(keepShipped)
  expect(keptBecause({ actionsAccess: 2 })).toBe(fixedPlatform)
})
