import { createElement, type ReactElement } from 'react'
import { expect, test, vi } from 'vitest'
import { failureOf } from '@/app/platform/(auth)/_ui/failure'
import { FailureAlert } from '@/app/platform/(auth)/_ui/failure-alert'
import { type FormFailure, formFailure } from '@/app/platform/(auth)/_ui/form-failure'
import { MobileCode } from '@/app/platform/(auth)/_ui/mobile-code'
import { MobileNumber } from '@/app/platform/(auth)/_ui/mobile-number'
import { AskForLink } from '@/app/platform/(auth)/forgot-password/_ui/ask-for-link'
import { Decline } from '@/app/platform/(auth)/invitation/[id]/_ui/decline'
import { CodeStep } from '@/app/platform/(auth)/login/_ui/code-step'
import { IdStep } from '@/app/platform/(auth)/login/_ui/id-step'
import { PasswordStep } from '@/app/platform/(auth)/login/_ui/password-step'
import { TermsStep } from '@/app/platform/(auth)/login/_ui/terms-step'
import { loadMessages } from '@/lib/base/i18n/messages'
import type { Outcome } from '@/lib/request/forms/outcome'
import { drawn } from '../../factories/server-part'

vi.mock('next-intl/server', async () => (await import('../../factories/server-part')).serverIntl)

let outcome: Outcome | null = null
vi.mock('@/lib/request/page', () => ({ pageOutcome: async () => outcome, pageFormToken: async () => 'token' }))

const locales = ['ru', 'en'] as const
const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ')
const page = async (locale: 'ru' | 'en', part: ReactElement) => plain(await drawn(locale, part))

test.each([
  ['a fault of ours', { status: 500, code: 'errorServer', data: {}, requestId: 'r1' }],
  ['Redis that is away', { status: 503, code: 'unavailable', data: {} }],
])('%s is a technical error, with the way to the sign-in and to support', async (_, failed) => {
  for (const [locale, title] of [
    ['ru', 'Техническая ошибка'],
    ['en', 'Technical error'],
  ] as const) {
    const html = await page(locale, createElement(FailureAlert, { failure: failureOf(failed) }))
    expect(html).toContain(title)
    const links = [...html.matchAll(/<a href="([^"]*)"/g)].map(([, href]) => href)
    expect(links).toEqual(['/platform/login', '/platform/help'])
  }
})

const attempt = { idAttribute: 'login', identifier: 'ivan' } as const
const document = { id: 'rules', version: 1, title: 'Rules', linkTitle: 'rules', link: '/rules' }
const later = { attempt, others: [], back: '?step=id' }
const code = { code: { resendIn: 0, endTime: new Date(Date.now() + 600_000).toISOString() }, codeDigits: 6 }
const mobile = { mobile: '+79990000000', change: '?step=mobile' }
const number = { countries: [], asked: undefined, skip: null, opens: true }
const identify = { allowed: ['login'] as ['login'], identifier: undefined, remembered: undefined, other: '?step=id' }
const around = { providers: null, registration: null, offersPasskeys: false }

/** The steps, each with a field that it shows. */
const steps: Record<string, [field: string, (failed: FormFailure) => ReactElement]> = {
  identifier: ['login', (failed) => createElement(IdStep, { ...identify, ...around, failed })],
  password: ['password', (failed) => createElement(PasswordStep, { ...later, failed })],
  code: ['code', (failed) => createElement(CodeStep, { ...later, ...code, flow: 'email_code', failed })],
  agreements: [
    'terms-rules',
    (failed) => createElement(TermsStep, { ...later, terms: [document as never], flow: 'credentials', failed }),
  ],
  recovery: ['email', (failed) => createElement(AskForLink, { email: '', failed })],
  'number of a mobile': ['mobile', (failed) => createElement(MobileNumber, { ...number, failed })],
  'code of a mobile': ['code', (failed) => createElement(MobileCode, { ...mobile, ...code, failed })],
  'declining an invitation': [
    'hash',
    (failed) => createElement(Decline, { inviter: 'Anna', company: 'Polaris', back: '/', failed }),
  ],
}

/** What a step shows of a fault. */
async function stepWith(step: string, locale: 'ru' | 'en', fault: { field: string; code: string }) {
  outcome = { form: 'x', status: 400, code: 'errorFields', data: { errorList: [fault] }, values: [] }
  const failed = await formFailure()
  return page(locale, steps[step]?.[1](failed as FormFailure) as ReactElement)
}

test.each(Object.keys(steps))('a code without a text has a text at the step “%s”', async (step) => {
  for (const locale of locales) {
    const { errors } = await loadMessages(locale)
    const html = await stepWith(step, locale, { field: steps[step]?.[0] ?? '', code: 'errorOfTomorrow' })
    expect(html.toLowerCase()).toContain(plain(errors.errorUnknown).toLowerCase().replace(/\.$/, ''))
    expect(html).not.toContain('errorOfTomorrow</')
  }
})

test('the summary says which action failed if no field shows the fault, else that fields are wrong', async () => {
  for (const locale of locales) {
    const { errors, person, recovery, invitation } = await loadMessages(locale)
    const titles: Record<string, string> = {
      identifier: errors.formError,
      password: errors.formError,
      code: errors.formError,
      agreements: errors.formError,
      recovery: recovery.forgot.failed,
      'number of a mobile': person.codeFailed,
      'code of a mobile': person.verifyFailed,
      'declining an invitation': invitation.decline.failed,
    }
    for (const step of Object.keys(steps))
      expect(await stepWith(step, locale, { field: 'elsewhere', code: 'errorFlow' })).toContain(
        `aria-label="${plain(titles[step] ?? '')}"`,
      )
    const unticked = await stepWith('agreements', locale, { field: 'terms-rules', code: 'errorTerms' })
    expect(unticked).toContain(`aria-label="${plain(errors.errorFields)}"`)
  }
})
