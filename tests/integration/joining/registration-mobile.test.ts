import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { messages, users } from '@/db/schema'
import { authCode } from '@/lib/sign-in/attempts/contract'
import { thirty } from '../../factories/at-once'
import { Browser } from '../../factories/browser'
import { lastCodeTo, runJobs } from '../../factories/messages'
import {
  askMobileCode,
  finish,
  newMobile,
  proveMobileOf,
  startRegistration,
  verifyMobile,
} from '../../factories/registration'
import { handlerOf } from '../../factories/routes'
import { begin } from '../../factories/sign-in'
import { createRole, createUser } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

const signInCode = handlerOf(authCode)

useTestDatabase()

const accountOf = async (email: string) => (await db().select().from(users).where(eq(users.email, email)))[0]
const messagesTo = (recipient: string) => db().select().from(messages).where(eq(messages.recipient, recipient))
const wrong = (right: string) => right.replace(/\d/g, (digit) => String((Number(digit) + 1) % 10))

describe('the mobile', () => {
  test('requested again within the resend time sends nothing; another recipient gets a code', async () => {
    const browser = new Browser()
    const { secret } = await startRegistration(browser)
    const [mobile, other] = [newMobile(), newMobile()]
    const first = await askMobileCode(browser, secret, mobile)
    const again = await askMobileCode(browser, secret, mobile)
    expect(again.body.endTime).toBe(first.body.endTime)
    await runJobs()
    expect(await messagesTo(mobile)).toHaveLength(1)
    const digits = await lastCodeTo(mobile)
    // a code is valid only for the number to which it was sent
    if ((await askMobileCode(browser, secret, other)).status === 200 && (await lastCodeTo(other)) !== digits)
      expect((await verifyMobile(browser, secret, mobile, await lastCodeTo(other))).body.code).toBe('errorCode')
  })

  test('isn’t revealed to a person who then begins to sign in with it (docs/quality.md#s1)', async () => {
    const existing = await createUser({ roles: [await createRole({ firstFactor: ['sms_code'] })] })
    const signIn = async (mobile: string) => {
      const browser = new Browser()
      const { body } = await begin(browser, mobile, 'mobile')
      return { browser, mobile, offered: (body.flows as string[]).includes('sms_code') }
    }
    let stranger = await signIn(newMobile())
    while (!stranger.offered) stranger = await signIn(newMobile())
    for (const { browser, mobile } of [await signIn(existing.mobile), stranger]) {
      const asking = new Browser()
      const { secret } = await startRegistration(asking)
      expect((await askMobileCode(asking, secret, mobile)).status).toBe(200)
      const asked = await browser.send(signInCode, 'POST', {
        params: { idAttribute: 'mobile' },
        body: { flow: 'sms_code', mobile },
      })
      // a code was just sent to the number, whoever requested it
      expect(asked).toMatchObject({ status: 200, body: { endTime: null } })
      expect(asked.body.resendIn).toBeGreaterThan(50)
    }
  })

  test('that is replaced and entered again within the resend time has no code any more', async () => {
    const browser = new Browser()
    const { secret } = await startRegistration(browser)
    const [mobile, other] = [newMobile(), newMobile()]
    for (const each of [mobile, other]) expect((await askMobileCode(browser, secret, each)).body.endTime).not.toBeNull()
    const again = await askMobileCode(browser, secret, mobile)
    expect(again).toMatchObject({ status: 200, body: { endTime: null } })
    expect((await askMobileCode(browser, secret, other)).body.endTime).not.toBeNull()
  })

  test('of one registration isn’t proven for another; a used or expired code is refused (docs/quality.md#s2)', async () => {
    const [browser, other] = [new Browser(), new Browser()]
    const [one, two] = [await startRegistration(browser), await startRegistration(other)]
    const mobile = newMobile()
    await askMobileCode(browser, one.secret, mobile)
    const digits = await lastCodeTo(mobile)
    expect((await verifyMobile(other, two.secret, mobile, digits)).body).toMatchObject({
      code: 'errorCodeExpired',
      data: { expired: true },
    })
    expect((await verifyMobile(browser, one.secret, mobile, digits)).status).toBe(200)
    expect((await verifyMobile(browser, one.secret, mobile, digits)).body.code).toBe('errorCodeExpired')
    expect(await finish(other, two.secret, { mobile })).toMatchObject({
      status: 400,
      body: { data: { errorList: [{ field: 'mobile', code: 'errorMobileUnverified' }] } },
    })
  })

  test('with 50 wrong codes at once is limited exactly (docs/quality.md#s2)', async () => {
    const browser = new Browser()
    const { secret } = await startRegistration(browser)
    const mobile = newMobile()
    await askMobileCode(browser, secret, mobile)
    const digits = await lastCodeTo(mobile)
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => verifyMobile(browser.copy(), secret, mobile, wrong(digits))),
    )
    const codes = answers.map(({ body }) => body.code)
    expect(codes.filter((code) => code === 'errorCode')).toHaveLength(4)
    expect(codes.filter((code) => code === 'errorCodeAttempts')).toHaveLength(46)
    expect((await verifyMobile(browser, secret, mobile, digits)).body.code).toBe('errorCodeAttempts')
    expect((await finish(browser, secret, { mobile, code: digits })).body.code).toBe('errorCodeAttempts')
  })

  test('in use is reported only after the right code', async () => {
    const takenMobile = (await createUser()).mobile
    const browser = new Browser()
    const { email, secret } = await startRegistration(browser)
    expect((await askMobileCode(browser, secret, takenMobile)).status).toBe(200)
    const digits = await lastCodeTo(takenMobile)
    expect((await verifyMobile(browser, secret, takenMobile, wrong(digits))).body.code).toBe('errorCode')
    expect(await verifyMobile(browser, secret, takenMobile, digits)).toMatchObject({
      status: 400,
      body: { data: { errorList: [{ field: 'mobile', code: 'errorMobileRegistered' }] } },
    })
    expect((await finish(browser, secret, { mobile: takenMobile })).status).toBe(400)
    // taken between proof and completion: nothing is stored
    const mobile = await proveMobileOf(browser, secret)
    await createUser({ mobile })
    expect((await finish(browser, secret, { mobile })).body.data).toEqual({
      errorList: [{ field: 'mobile', code: 'errorMobileRegistered' }],
    })
    expect(await accountOf(email)).toBeUndefined()
    expect((await finish(browser, secret)).status).toBe(200)
  })

  test('may be proven by a code in the form, and must be the proven one', async () => {
    const browser = new Browser()
    const { email, secret } = await startRegistration(browser)
    const proven = await proveMobileOf(browser, secret)
    const mobile = newMobile()
    expect((await finish(browser, secret, { mobile })).body.data).toEqual({
      errorList: [{ field: 'mobile', code: 'errorMobileUnverified' }],
    })
    await askMobileCode(browser, secret, mobile)
    const digits = await lastCodeTo(mobile)
    // as people write it
    const typed = mobile.replace(/^\+7(\d{3})(\d{3})(\d\d)(\d\d)$/, '8 ($1) $2-$3-$4')
    expect((await finish(browser, secret, { mobile: typed, code: digits })).status).toBe(200)
    expect(await accountOf(email)).toMatchObject({ mobile })
    expect(proven).not.toBe(mobile)
  })

  test('asked for thirty times at once is one message, and leaves the link its day', async () => {
    const browser = new Browser()
    const { secret } = await startRegistration(browser)
    const mobile = newMobile()
    const answers = await thirty(() => askMobileCode(browser, secret, mobile))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(await messagesTo(mobile)).toHaveLength(1)
    expect((await askMobileCode(browser, secret, newMobile())).status).toBe(200)
  })

  test('of one registration can’t change without limit to send codes to many numbers', async () => {
    const browser = new Browser()
    const { secret } = await startRegistration(browser)
    for (let n = 0; n < 10; n++) expect((await askMobileCode(browser, secret, newMobile())).status).toBe(200)
    expect(await askMobileCode(browser, secret, newMobile())).toMatchObject({
      status: 429,
      body: { code: 'codeDailyLimit' },
    })
  })
})
