import { randomUUID } from 'node:crypto'
import { count, eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { links, users } from '@/db/schema'
import { registrationState } from '@/lib/joining/registration/service'
import { readCookies } from '@/lib/request/cookies'
import { readOutcome } from '@/lib/request/forms/outcome'
import { Browser } from '../../factories/browser'
import { signedIn } from '../../factories/invitation-calls'
import { contextOf } from '../../factories/invitations'
import { lastCodeTo, lastMessageTo } from '../../factories/messages'
import { openPage, post } from '../../factories/page-forms'
import {
  linkSentTo,
  newEmail,
  newMobile,
  newPassword,
  passResend,
  startRegistration,
} from '../../factories/registration'
import { createUser } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

const page = '/platform/registration'
const sessionCookie = 'platform-session'
const accountsOf = async (email: string) =>
  (await db().select({ rows: count() }).from(users).where(eq(users.email, email)))[0]?.rows
const mailsTo = async (email: string) => ((await lastMessageTo(email)) ? linkSentTo(email) : null)

const request = (browser: Browser, email: string, more: Record<string, string | string[]> = {}, address = page) =>
  post(browser, address, { form: 'request', fio: 'Ковалёва Ольга Игоревна', email, ...more })

let browser: Browser
beforeEach(() => {
  browser = new Browser()
})

/** When the code of a link ends, as its page has it. */
async function endTime(secret: string) {
  const state = await registrationState(await contextOf(browser), secret)
  return (state.kind === 'live' && state.mobile.asked?.code?.endTime) || ''
}

/** A registration whose link is open in this browser. */
async function arrive() {
  const { email, secret } = await startRegistration(new Browser())
  const path = `${page}/${secret}`
  const send = (fields: Record<string, string | string[]>, step = '') => post(browser, `${path}${step}`, fields)
  return { email, secret, path, send }
}
const passwords = { password: newPassword, repeatPassword: newPassword }
const code = (mobile: string) => lastCodeTo(mobile)
const wrong = (right: string) => right.replace(/\d/g, (digit) => String((Number(digit) + 1) % 10))

describe('a link is requested by a form', () => {
  test('and again; the page is told what was sent, also for an e-mail that has an account', async () => {
    const unused = newEmail()
    const registered = await createUser({ email: newEmail() })
    for (const email of [unused, registered.email ?? '']) {
      const sent = await request(new Browser(), ` ${email.toUpperCase()} `)
      expect(sent).toMatchObject({ status: 303, to: `${page}?step=sent` })
      expect(sent.outcome).toMatchObject({ status: 200, data: { again: false, resendAt: expect.any(Number) } })
      expect(Object.fromEntries(sent.outcome?.values ?? [])).toEqual({
        fio: 'Ковалёва Ольга Игоревна',
        email: ` ${email.toUpperCase()} `,
      })
    }
    const email = newEmail()
    const sent = await request(browser, email)
    const first = await mailsTo(email)
    const before = Number(sent.outcome?.data.resendAt)
    const early = await request(browser, email, { before: String(before) }, `${page}?step=sent`)
    expect(early.outcome?.data).toMatchObject({ again: false })
    expect(await mailsTo(email)).toBe(first)
    await passResend()
    const late = await request(browser, email, { before: String(before - 60_000) }, `${page}?step=sent`)
    expect(late).toMatchObject({ to: `${page}?step=sent`, outcome: { data: { again: true } } })
    expect(await mailsTo(email)).not.toBe(first)
    // what was typed returns to the form
    const back = await post(browser, `${page}?step=sent`, { form: 'change', fio: 'Ким Ян', email: unused })
    expect(back).toMatchObject({
      to: page,
      outcome: {
        status: 200,
        values: [
          ['fio', 'Ким Ян'],
          ['email', unused],
        ],
      },
    })
  })

  test('all that is missing or wrong is said at once, and what was typed stays', async () => {
    const { to, outcome } = await post(browser, page, {
      form: 'request',
      fio: ' ',
      email: 'name@polaris',
      password: 'x',
    })
    expect(to).toBe(page)
    expect(outcome).toMatchObject({
      status: 400,
      data: {
        errorList: [
          { field: 'fio', code: 'errorEmpty' },
          { field: 'email', code: 'errorEmail' },
        ],
      },
      values: [
        ['fio', ' '],
        ['email', 'name@polaris'],
      ],
    })
    const none = await request(browser, '', { document: 'terms 3', agreed: 'terms 2' })
    expect(none.outcome?.data).toEqual({
      errorList: [
        { field: 'email', code: 'errorEmpty' },
        { field: 'terms-terms', code: 'errorTerms' },
      ],
    })
    // a failure of the second request shows the form with its fields
    const again = await request(browser, '', { before: '1' }, `${page}?step=sent`)
    expect(again).toMatchObject({ to: page, outcome: { status: 400 } })
  })

  test('the browser forgets what was told after an hour, and what is only typed after a minute', async () => {
    const seen: string[] = []
    const keep = browser.keep.bind(browser)
    browser.keep = (lines) => {
      seen.push(...lines.filter((line) => line.startsWith('platform-outcome')))
      keep(lines)
    }
    const ageOf = () => /Max-Age=(\d+)/.exec(seen.at(-1) ?? '')?.[1]
    await request(browser, newEmail())
    expect(ageOf()).toBe('3600')
    await post(browser, `${page}?step=sent`, { form: 'change', email: newEmail() })
    expect(ageOf()).toBe('60')
    await request(browser, '')
    expect(ageOf()).toBe('60')
    for (const line of seen) expect(line).toMatch(/HttpOnly/)
  })

  test('a choice of theme or language leaves what the page shows', async () => {
    const sent = await request(browser, newEmail())
    const back = sent.to
    await post(browser, '/platform/choices', { form: 'choose', theme: 'dark', back })
    const outcome = readOutcome({ get: readCookies(browser.cookie) }, back)
    expect(outcome).toEqual(sent.outcome)
  })

  test('fields of 4 000 characters are refused by their field, and kept as far as cookies hold them', async () => {
    const { outcome } = await request(browser, newEmail(), { fio: 'ж'.repeat(4000) })
    expect(outcome).toMatchObject({ status: 400, data: { errorList: [{ field: 'fio', code: 'errorTooLong' }] } })
    expect(browser.cookie.length).toBeLessThan(12_000)
    const email = await request(browser, `${'a'.repeat(4000)}@polaris.example`)
    expect(email.outcome).toMatchObject({ status: 400, data: { errorList: [{ field: 'email' }] } })
  })
})

describe('the page of the link', () => {
  test('a number, its code, wrong and right, and a password make the account', async () => {
    const { email, path, send } = await arrive()
    const number = newMobile()
    expect(await send({ form: 'mobile', country: 'RU', mobile: '' })).toMatchObject({
      to: `${path}?step=mobile`,
      outcome: {
        data: { errorList: [{ field: 'mobile', code: 'errorEmpty' }] },
        values: [
          ['country', 'RU'],
          ['mobile', ''],
        ],
      },
    })
    expect((await send({ form: 'mobile', country: 'GB', mobile: '12' })).outcome?.data).toMatchObject({
      errorList: [{ field: 'mobile', code: 'errorMobile' }],
    })
    const asked = await send({ form: 'mobile', country: 'RU', mobile: `8 (${number.slice(2, 5)}) ${number.slice(5)}` })
    expect(asked).toMatchObject({ to: `${path}?step=code`, outcome: null })
    const digits = await code(number)
    const refused = await send({ form: 'code', mobile: number, code: wrong(digits) }, '?step=code')
    expect(refused).toMatchObject({
      to: `${path}?step=code`,
      outcome: { data: { errorList: [{ field: 'code', code: 'errorCode' }] }, values: [['mobile', number]] },
    })
    const empty = await send({ form: 'code', mobile: number, code: ' ' }, '?step=code')
    expect(empty.outcome?.data).toMatchObject({ errorList: [{ field: 'code', code: 'errorEmpty' }] })
    const proven = await send(
      { form: 'code', mobile: number, code: `${digits.slice(0, 2)} ${digits.slice(2)}` },
      '?step=code',
    )
    expect(proven).toMatchObject({ to: `${path}?step=person`, outcome: null })
    const weak = await send(
      { form: 'complete', mobile: number, password: 'abc', repeatPassword: 'abd' },
      '?step=person',
    )
    expect(weak.outcome?.data).toMatchObject({
      errorList: [
        { field: 'password', code: 'errorPasswordRules' },
        { field: 'repeatPassword', code: 'errorMatch' },
      ],
    })
    expect(weak.outcome?.values).toEqual([['mobile', number]])
    const done = await send({ form: 'complete', mobile: number, ...passwords }, '?step=person')
    expect(done).toMatchObject({ to: '/platform/profile', outcome: null })
    expect(browser.cookies.has(sessionCookie)).toBe(true)
    expect((await db().select().from(users).where(eq(users.email, email)))[0]).toMatchObject({ mobile: number })
  })

  test('a code that is asked for again is another one only after the resend time', async () => {
    const { path, secret, send } = await arrive()
    const mobile = newMobile()
    await send({ form: 'mobile', country: 'RU', mobile })
    const first = await code(mobile)
    const early = await send({ form: 'mobile', mobile, before: await endTime(secret) }, '?step=code')
    expect(early).toMatchObject({ to: `${path}?step=code`, outcome: null })
    await passResend()
    const late = await send({ form: 'mobile', mobile, before: await endTime(secret) }, '?step=code')
    expect(late).toMatchObject({ to: `${path}?step=code`, outcome: { status: 200, data: { again: true } } })
    const second = await code(mobile)
    if (first !== second)
      expect((await send({ form: 'code', mobile, code: first }, '?step=code')).outcome).toMatchObject({ status: 400 })
    expect((await send({ form: 'code', mobile, code: second }, '?step=code')).to).toBe(`${path}?step=person`)
  })

  test('a number that just got a code for something else has to wait', async () => {
    const other = await arrive()
    const mobile = newMobile()
    await other.send({ form: 'mobile', country: 'RU', mobile })
    const { path, send } = await arrive()
    const asked = await send({ form: 'mobile', country: 'RU', mobile })
    expect(asked).toMatchObject({ to: `${path}?step=mobile`, outcome: { status: 429, code: 'codeElsewhere' } })
    expect(asked.outcome?.until).toBeGreaterThan(Date.now())
  })

  test('a dead link leads to its page, which says why', async () => {
    const { email, path, send } = await arrive()
    for (const dead of [
      { usedAt: new Date() },
      { usedAt: null, canceledAt: new Date() },
      { canceledAt: null, expiresAt: new Date(Date.now() - 1000) },
    ]) {
      await db().update(links).set(dead).where(eq(links.email, email))
      const forms: Record<string, string>[] = [
        { form: 'mobile', country: 'RU', mobile: newMobile() },
        { form: 'code', mobile: newMobile(), code: '1234' },
        { form: 'complete', ...passwords },
      ]
      for (const fields of forms)
        expect(await send(fields), `${fields.form} ${JSON.stringify(dead)}`).toMatchObject({ to: path, outcome: null })
    }
    expect(await accountsOf(email)).toBe(0)
    const unknown = `${page}/${randomUUID()}`
    expect(await post(browser, unknown, { form: 'complete', ...passwords })).toMatchObject({
      to: unknown,
      outcome: null,
    })
    expect((await post(browser, `${page}/nonsense`, { form: 'complete', ...passwords })).status).toBe(303)
  })

  test('another account signs out, and the page is shown again', async () => {
    const { browser: theirs } = await signedIn()
    const { path } = await arrive()
    const out = await post(theirs, '/platform/sign-out', { form: 'signOut', back: path })
    expect(out).toMatchObject({ status: 303, to: path, outcome: null })
    expect(theirs.cookies.has(sessionCookie)).toBe(false)
  })

  test('two tabs: the one with an old number is told, and the account is made once', async () => {
    const { email, path, send } = await arrive()
    const [old, newer] = [newMobile(), newMobile()]
    for (const mobile of [old, newer]) {
      await send({ form: 'mobile', country: 'RU', mobile })
      await send({ form: 'code', mobile, code: await code(mobile) }, '?step=code')
    }
    const late = await send({ form: 'complete', mobile: old, ...passwords }, '?step=person')
    expect(late.outcome?.data).toMatchObject({ errorList: [{ field: 'mobile', code: 'errorMobileUnverified' }] })
    const both = await Promise.all([newer, newer].map((mobile) => send({ form: 'complete', mobile, ...passwords })))
    expect(new Set(both.map(({ to }) => to))).toEqual(new Set(['/platform/profile', path]))
    expect(await accountsOf(email)).toBe(1)
  })
})

describe('a form that was not sent as its page was drawn', () => {
  const attacks: Record<
    string,
    (path: string, fields: Record<string, string>) => ReturnType<typeof post> | Promise<{ status: number }>
  > = {
    'without a token': (path, fields) => post(browser, path, fields, { token: '' }),
    'with the token of another browser': (path, fields) =>
      post(browser, path, fields, { token: openPage(new Browser()) }),
    'with a token that was sent before': async (path, fields) => {
      const token = openPage(browser)
      await post(browser, path, { form: 'mobile', mobile: '' }, { token })
      return post(browser, path, fields, { token })
    },
    'from another site': (path, fields) =>
      post(browser, path, fields, { headers: { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' } }),
    'from a sister domain': (path, fields) =>
      post(browser, path, fields, {
        headers: { 'sec-fetch-site': 'same-site', origin: 'http://other.localhost:3000' },
      }),
    'as the form of another step': (path, fields) => post(browser, path, { ...fields, form: 'code' }),
    'as the form of another page': (path, fields) => post(browser, path, { ...fields, form: 'join' }),
    'as the sign-in page’s': (path, fields) => post(browser, path, { ...fields, form: 'password' }),
    'to the first step': (_, fields) => post(browser, page, fields),
    'with an address below the link': (path, fields) => post(browser, `${path}/more`, fields),
    'for a mobile that isn’t proven': (path, fields) => post(browser, path, { ...fields, mobile: newMobile() }),
    'with a field that nobody asks for': (path, fields) => post(browser, path, { ...fields, mobile: '12' }),
    'with a password of 4 000 characters': (path, fields) =>
      post(browser, path, {
        ...fields,
        password: `Aa1!${'x'.repeat(4000)}`,
        repeatPassword: `Aa1!${'x'.repeat(4000)}`,
      }),
    'with 70 000 characters': (path, fields) => post(browser, path, { ...fields, note: 'x'.repeat(70_000) }),
  }
  test.each(Object.entries(attacks))('%s makes no account', async (_, attack) => {
    const { email, path } = await arrive()
    const { status } = await attack(path, { form: 'complete', ...passwords })
    expect([303, 403, 405]).toContain(status)
    expect(browser.cookies.has(sessionCookie)).toBe(false)
    expect(await accountsOf(email)).toBe(0)
  })

  test('thirty clicks make one account, and each leads on', async () => {
    const { email, path } = await arrive()
    const token = openPage(browser)
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => post(browser, path, { form: 'complete', ...passwords }, { token })),
    )
    expect(new Set(answers.map(({ to }) => to))).toEqual(new Set(['/platform/profile']))
    expect(await accountsOf(email)).toBe(1)
  })

  test('no password and no code is in a cookie or an address', async () => {
    const { send } = await arrive()
    const mobile = newMobile()
    await send({ form: 'mobile', country: 'RU', mobile })
    const sent = await send({ form: 'code', mobile, code: '0000', password: newPassword }, '?step=code')
    const failed = await send({ form: 'complete', mobile, ...passwords, repeatPassword: 'another' })
    for (const { to, outcome } of [sent, failed]) {
      expect(to).not.toMatch(/0000|Severnyj/)
      expect(JSON.stringify(outcome)).not.toMatch(/"0000"|Severnyj|another/)
    }
  })
})
