import { createTranslator, NextIntlClientProvider } from 'next-intl'
import { type ComponentProps, createElement, type ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { failureOf } from '@/app/platform/(auth)/_ui/failure'
import { FailureSummary } from '@/app/platform/(auth)/_ui/failure-summary'
import { MobileProof } from '@/app/platform/(auth)/_ui/mobile-proof'
import { WhyNotSent } from '@/app/platform/(auth)/forgot-password/_ui/why-not-sent'
import { RegistrationFailure } from '@/app/platform/(auth)/registration/_ui/registration-failure'
import { textOfFailure } from '@/components/form/failure-text'
import { CallError } from '@/lib/base/http/client'
import { loadMessages, pickMessages } from '@/lib/base/i18n/messages'
import { wordsOf } from '@/lib/base/i18n/words'

const locales = ['ru', 'en'] as const
const timeZone = 'Asia/Kamchatka'
const zone = 'UTC+12'
const day = 86_400
const limited = (code: string, seconds: number) => new CallError(429, code, {}, 'r', seconds)

/** How texts name the minute in which a limit has ended, if it ends after so many seconds. */
function endOf(locale: string, seconds: number) {
  const moment = Math.ceil((Date.now() + seconds * 1000) / 60_000) * 60_000
  const format = (form: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { ...form, timeZone }).format(moment).replaceAll(/[\u00a0\u202f]/g, ' ')
  return { day: format({ day: 'numeric', month: 'long' }), time: format({ hour: 'numeric', minute: '2-digit' }) }
}

async function page(locale: 'ru' | 'en', part: ReactElement) {
  const messages = await loadMessages(locale)
  const intl = { locale, messages, timeZone } as ComponentProps<typeof NextIntlClientProvider>
  return renderToStaticMarkup(createElement(NextIntlClientProvider, intl, part)).replaceAll(/[\u00a0\u202f]/g, ' ')
}

const failedBy = (error: CallError) => ({ failure: failureOf(error), count: 1 })
const nothing = () => {}
const proofAfter = (error: CallError) => ({
  ...{ field: { required: true }, typed: '', setTyped: nothing, sent: null, verified: null, pending: null },
  ...{ failure: failureOf(error), forget: nothing, ask: nothing, enter: nothing, change: nothing, check: () => [] },
})
const mobileProof = (error: CallError) => {
  const props = {
    proof: proofAfter(error),
    countries: [],
    home: 'RU',
    codeDigits: 4,
    error: undefined,
    forget: nothing,
  }
  return createElement(MobileProof, props as unknown as ComponentProps<typeof MobileProof>)
}
const summary = (error: CallError) => createElement(FailureSummary, { failed: failedBy(error), fields: {} })
const registration = (error: CallError) =>
  createElement(RegistrationFailure, { failed: failedBy(error), fields: {}, title: 'x' })

/** Where people meet a limit of a day. */
const longOnes: [name: string, part: () => ReactElement][] = [
  ['sign-in: codes of the day', () => summary(limited('codeDailyLimit', day))],
  ['sign-in: an address', () => summary(limited('tooManyAttempts', day))],
  ['registration: an address', () => registration(limited('registrationDailyLimit', day))],
  ['registration: an e-mail', () => registration(limited('registrationEmailLimit', day))],
  ['registration: wrong codes of the address', () => registration(limited('tooManyAttempts', day))],
  ['registration, invitation: codes to a mobile', () => mobileProof(limited('codeDailyLimit', day))],
  ['registration, invitation: codes of an address', () => mobileProof(limited('tooManyAttempts', day))],
  [
    'recovery: links of the day',
    () =>
      createElement(WhyNotSent, {
        failed: { failure: { kind: 'refused', code: 'recoveryDailyLimit' }, count: 1 },
        until: Date.now() + day * 1000,
      }),
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
      const text = textOfFailure(t, limited(code, day), () => zone).replaceAll(/[\u00a0\u202f]/g, ' ')
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
