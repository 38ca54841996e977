import { createElement } from 'react'
import { expect, test, vi } from 'vitest'
import { failureOf } from '@/app/platform/(auth)/_ui/failure'
import { FailureAlert } from '@/app/platform/(auth)/_ui/failure-alert'
import { CallError } from '@/lib/base/http/client'
import { drawn } from '../../factories/server-part'

vi.mock('next-intl/server', async () => (await import('../../factories/server-part')).serverIntl)

test.each([
  ['no answer', new CallError(0, 'techError', {}, undefined, undefined)],
  ['a fault of ours', new CallError(500, 'errorServer', {}, 'r1', undefined)],
])('%s is a technical error, with the way to the sign-in and to support', async (_, error) => {
  for (const [locale, title] of [
    ['ru', 'Техническая ошибка'],
    ['en', 'Technical error'],
  ] as const) {
    const html = await drawn(locale, createElement(FailureAlert, { failure: failureOf(error), fields: {} }))
    expect(html.replaceAll('\u00a0', ' ')).toContain(title)
    const links = [...html.matchAll(/<a href="([^"]*)"/g)].map(([, href]) => href)
    expect(links).toEqual(['/platform/login', '/platform/help'])
  }
})
