import * as client from 'openid-client'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { pathOfScreen } from '@/lib/base/navigation/screens'
import { authCode } from '@/lib/sign-in/attempts/contract'
import { setEntryPassword } from '@/lib/sign-in/passwords/contract'
import { Browser } from '../../factories/browser'
import { createAgreement, createDomain } from '../../factories/domains'
import { formOf, prove as proveInvited, say } from '../../factories/invitation-calls'
import { invite } from '../../factories/invitations'
import { lastCodeTo } from '../../factories/messages'
import { createClient, follow, redirectUri, request, startProvider, visit } from '../../factories/oidc'
import { recoveryLink, setByLink } from '../../factories/recovery'
import { finish, newPassword, proveMobileOf, startRegistration } from '../../factories/registration'
import { handlerOf } from '../../factories/routes'
import { begin, prove, signInByPassword, signOut } from '../../factories/sign-in'
import { createRole, createUser, password } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

const code = handlerOf(authCode)
const setFirst = handlerOf(setEntryPassword)

useTestDatabase()

let running: Awaited<ReturnType<typeof startProvider>>
beforeAll(async () => {
  running = await startProvider()
})
afterAll(() => running.stop())
afterEach(() => void vi.useRealTimers())

const isOnward = (line: string) => line.startsWith('platform-onward=')

/** An application sends somebody to sign in. Returns where they are redirected, and how they return. */
async function sentToSignIn(browser: Browser) {
  const { config } = await createClient(running)
  const sent = await request(config)
  const { url } = await follow(running, browser, sent.url)
  expect(url.pathname).toBe('/platform/login')
  const path = url.searchParams.get('path') ?? ''
  expect(path).toMatch(/^\/platform\/interaction\/[\w-]+$/)
  /** Continues from the platform's redirect to the application. Returns whose token it gets. */
  const comeBack = async (redirect: unknown) => {
    expect(redirect).toBe(path)
    const { url: end, body } = await follow(running, browser, path)
    expect(end.href, body).toContain(redirectUri)
    const checks = { pkceCodeVerifier: sent.verifier, expectedState: 'state' }
    return (await client.authorizationCodeGrant(config, end, checks)).claims()
  }
  return { path, comeBack }
}

describe('a person returns to the application that sent them to sign in', () => {
  test('after a second factor and the terms', async () => {
    const role = await createRole({ firstFactor: ['credentials'], secondFactor: ['email_code'] })
    const user = await createUser({ roles: ['user', role] })
    const agreement = await createAgreement()
    const browser = new Browser(await createDomain({ agreement }))
    const { path, comeBack } = await sentToSignIn(browser)
    await begin(browser, user.login, 'login', { path })
    expect((await prove(browser, user.login, { password })).body).toMatchObject({ next: 'second_factor' })
    const login = user.login
    await browser.send(code, 'POST', { params: { idAttribute: 'login' }, body: { login, flow: 'email_code' } })
    const digits = await lastCodeTo(user.email)
    const asked = await prove(browser, login, { flow: 'email_code', code: digits })
    expect(asked.body).toMatchObject({ code: 'termsRequired' })
    const termsAgree = [{ type: agreement, agree: true, version: 1 }]
    const { body } = await prove(browser, login, { flow: 'email_code', termsAgree })
    expect(await comeBack(body.redirect)).toMatchObject({ sub: user.id })
  })

  test('after the first-entry password', async () => {
    const user = await createUser({ passwordChangeRequired: true })
    const browser = new Browser()
    const { path, comeBack } = await sentToSignIn(browser)
    await begin(browser, user.login, 'login', { path })
    const { body } = await prove(browser, user.login, { password })
    const answer = await browser.send(setFirst, 'PUT', {
      params: { id: String(body.setPassword) },
      body: { password: newPassword, repeatPassword: newPassword },
    })
    expect(await comeBack(answer.body.redirect)).toMatchObject({ sub: user.id })
  })

  test('after they have registered', async () => {
    const browser = new Browser()
    const { comeBack } = await sentToSignIn(browser)
    const { secret, email } = await startRegistration(browser)
    const mobile = await proveMobileOf(browser, secret)
    const { body } = await finish(browser, secret, { mobile })
    expect(await comeBack(body.redirect)).toMatchObject({ email })
  })

  test('after setting a new password by a link', async () => {
    const user = await createUser()
    const browser = new Browser()
    const { comeBack } = await sentToSignIn(browser)
    const set = await setByLink(browser, await recoveryLink(browser, user), newPassword)
    expect(set.status).toBe(200)
    expect(await comeBack(set.body.redirect)).toMatchObject({ sub: user.id })
  })

  test('after an invitation was accepted', async () => {
    const invited = await invite()
    const browser = new Browser()
    const { comeBack } = await sentToSignIn(browser)
    const mobile = await proveInvited(browser, invited.guid)
    const { body } = await say(browser, formOf(invited, { mobile, termsAgree: [] }))
    expect(await comeBack(body.redirect)).toMatchObject({ email: invited.email })
  })

  test('even if they were already signing in for something else', async () => {
    const role = await createRole({ firstFactor: ['credentials'], secondFactor: ['email_code'] })
    const user = await createUser({ roles: ['user', role] })
    const browser = new Browser()
    await begin(browser, user.login, 'login', { path: '/platform/profile/sessions' })
    const { path, comeBack } = await sentToSignIn(browser)
    // the page continues the existing attempt, and shows where it leads now
    expect((await prove(browser, user.login, { password, path })).body).toMatchObject({ next: 'second_factor' })
    const login = user.login
    await browser.send(code, 'POST', { params: { idAttribute: 'login' }, body: { login, flow: 'email_code' } })
    const { body } = await prove(browser, login, { flow: 'email_code', code: await lastCodeTo(user.email) })
    expect(await comeBack(body.redirect)).toMatchObject({ sub: user.id })
  })
})

