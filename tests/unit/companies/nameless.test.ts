import { createTranslator, NextIntlClientProvider } from 'next-intl'
import { type ComponentProps, createElement, type FunctionComponent } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { WhoAsks } from '@/app/platform/(profile)/profile/requests/access/_ui/who-asks'
import { whoOf } from '@/app/platform/(profile)/profile/requests/access/_ui/who-of'
import { noticeText } from '@/components/notifications/notice-text'
import { loadMessages } from '@/lib/base/i18n/messages'
import type { IncomingRequest } from '@/lib/companies/access-requests/contract'

const request: IncomingRequest = {
  requestId: '8c3e0e6a-0f0e-4b5e-9a6e-0d8a5f2d1c11',
  requestDate: '2026-11-20T09:00:00.000Z',
  responseDate: null,
  requestCompanyName: 'ООО «Вектор»',
  requestCompanyInn: '7701234567',
  requestCompanyKpp: '',
  requestCompanyRoles: [],
  responseCompanyName: null,
  responseCompanyInn: null,
  responseCompanyTax: null,
  status: 'considered',
  reason: '',
  user: { id: '8c3e0e6a-0f0e-4b5e-9a6e-0d8a5f2d1c12', name: '', email: null, enabled: true },
  decider: null,
}

const drawn = <P extends object>(part: FunctionComponent<P>, of: P, intl: object) =>
  renderToStaticMarkup(
    createElement(
      NextIntlClientProvider,
      intl as ComponentProps<typeof NextIntlClientProvider>,
      createElement(part, of),
    ),
  )

test.each([
  ['ru', 'Без\u00a0имени'],
  ['en', 'No name'],
] as const)('who asks for access in %s without a name and an e-mail has a neutral word', async (locale, word) => {
  const messages = await loadMessages(locale)
  const t = createTranslator({ locale, messages, namespace: 'access-requests' })
  expect(whoOf(request, t)).toBe(word)
  expect(whoOf({ user: { ...request.user, name: 'Орлова Анна' } }, t)).toBe('Орлова Анна')
  expect(drawn(WhoAsks, { request }, { locale, messages, timeZone: 'UTC' })).toContain(`>${word}<`)
  const notices = createTranslator({ locale, messages, namespace: 'notices' })
  const { title } = noticeText(notices, locale, { kind: 'accessRequested', values: { person: '' } })
  expect(title.endsWith(`: ${word.toLowerCase()}`)).toBe(true)
})
