import { afterAll, beforeAll, expect, test } from 'vitest'
import { Browser } from '../../factories/browser'
import { createClient, follow, startProvider, visit } from '../../factories/oidc'
import { signedIn, tokensFor } from '../../factories/oidc-flows'
import { signedInStatus, signInByPassword, signOut } from '../../factories/sign-in'
import { createUser, password } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

const bye = 'https://app.example/bye'

let running: Awaited<ReturnType<typeof startProvider>>
beforeAll(async () => {
  running = await startProvider()
})
afterAll(() => running.stop())

const isQuestion = (body: string) => /<button[^>]* value="yes"/.test(body)

/** Asks to sign out as the application does, and presses the button or submits the form that submits itself. */
async function signOutAt(browser: Browser, params: Record<string, string>) {
  const { body } = await follow(running, browser, `/oidc/session/end?${new URLSearchParams(params)}`)
  const xsrf = /name="xsrf" value="([^"]+)"/.exec(body)?.[1] ?? ''
  const answer = await visit(running, browser, '/oidc/session/end/confirm', {
    method: 'POST',
    body: new URLSearchParams({ xsrf, logout: 'yes' }),
  })
  return { asked: isQuestion(body), location: answer.headers.get('location') }
}

/** A person who used an application and signed out at the platform. */
async function goneFromApplication() {
  const { config } = await createClient(running, { postLogoutRedirectUris: [bye] })
  const { user, browser } = await signedIn()
  const { id_token: hint = '' } = await tokensFor(running, browser, config)
  await signOut(browser)
  return { user, browser, params: { id_token_hint: hint, post_logout_redirect_uri: bye } }
}

test.each([['the same person'], ['another person']])(
  'signing out at an application asks, and ends the session of %s who signed in since',
  async (who) => {
    const { user, browser, params } = await goneFromApplication()
    const next = who === 'another person' ? await createUser() : user
    await signInByPassword(browser, next.login, password)
    expect(await signedInStatus(browser)).toBe(200)
    const before = browser.copy()
    expect(await signOutAt(browser, params)).toEqual({ asked: true, location: bye })
    expect([await signedInStatus(browser), await signedInStatus(before)]).toEqual([401, 401])
  },
)

test('the page that asks speaks the language that the application wishes, and so does what follows', async () => {
  const { config } = await createClient(running)
  const { browser } = await signedIn()
  const { id_token: hint = '' } = await tokensFor(running, browser, config)
  const langOf = (body: string) => /<html lang="(\w+)"/.exec(body)?.[1]
  const ask = async (wished: Record<string, string>) =>
    follow(running, browser, `/oidc/session/end?${new URLSearchParams({ id_token_hint: hint, ...wished })}`)
  expect(langOf((await ask({})).body)).toBe('ru')
  expect(langOf((await ask({ ui_locales: 'se' })).body)).toBe('ru')
  expect(browser.cookies.get('locale')).toBeUndefined()
  const { body } = await ask({ ui_locales: 'se en-GB ru' })
  expect(langOf(body)).toBe('en')
  expect(browser.cookies.get('locale')).toBe('en')
  const xsrf = /name="xsrf" value="([^"]+)"/.exec(body)?.[1] ?? ''
  const done = await visit(running, browser, '/oidc/session/end/confirm', {
    method: 'POST',
    body: new URLSearchParams({ xsrf, logout: 'yes' }),
  })
  const after = await follow(running, browser, done.headers.get('location') ?? '')
  expect(langOf(after.body)).toBe('en')
})

test('signing out at an application ends a platform session that no application has used', async () => {
  const { params } = await goneFromApplication()
  const { browser } = await signedIn()
  const before = browser.copy()
  expect(await signOutAt(browser, params)).toEqual({ asked: true, location: bye })
  expect(await signedInStatus(before)).toBe(401)
})

test('signing out at an application ends the session of who is signed in here, not that of a leftover provider session', async () => {
  const { config } = await createClient(running, { postLogoutRedirectUris: [bye] })
  const [first, second] = [await signedIn(), await signedIn()]
  const { id_token: hint = '' } = await tokensFor(running, first.browser, config)
  for (const [name, value] of first.browser.cookies)
    if (name.startsWith('oidc_session')) second.browser.cookies.set(name, value)
  const before = second.browser.copy()
  const params = { id_token_hint: hint, post_logout_redirect_uri: bye }
  expect(await signOutAt(second.browser, params)).toEqual({ asked: true, location: bye })
  expect([await signedInStatus(before), await signedInStatus(first.browser)]).toEqual([401, 200])
})

test('signing out at an application asks nobody if nobody is signed in', async () => {
  const { browser, params } = await goneFromApplication()
  expect(await signOutAt(browser, params)).toEqual({ asked: false, location: bye })
  expect(await signOutAt(new Browser(), params)).toEqual({ asked: false, location: bye })
})
