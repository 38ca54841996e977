import { createTranslator } from 'next-intl'
import { createElement, type ReactElement } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { failureOf } from '@/app/platform/(auth)/_ui/failure'
import { FailureAlert } from '@/app/platform/(auth)/_ui/failure-alert'
import { useMobileError } from '@/app/platform/(auth)/_ui/use-mobile-error'
import { WhyNotSent } from '@/app/platform/(auth)/forgot-password/_ui/why-not-sent'
import { RegistrationFailure } from '@/app/platform/(auth)/registration/_ui/registration-failure'
import { textOfFailure } from '@/components/form/failure-text'
import { CallError } from '@/lib/base/http/client'
import { loadMessages, pickMessages } from '@/lib/base/i18n/messages'
import { wordsOf } from '@/lib/base/i18n/words'
import { drawn } from '../../factories/server-part'

// the end of a wait is computed twice: by the page, and by the test
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.now() }))
afterEach(() => void vi.useRealTimers())

vi.mock('next-intl/server', async () => (await import('../../factories/server-part')).serverIntl)

const locales = ['ru', 'en'] as const
const timeZone = 'Asia/Kamchatka'
const zone = 'UTC+12'
const day = 86_400
const limited = (code: string, seconds: number) => ({ status: 429, code, data: {}, until: Date.now() + seconds * 1000 })
type Limited = ReturnType<typeof limited>

/** How texts name the minute in which a limit has ended, if it ends after so many seconds. */
function endOf(locale: string, seconds: number) {
  const moment = Math.ceil((Date.now() + seconds * 1000) / 60_000) * 60_000
  const format = (form: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { ...form, timeZone }).format(moment).replaceAll(/[\u00a0\u202f]/g, ' ')
  return { day: format({ day: 'numeric', month: 'long' }), time: format({ hour: 'numeric', minute: '2-digit' }) }
}

const page = async (locale: 'ru' | 'en', part: ReactElement) =>
  (await drawn(locale, part, timeZone)).replaceAll(/[\u00a0\u202f]/g, ' ')

/** What the step of a mobile says, at the field and above it. */
function MobileStep({ outcome }: { outcome: Limited }) {
  const failed = { failure: failureOf(outcome), errors: {}, typed: () => undefined, all: () => [], has: () => false }
  return useMobileError(failed) ?? createElement(FailureAlert, { failure: failed.failure })
}
const mobileStep = (outcome: Limited) => createElement(MobileStep, { outcome })
const summary = (outcome: Limited) => createElement(FailureAlert, { failure: failureOf(outcome) })
const registration = (outcome: Limited) =>
  createElement(RegistrationFailure, { failure: failureOf(outcome), fields: {}, title: 'x' })

/** Where people meet a limit of a day. */
const longOnes: [name: string, part: () => ReactElement][] = [
  ['sign-in: codes of the day', () => summary(limited('codeDailyLimit', day))],
  ['sign-in: an address', () => summary(limited('tooManyAttempts', day))],
  ['registration: an address', () => registration(limited('registrationDailyLimit', day))],
  ['registration: an e-mail', () => registration(limited('registrationEmailLimit', day))],
  ['registration: wrong codes of the address', () => registration(limited('tooManyAttempts', day))],
  ['registration, invitation: codes to a mobile', () => mobileStep(limited('codeDailyLimit', day))],
  ['registration, invitation: codes of an address', () => mobileStep(limited('tooManyAttempts', day))],
  [
    'recovery: links of the day',
    () => createElement(WhyNotSent, { failure: failureOf(limited('recoveryDailyLimit', day)) }),
  ],
]

test.each(longOnes)('%s: the page says until which day and time, in the zone of the reader', async (_, part) => {
  for (const locale of locales) {
    const { day: date, time } = endOf(locale, day)
    const html = await page(locale, part())
    expect(html).toContain(date)
    expect(html).toContain(`${time} (${zone})`)
  }
})

test('registration says which limit it was, and what else can be done', async () => {
  for (const locale of locales) {
    const byMail = await page(locale, registration(limited('registrationEmailLimit', day)))
    expect(byMail).toContain({ ru: 'Укажите другую почту', en: 'Enter another e-mail' }[locale])
    const byAddress = await page(locale, registration(limited('registrationDailyLimit', day)))
    expect(byAddress).toContain({ ru: 'слишком много регистраций', en: 'too many registrations' }[locale])
  }
})

test('a wait of minutes is counted down and names its end, one of seconds is counted down alone', async () => {
  for (const locale of locales) {
    expect(await page(locale, summary(limited('tooManyAttempts', 300)))).toContain(
      `${endOf(locale, 300).time} (${zone})`,
    )
    expect(await page(locale, summary(limited('tooManyAttempts', 40)))).not.toContain(endOf(locale, 40).time)
  }
})

test.each(['tooManyAttempts', 'codeDailyLimit', 'recoveryDailyLimit'])(
  'a form of somebody who is signed in names the end of %s',
  async (code) => {
    for (const locale of locales) {
      const messages = await loadMessages(locale)
      const t = wordsOf(createTranslator({ locale, messages, timeZone, namespace: 'errors' }))
      const text = textOfFailure(t, new CallError(429, code, {}, 'r', day), () => zone).replaceAll(
        /[\u00a0\u202f]/g,
        ' ',
      )
      const end = endOf(locale, day)
      expect(text).toContain(end.day)
      expect(text).toContain(`${end.time} (${zone})`)
    }
  },
)

test('an address that was opened today says when and by whom, and when it can be opened again', async () => {
  const [at, until] = [day, 2 * day].map((seconds) => Math.ceil((Date.now() + seconds * 1000) / 60_000) * 60_000)
  const data = { errorList: [{ field: 'ip', code: 'errorAddressLiftedBy', params: { at, until, by: 'Анна Ким' } }] }
  for (const locale of locales) {
    const all = await loadMessages(locale)
    const messages = pickMessages(all, ['address-limits']) as unknown as typeof all
    const t = wordsOf(createTranslator({ locale, messages, timeZone, namespace: 'errors' }))
    const text = textOfFailure(t, new CallError(429, 'addressLifted', data as never, 'r', day), () => zone)
    const plain = text.replaceAll(/[\u00a0\u202f]/g, ' ')
    for (const part of [
      'Анна Ким',
      endOf(locale, day).day,
      endOf(locale, 2 * day).day,
      endOf(locale, day).time,
      `(${zone})`,
    ])
      expect(plain).toContain(part)
  }
})
