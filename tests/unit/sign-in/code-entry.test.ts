import { createElement } from 'react'
import { describe, expect, test, vi } from 'vitest'
import { formFailure } from '@/app/platform/(auth)/_ui/form-failure'
import { MobileCode } from '@/app/platform/(auth)/_ui/mobile-code'
import { CodeStep } from '@/app/platform/(auth)/login/_ui/code-step'
import { loadMessages } from '@/lib/base/i18n/messages'
import type { Outcome } from '@/lib/request/forms/outcome'
import { drawn } from '../../factories/server-part'

vi.mock('next-intl/server', async () => (await import('../../factories/server-part')).serverIntl)

let outcome: Outcome | null = null
vi.mock('@/lib/request/page', () => ({ pageOutcome: async () => outcome, pageFormToken: async () => 'token' }))

type Code = { resendIn: number; endTime: string | null } | null
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()
const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ')

/** The page that asks for a code, as the server draws it: while somebody signs in, and while they prove a mobile. */
async function pageWith(kind: 'sign-in' | 'mobile', locale: 'ru' | 'en', code: Code) {
  const common = { code, codeDigits: 6, failed: await formFailure() }
  const attempt = { idAttribute: 'login', identifier: 'ivan' } as const
  const part =
    kind === 'mobile'
      ? createElement(MobileCode, { ...common, mobile: '+79990000000', change: '?step=mobile' })
      : createElement(CodeStep, { ...common, flow: 'sms_code', attempt, others: [], back: '?step=id' })
  const { entry, person } = await loadMessages(locale)
  const again = kind === 'mobile' ? person.sentAgain.replace(/^.*}/, '') : entry.code.sms_code.again
  return { html: plain(await drawn(locale, part)), texts: entry.code, again }
}

const pages = (['sign-in', 'mobile'] as const).flatMap((kind) =>
  (['ru', 'en'] as const).map((locale) => [kind, locale]),
)

describe.each(pages as ['sign-in' | 'mobile', 'ru' | 'en'][])('the step of a code (%s, %s)', (kind, locale) => {
  test.each([
    ['none', 'the code has run out or was never sent', { resendIn: 0, endTime: null }],
    ['none', 'the code runs out while the page is drawn', { resendIn: 0, endTime: inMinutes(-1) }],
    ['elsewhereWait', 'somebody has just got a code for something else', { resendIn: 40, endTime: null }],
    ['unavailable', 'Redis is away', null],
  ] as const)('says “%s” if %s, and offers another code', async (text, _, code) => {
    outcome = null
    const { html, texts } = await pageWith(kind, locale, code)
    const said = (['none', 'elsewhereWait', 'unavailable'] as const).filter((key) => html.includes(plain(texts[key])))
    expect(said).toEqual([text])
    expect(html).toContain(`>${plain(texts.resend)}</button>`)
    expect(html).not.toContain('name="code"')
  })

  test('says that another code was sent until something fails', async () => {
    const code = { resendIn: 40, endTime: inMinutes(5) }
    const form = { form: 'flow', code: '', data: { again: true }, values: [] }
    outcome = { ...form, status: 200 }
    const after = await pageWith(kind, locale, code)
    expect(after.html).toContain(plain(after.again))
    expect(after.html).toContain('name="code"')
    outcome = { ...form, status: 400, data: { errorList: [{ field: 'code', code: 'errorCode' }] } }
    expect((await pageWith(kind, locale, code)).html).not.toContain(plain(after.again))
  })
})
