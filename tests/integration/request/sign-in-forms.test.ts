import { randomUUID } from 'node:crypto'
import { and, count, eq, isNull } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { applications, sessions } from '@/db/schema'
import { dropCached } from '@/lib/base/cache/cache'
import { issueFormToken, onceOf, tokenFault } from '@/lib/base/http/form-token'
import { signInStep } from '@/lib/sign-in/attempts/service'
import { Browser } from '../../factories/browser'
import { contextOf } from '../../factories/invitations'
import { lastCodeTo } from '../../factories/messages'
import { openPage, post } from '../../factories/page-forms'
import { createRole, createUser, password } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

const login = '/platform/login'
const sessionCookie = 'platform-session'
const sessionsOf = async (userId: string) =>
  (
    await db()
      .select({ rows: count() })
      .from(sessions)
      .where(and(eq(sessions.userId, userId), isNull(sessions.endedAt)))
  )[0]?.rows

type Person = Awaited<ReturnType<typeof createUser>>
let byPassword: Person
let byCode: Person
let byBoth: Person
beforeAll(async () => {
  byPassword = await createUser({ roles: [await createRole({ firstFactor: ['credentials'] })] })
  byCode = await createUser({ roles: [await createRole({ firstFactor: ['email_code', 'credentials'] })] })
  byBoth = await createUser({
    roles: [await createRole({ firstFactor: ['credentials'], secondFactor: ['email_code'] })],
  })
})

const identify = (browser: Browser, username: string, address = login) =>
  post(browser, address, { form: 'identify', username })
/** The fields of a later step as its page has them. */
const subject = ({ login: identifier }: Person) => ({ kind: 'login', identifier })

describe('signing in by forms alone', () => {
  test('by password, on to the page that the person was going to', async () => {
    const browser = new Browser()
    const address = `${login}?path=${encodeURIComponent('/platform/profile/sessions')}`
    const begun = await identify(browser, ` ${byPassword.login} `, address)
    expect(begun).toMatchObject({ status: 303, to: `${login}?path=%2Fplatform%2Fprofile%2Fsessions&step=credentials` })
    const wrong = await post(browser, begun.to, { form: 'password', ...subject(byPassword), password: 'wrong' })
    // whom it was for, should the attempt be over; never the password
    const values = [['identifier', byPassword.login]]
    expect(wrong).toMatchObject({ to: begun.to, outcome: { form: 'password', status: 400, values } })
    expect(browser.cookies.has(sessionCookie)).toBe(false)
    const right = await post(browser, begun.to, { form: 'password', ...subject(byPassword), password })
    expect(right).toMatchObject({ status: 303, to: '/platform/profile/sessions', outcome: null })
    expect(browser.cookies.has(sessionCookie)).toBe(true)
  })

  test('on to an application, which no redirect after a form may reach (form-action)', async () => {
    const browser = new Browser()
    const code = `stock-${randomUUID()}`
    const url = `https://${code}.example/?a=1&b="2`
    await db().insert(applications).values({ code, type: 'internal', name: code, url, menuVisible: true })
    dropCached('applications')
    try {
      await identify(browser, byPassword.login)
      const done = await post(browser, login, { form: 'password', ...subject(byPassword), password })
      expect(done).toMatchObject({ status: 200, to: url.replace('&', '&#38;').replace('"', '&#34;') })
      expect(browser.cookies.has(sessionCookie)).toBe(true)
    } finally {
      await db().delete(applications).where(eq(applications.code, code))
      dropCached('applications')
    }
  })

  test('by a code, which is sent with the identifier, and once more on request', async () => {
    const browser = new Browser()
    const begun = await identify(browser, byCode.login)
    expect(begun).toMatchObject({ to: `${login}?step=email_code`, outcome: null })
    const code = await lastCodeTo(byCode.email ?? '')
    const again = async (before: string) =>
      post(browser, begun.to, { form: 'flow', ...subject(byCode), flow: 'email_code', before })
    const step = await signInStep(await contextOf(browser))
    expect(await again((step && 'code' in step && step.code?.endTime) || '')).toMatchObject({ outcome: null })
    // the page had an earlier code than this browser has now
    const earlier = new Date(Date.now() - 60_000).toISOString()
    expect(await again(earlier)).toMatchObject({ to: begun.to, outcome: { status: 200, data: { again: true } } })
    const entered = { form: 'code', ...subject(byCode), flow: 'email_code' }
    expect(await post(browser, begun.to, { ...entered, code: '' })).toMatchObject({
      outcome: { data: { errorList: [{ field: 'code', code: 'errorEmpty' }] } },
    })
    // as people copy it from the mail
    const done = await post(browser, begun.to, { ...entered, code: ` ${code.slice(0, 2)} ${code.slice(2)}` })
    expect(done).toMatchObject({ to: '/platform/profile', outcome: null })
  })

  test('by two factors, and by another flow than the first', async () => {
    const browser = new Browser()
    const begun = await identify(browser, byBoth.login)
    const second = await post(browser, begun.to, { form: 'password', ...subject(byBoth), password })
    expect(second.to).toBe(`${login}?step=email_code`)
    const code = await lastCodeTo(byBoth.email ?? '')
    const done = await post(browser, second.to, { form: 'code', ...subject(byBoth), flow: 'email_code', code })
    expect(done.to).toBe('/platform/profile')
    const other = new Browser()
    await identify(other, byCode.login)
    const chosen = await post(other, login, { form: 'flow', ...subject(byCode), flow: 'credentials' })
    expect(chosen.to).toBe(`${login}?step=credentials`)
    await post(other, chosen.to, { form: 'password', ...subject(byCode), password })
    expect(other.cookies.has(sessionCookie)).toBe(true)
  })

  test('an identifier is remembered by wish, and forgotten', async () => {
    const browser = new Browser()
    const begun = await post(browser, login, { form: 'identify', username: byPassword.login, remember: 'on' })
    expect(browser.cookies.has('account')).toBe(false)
    await post(browser, begun.to, { form: 'password', ...subject(byPassword), password })
    expect(browser.cookies.get('account')).toBe(byPassword.login)
    expect(await post(browser, login, { form: 'forget' })).toMatchObject({ status: 303, to: login })
    expect(browser.cookies.has('account')).toBe(false)
    const unwished = new Browser()
    const next = await identify(unwished, byPassword.login)
    await post(unwished, next.to, { form: 'password', ...subject(byPassword), password })
    expect(unwished.cookies.has('account')).toBe(false)
  })

  test('what was typed is shown again after a failure, but for secrets', async () => {
    const typed = `nobody ${'x'.repeat(300)}`
    const { outcome } = await post(new Browser(), login, {
      form: 'identify',
      username: typed,
      password: 'secret',
      remember: 'on',
    })
    expect(outcome).toMatchObject({ form: 'identify', status: 400 })
    expect(outcome?.values).toEqual([
      ['username', typed],
      ['remember', 'on'],
    ])
  })
})

