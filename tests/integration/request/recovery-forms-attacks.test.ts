import { and, eq, isNull } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { sessions, userAgreements, users } from '@/db/schema'
import { Browser } from '../../factories/browser'
import { createAgreement, createDomain } from '../../factories/domains'
import { openPage, post } from '../../factories/page-forms'
import { mailsTo, passResend, recoveryLink } from '../../factories/recovery'
import { newPassword } from '../../factories/registration'
import { startSessionOf } from '../../factories/sign-in'
import { createUser } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

const forgot = '/platform/forgot-password'
const both = (typed: string) => ({ password: typed, repeatPassword: typed })
const sessionsOf = (userId: string) => db().$count(sessions, and(eq(sessions.userId, userId), isNull(sessions.endedAt)))
const agreedBy = (userId: string) => db().$count(userAgreements, eq(userAgreements.userId, userId))

describe('a form that was not sent as its page was drawn', () => {
  type Target = {
    address: string
    fields: Record<string, string>
    /** What the same form refuses; it refuses everything if nobody is signed in. */
    refused: Record<string, string>
    browser: Browser
    untouched: () => Promise<void>
  }
  let agreement: string
  let host: string
  beforeAll(async () => {
    agreement = await createAgreement()
    host = await createDomain({ agreement })
  })
  const targets: Record<string, () => Promise<Target>> = {
    'of a recovery link': async () => {
      const [user, browser] = [await createUser(), new Browser()]
      const id = await recoveryLink(browser, user)
      const fields = { form: 'recover', ...both(newPassword) }
      const untouched = async () => {
        const [row] = await db().select().from(users).where(eq(users.id, user.id))
        expect(row?.passwordHash).toBe(user.passwordHash)
      }
      return { address: `/platform/new-password/${id}`, fields, refused: both('short'), browser, untouched }
    },
    'of agreements': async () => {
      const [user, browser] = [await createUser(), new Browser(host)]
      await startSessionOf(browser, user.id)
      const document = `${agreement} 1`
      return {
        address: '/platform/agreements',
        fields: { form: 'accept', document, agreed: document },
        refused: {},
        browser,
        untouched: async () => expect(await agreedBy(user.id)).toBe(0),
      }
    },
    'of the sign-out': async () => {
      const [user, browser] = [await createUser(), new Browser()]
      await startSessionOf(browser, user.id)
      return {
        address: '/platform/sign-out',
        fields: { form: 'signOut', back: '/platform/agreements' },
        refused: {},
        browser,
        untouched: async () => expect(await sessionsOf(user.id)).toBe(1),
      }
    },
    'of the request for a link': async () => {
      const [user, browser] = [await createUser(), new Browser()]
      await passResend()
      return {
        address: forgot,
        fields: { form: 'ask', email: user.email },
        refused: { email: 'nobody' },
        browser,
        untouched: async () => expect(await mailsTo(user.id, 'recoveryLink')).toEqual([]),
      }
    },
  }
  const attacks: Record<string, (target: Target) => ReturnType<typeof post>> = {
    'without a token': ({ browser, address, fields }) => post(browser, address, fields, { token: '' }),
    'with the token of another browser': ({ browser, address, fields }) => {
      openPage(browser)
      return post(browser, address, fields, { token: openPage(new Browser()) })
    },
    'with a token of yesterday': ({ browser, address, fields }) =>
      post(browser, address, fields, { token: openPage(browser, Date.now() - 25 * 3_600_000) }),
    'with a token that was sent before': async ({ browser, address, fields, refused }) => {
      const token = openPage(browser)
      // a window of the same browser in which nobody is signed in
      const window = new Browser(browser.host)
      window.cookies.set('platform-browser', browser.cookies.get('platform-browser') ?? '')
      await post(window, address, { ...fields, ...refused }, { token })
      return post(browser, address, fields, { token })
    },
    'by a browser that keeps no cookies': ({ browser, address, fields }) => {
      const token = openPage(browser)
      browser.cookies.delete('platform-browser')
      return post(browser, address, fields, { token })
    },
    'from another site': ({ browser, address, fields }) =>
      post(browser, address, fields, { headers: { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' } }),
    'from a sister domain': ({ browser, address, fields }) =>
      post(browser, address, fields, { headers: { 'sec-fetch-site': 'same-site', origin: 'http://x.localhost:3000' } }),
    'by an old browser from a frame without an origin': ({ browser, address, fields }) =>
      post(browser, address, fields, { headers: { 'sec-fetch-site': null, origin: 'null' } }),
    'as the form of another page': ({ browser, address, fields }) =>
      post(browser, address, { ...fields, form: 'identify' }),
    'by the name of what every object has': ({ browser, address, fields }) =>
      post(browser, address, { ...fields, form: 'toString' }),
    'with a field of 70 000 characters': ({ browser, address, fields }) =>
      post(browser, address, { ...fields, note: 'x'.repeat(70_000) }),
    'as JSON': ({ browser, address, fields }) =>
      post(browser, address, fields, { headers: { 'content-type': 'application/json' } }),
  }
  for (const [name, make] of Object.entries(targets))
    test.each(Object.entries(attacks))(`${name}, %s, does nothing`, async (_, attack) => {
      const target = await make()
      const { status } = await attack(target)
      expect([303, 403]).toContain(status)
      await target.untouched()
    })

  test('the sign-out leads to no other site', async () => {
    for (const evil of ['https://evil.example/', '//evil.example', '/\\evil.example', '/platform/..//evil.example']) {
      const { to } = await post(new Browser(), '/platform/sign-out', { form: 'signOut', back: evil, to: evil })
      expect(to, evil).toBe('/')
    }
  })

  test('a choice leads back to pages of the OpenID Provider too', async () => {
    for (const back of ['/oidc/device?user_code=BDFG', '/oidc/session/end', '/platform/interaction/abc'])
      expect((await post(new Browser(), '/platform/choices', { form: 'choose', theme: 'dark', back })).to).toBe(back)
    for (const back of ['/oidcx', '/oidc/../api/v1', '/api/v1/platform/auth/logout', '//oidc/x'])
      expect((await post(new Browser(), '/platform/choices', { form: 'choose', theme: 'dark', back })).to).toBe('/')
  })
})
