import { createElement } from 'react'
import { expect, test, vi } from 'vitest'
import { failureOf } from '@/app/platform/(auth)/_ui/failure'
import { RegistrationFailure } from '@/app/platform/(auth)/registration/_ui/registration-failure'
import { loadMessages } from '@/lib/base/i18n/messages'
import { drawn } from '../../factories/server-part'

vi.mock('next-intl/server', async () => (await import('../../factories/server-part')).serverIntl)

type Failed = Parameters<typeof failureOf>[0]
const fields = { email: { id: 'email', label: 'E-mail' } }

/** What the form shows after it has failed so. */
async function pageOf(locale: 'ru' | 'en', outcome: Failed) {
  const messages = await loadMessages(locale)
  const { errorRequestTitle: title } = messages.registration
  const part = createElement(RegistrationFailure, { failure: failureOf(outcome), fields, title })
  return { messages, page: await drawn(locale, part) }
}
const failing = (status: number, code: string): Failed => ({ status, code, data: {}, requestId: 'request-7' })

test.each(['ru', 'en'] as const)(
  'a fault of the platform says in %s what failed, whom to ask, and its id',
  async (locale) => {
    for (const error of [failing(500, 'errorUnknown'), failing(503, 'unavailable')]) {
      const { messages, page } = await pageOf(locale, error)
      expect(page).toContain(messages.registration.errorRequestTitle)
      expect(page).toContain(messages.registration.errorRequestText)
      expect(page).toContain('request-7')
    }
  },
)

test('a refusal without a text of its own says whom to ask, one with a text says that', async () => {
  const unknown = await pageOf('en', failing(403, 'forbiddenOrigin'))
  expect(unknown.page).toContain(unknown.messages.registration.errorRequestText)
  const closed = await pageOf('en', failing(403, 'registrationDisabled'))
  expect(closed.page).toContain(closed.messages.errors.registrationDisabled)
  expect(closed.page).not.toContain(closed.messages.registration.errorRequestText)
})

test('a wrong field has the title and the text of wrong fields; a fault that no field shows has that of the step', async () => {
  const faultOf = (field: string) =>
    pageOf('en', { status: 400, code: 'errorFields', data: { errorList: [{ field, code: 'errorEmail' }] } })
  const { messages, page } = await faultOf('email')
  expect(page).toContain(messages.registration.errorFieldsTitle)
  expect(page).toContain(messages.registration.errorFieldsText)
  const other = await faultOf('language')
  expect(other.page).toContain(messages.registration.errorRequestTitle)
  expect(other.page).not.toContain(messages.registration.errorFieldsText)
})