describe('the address to return to', () => {
  test('is a path of the platform, whatever the step sends', async () => {
    const user = await createUser()
    const evil = [
      '//evil.example',
      '/\\evil.example',
      'https://evil.example/platform/interaction/x',
      '/platform/%2e%2e//x',
    ]
    for (const path of evil) {
      const browser = new Browser()
      await begin(browser, user.login)
      expect((await prove(browser, user.login, { password, path })).body).toEqual({
        next: 'done',
        redirect: '/platform/profile',
      })
    }
    const browser = new Browser()
    for (const path of evil) {
      browser.cookies.set('platform-onward', encodeURIComponent(path))
      expect((await signInByPassword(browser, user.login, password)).body.redirect).toBe('/platform/profile')
    }
  })

  test('gives way to the place where the person says they are going', async () => {
    const user = await createUser()
    const browser = new Browser()
    await sentToSignIn(browser)
    await begin(browser, user.login, 'login', { path: '/platform/profile/sessions' })
    const { body } = await prove(browser, user.login, { password })
    expect(body.redirect).toBe('/platform/profile/sessions')
  })

  test('is forgotten with the session, so the next person at this browser isn’t led there', async () => {
    const [first, next] = [await createUser(), await createUser()]
    const browser = new Browser()
    await sentToSignIn(browser)
    await begin(browser, first.login, 'login', { path: '/platform/profile/sessions' })
    await prove(browser, first.login, { password })
    await signOut(browser)
    expect((await signInByPassword(browser, next.login, password)).body.redirect).toBe('/platform/profile')
  })

  test('is kept no longer than the application waits', async () => {
    const browser = new Browser()
    const { path } = await sentToSignIn(browser)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_000_000 })
    const answer = await visit(running, browser, path)
    const [, seconds] =
      /^platform-onward=.*Max-Age=(\d+)/i.exec(answer.headers.getSetCookie().find(isOnward) ?? '') ?? []
    expect(Number(seconds)).toBeGreaterThan(0)
    expect(Number(seconds)).toBeLessThanOrEqual(600)
  })

  test('leads another person than the one signed in to the application as themselves', async () => {
    const [before, other] = [await createUser(), await createUser()]
    const browser = new Browser()
    await signInByPassword(browser, before.login, password)
    const { config } = await createClient(running)
    const sent = await request(config, { prompt: 'login' })
    const { url } = await follow(running, browser, sent.url)
    const path = url.searchParams.get('path') ?? ''
    await begin(browser, other.login, 'login', { path })
    await prove(browser, other.login, { password })
    const { url: end, body } = await follow(running, browser, path)
    expect(end.href, body).toContain(redirectUri)
    const checks = { pkceCodeVerifier: sent.verifier, expectedState: 'state' }
    expect((await client.authorizationCodeGrant(config, end, checks)).claims()).toMatchObject({ sub: other.id })
  })

  test('is used once', async () => {
    const user = await createUser()
    const browser = new Browser()
    const { path, comeBack } = await sentToSignIn(browser)
    await begin(browser, user.login, 'login', { path })
    await comeBack((await prove(browser, user.login, { password })).body.redirect)
    await signOut(browser)
    expect((await signInByPassword(browser, user.login, password)).body.redirect).toBe('/platform/profile')
  })

  test('is forgotten if the person gives up', async () => {
    const user = await createUser()
    const browser = new Browser()
    const { config } = await createClient(running, { methods: [`resume.${Date.now()}`] })
    const { path } = await (async () => {
      const { url } = await follow(running, browser, (await request(config)).url)
      return { path: url.searchParams.get('path') ?? '' }
    })()
    await begin(browser, user.login, 'login', { path })
    await prove(browser, user.login, { password })
    const page = await follow(running, browser, path)
    expect(page.status).toBe(403)
    // no link to a page that doesn't exist
    const requests = pathOfScreen('UserProfileAccessRequests')
    expect(page.body.includes('/platform/profile/requests/access')).toBe(requests !== undefined)
    const { url: end } = await follow(running, browser, `${page.url.pathname}/back`)
    expect(end.searchParams.get('error')).toBe('access_denied')
    await signOut(browser)
    expect((await signInByPassword(browser, user.login, password)).body.redirect).toBe('/platform/profile')
  })
})