describe('a form that was not sent as its page was drawn', () => {
  /** Each way in which a password that is right doesn't sign in. */
  const attacks: Record<string, (browser: Browser, fields: Record<string, string>) => ReturnType<typeof post>> = {
    'without a token': (browser, fields) => post(browser, login, fields, { token: '' }),
    'with the token of another browser': (browser, fields) =>
      post(browser, login, fields, { token: openPage(new Browser()) }),
    'with a token that somebody made up': (browser, fields) =>
      post(browser, login, fields, { token: `${Date.now().toString(36)}.${'a'.repeat(43)}.${'b'.repeat(43)}` }),
    'with a token of yesterday': (browser, fields) =>
      post(browser, login, fields, { token: openPage(browser, Date.now() - 25 * 3_600_000) }),
    'by a browser that keeps no cookies': (browser, fields) => {
      const token = openPage(browser)
      browser.cookies.delete('platform-browser')
      return post(browser, login, fields, { token })
    },
    'with a token that was sent before': async (browser, fields) => {
      const token = openPage(browser)
      await post(browser, login, { form: 'identify', username: byPassword.login }, { token })
      return post(browser, login, fields, { token })
    },
    'from another site': (browser, fields) =>
      post(browser, login, fields, { headers: { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' } }),
    'from a sister domain': (browser, fields) =>
      post(browser, login, fields, {
        headers: { 'sec-fetch-site': 'same-site', origin: 'http://other.localhost:3000' },
      }),
    'as the form of another step': (browser, fields) => post(browser, login, { ...fields, form: 'code' }),
    'as a form that the page does not have': (browser, fields) => post(browser, login, { ...fields, form: 'consent' }),
    'by the name of what every object has': (browser, fields) =>
      post(browser, login, { ...fields, form: 'constructor' }),
    'for another person than the attempt': (browser, fields) =>
      post(browser, login, { ...fields, identifier: byCode.login }),
    'with 9 000 fields': (browser, fields) =>
      post(browser, login, { ...fields, agreed: Array.from({ length: 9_000 }, () => '') }),
    'with a value of 20 000 characters': (browser, fields) =>
      post(browser, login, { ...fields, note: 'x'.repeat(20_000) }),
    'with a field of 70 000 characters': (browser, fields) =>
      post(browser, login, { ...fields, note: 'x'.repeat(70_000) }),
    'as JSON': (browser, fields) => post(browser, login, fields, { headers: { 'content-type': 'application/json' } }),
  }
  test.each(Object.entries(attacks))('%s does nothing', async (_, attack) => {
    const browser = new Browser()
    await identify(browser, byPassword.login)
    const before = await sessionsOf(byPassword.id)
    const { status } = await attack(browser, { form: 'password', ...subject(byPassword), password })
    expect([303, 403]).toContain(status)
    expect(browser.cookies.has(sessionCookie)).toBe(false)
    expect(await sessionsOf(byPassword.id)).toBe(before)
  })

  test('a text browser, which names no origin, signs in', async () => {
    const browser = new Browser()
    const none = { 'sec-fetch-site': null }
    const withoutOrigin = (fields: Record<string, string>) => post(browser, login, fields, { headers: none })
    await withoutOrigin({ form: 'identify', username: byPassword.login })
    await withoutOrigin({ form: 'password', ...subject(byPassword), password })
    expect(browser.cookies.has(sessionCookie)).toBe(true)
  })

  test('thirty clicks sign in once, and each leads on', async () => {
    const browser = new Browser()
    const person = await createUser({ roles: [await createRole({ firstFactor: ['credentials'] })] })
    await identify(browser, person.login)
    const token = openPage(browser)
    const fields = { form: 'password', ...subject(person), password }
    const answers = await Promise.all(Array.from({ length: 30 }, () => post(browser, login, fields, { token })))
    expect(new Set(answers.map(({ to }) => to))).toEqual(new Set(['/platform/profile']))
    expect(await sessionsOf(person.id)).toBe(1)
  })

  test('a second click gets what the first got, session included, until that is answered', async () => {
    const [browser, other] = [new Browser(), new Browser()]
    await identify(browser, byPassword.login)
    const token = openPage(browser)
    for (const [name, value] of browser.cookies) other.cookies.set(name, value)
    const late = new Browser()
    for (const [name, value] of browser.cookies) late.cookies.set(name, value)
    const fields = { form: 'password', ...subject(byPassword), password }
    const [first, second] = await Promise.all([browser, other].map((each) => post(each, login, fields, { token })))
    expect(second).toEqual(first)
    expect(other.cookies.get(sessionCookie)).toBe(browser.cookies.get(sessionCookie))
    expect((await post(late, login, fields, { token })).outcome).toMatchObject({ code: 'formExpired' })
    expect(late.cookies.has(sessionCookie)).toBe(false)
  })

  test('who guesses what is being sent gets nothing, also if a later guess is right', async () => {
    const browser = new Browser()
    await identify(browser, byPassword.login)
    const token = openPage(browser)
    const fields = { form: 'password', ...subject(byPassword), password }
    const guesses = ['wrong', ...Array.from({ length: 28 }, (_, at) => `wrong ${at}`), password]
    const thief = () => {
      const copy = new Browser()
      for (const [name, value] of browser.cookies) copy.cookies.set(name, value)
      return copy
    }
    const thieves = guesses.map((guess) => ({ guess, browser: thief() }))
    const owner = post(browser, login, fields, { token })
    const stolen = thieves.map((each) => post(each.browser, login, { ...fields, password: each.guess }, { token }))
    const answers = await Promise.all(stolen)
    await owner
    expect(browser.cookies.has(sessionCookie)).toBe(true)
    for (const [at, { outcome }] of answers.entries()) {
      expect(outcome, guesses[at]).toMatchObject({ code: 'formExpired' })
      expect(thieves[at]?.browser.cookies.has(sessionCookie), guesses[at]).toBe(false)
    }
  })

  test('what is sent with a used token, and differs, is shown again with a fault', async () => {
    const browser = new Browser()
    const token = openPage(browser)
    await post(browser, login, { form: 'identify', username: byPassword.login }, { token })
    const other = await post(browser, login, { form: 'identify', username: byCode.login }, { token })
    expect(other).toMatchObject({
      to: login,
      outcome: { form: 'identify', status: 400, code: 'formExpired', values: [['username', byCode.login]] },
    })
  })

  test('a choice of a page that was open overnight, or made twice, is made', async () => {
    const browser = new Browser()
    const token = openPage(browser, Date.now() - 25 * 3_600_000)
    for (const theme of ['dark', 'light']) {
      const fields = { form: 'choose', theme, back: login }
      expect(await post(browser, '/platform/choices', fields, { token })).toMatchObject({ to: login, outcome: null })
      expect(browser.cookies.get('theme')).toBe(theme)
    }
    const foreign = { token: openPage(new Browser()) }
    const fields = { form: 'choose', theme: 'dark', back: login }
    expect((await post(browser, '/platform/choices', fields, foreign)).outcome).toMatchObject({ code: 'formExpired' })
    expect(browser.cookies.get('theme')).toBe('light')
  })

  test('a choice leads back to the page that sent it, also if it is refused, and to no other site', async () => {
    const choices = '/platform/choices'
    const browser = new Browser()
    const back = `${login}?path=%2Fplatform%2Fprofile&step=id`
    const token = openPage(browser)
    const dark = { form: 'choose', theme: 'dark', back }
    expect(await post(browser, choices, dark, { token })).toMatchObject({ to: back, outcome: null })
    expect(browser.cookies.get('theme')).toBe('dark')
    // sent again, out of date, of an unknown form, without a choice
    expect((await post(browser, choices, dark, { token })).to).toBe(back)
    expect(await post(browser, choices, dark, { token: '' })).toMatchObject({
      to: back,
      outcome: { code: 'formExpired' },
    })
    expect((await post(browser, choices, { form: 'x', back })).to).toBe(back)
    expect((await post(browser, choices, { form: 'choose', theme: 'x', back })).to).toBe(back)
    for (const evil of ['https://evil.example/', '//evil.example', '/\\evil.example', '/platform/../..//evil.example'])
      expect((await post(browser, choices, { ...dark, back: evil })).to, evil).toMatch(/^\/(?![/\\])/)
  })

  test('a bearer token changes nothing', async () => {
    const browser = new Browser()
    const headers = { authorization: 'Bearer nobody' }
    const begun = await post(browser, login, { form: 'identify', username: byPassword.login }, { headers })
    expect(begun).toMatchObject({ status: 303, to: `${login}?step=credentials` })
  })

  test('in two tabs, each goes on with the person whom it shows', async () => {
    const browser = new Browser()
    await identify(browser, byPassword.login)
    await identify(browser, byCode.login)
    const old = await post(browser, login, { form: 'password', ...subject(byPassword), password })
    expect(old).toMatchObject({ to: `${login}?step=id`, outcome: { code: 'attemptExpired' } })
    expect(browser.cookies.has(sessionCookie)).toBe(false)
  })

  test('a token and a cookie are not divided in another way', () => {
    const now = Date.now()
    const [time, random, hash] = issueFormToken('a b', now).split('.')
    expect(tokenFault(`${time}.${random}.${hash}`, 'a b', now)).toBeNull()
    expect(tokenFault(`${time}.${random} a.${hash}`, 'b', now)).toBe('malformed')
  })

  test('no changed part of a token is accepted', () => {
    const now = Date.now()
    const token = issueFormToken('somebody', now)
    expect(tokenFault(token, 'somebody', now)).toBeNull()
    for (let at = 0; at < token.length; at++) {
      const changed = `${token.slice(0, at)}${token[at] === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`
      // the last character of a hash has two bits that mean nothing
      if (at < token.length - 1) expect(tokenFault(changed, 'somebody', now), `character ${at}`).not.toBeNull()
    }
    // other spellings of the same bytes would count as other tokens
    for (const more of ['.', '=', '!', ' ', '.a'])
      expect(tokenFault(`${token}${more}`, 'somebody', now)).toBe('malformed')
    const spellings = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'].map(
      (letter) => `${token.slice(0, -1)}${letter}`,
    )
    const same = spellings.filter((spelling) => tokenFault(spelling, 'somebody', now) === null)
    expect(same).toContain(token)
    expect(new Set(same.map((spelling) => onceOf('/platform/login', spelling))).size).toBe(1)
  })
})
