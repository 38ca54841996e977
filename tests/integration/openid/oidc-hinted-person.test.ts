import * as client from 'openid-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Browser } from '../../factories/browser'
import { createClient, follow, redirectUri, request, startProvider } from '../../factories/oidc'
import { signedIn, tokensFor } from '../../factories/oidc-flows'
import { signInByPassword } from '../../factories/sign-in'
import { createUser, password } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

let running: Awaited<ReturnType<typeof startProvider>>
beforeAll(async () => {
  running = await startProvider()
})
afterAll(() => running.stop())

/** A signed-in person, sent by an application that expects another person. */
async function sentForAnother(params: Record<string, string> = {}) {
  const { config } = await createClient(running)
  const [meant, present] = [await signedIn(), await signedIn()]
  const hint = (await tokensFor(running, meant.browser, config)).id_token ?? ''
  const { url, verifier } = await request(config, { id_token_hint: hint, ...params })
  const end = await follow(running, present.browser, url)
  const path = end.url.searchParams.get('path') ?? ''
  return { config, meant, present, end: end.url, path, verifier }
}

test('a signed-in person must sign in again if id_token_hint names another person', async () => {
  const { end, path, present } = await sentForAnother()
  expect([end.pathname, end.searchParams.get('anew')]).toEqual(['/platform/login', '1'])
  // coming back without signing in changes nothing
  expect((await follow(running, present.browser, path)).url.pathname).toBe('/platform/login')
})

test('the person in id_token_hint continues after signing in', async () => {
  const { config, meant, present, path, verifier } = await sentForAnother()
  await signInByPassword(present.browser, meant.user.login, password)
  const { url, body } = await follow(running, present.browser, path)
  expect(url.href, body).toContain(redirectUri)
  const checks = { pkceCodeVerifier: verifier, expectedState: 'state' }
  expect((await client.authorizationCodeGrant(config, url, checks)).claims()?.sub).toBe(meant.user.id)
})

test.each([['the same again'], ['a third person']])(
  '%s signs in who isn’t the person in id_token_hint: login_required',
  async (who) => {
    const { present, path } = await sentForAnother()
    const user = who === 'a third person' ? await createUser() : present.user
    await signInByPassword(present.browser, user.login, password)
    const { url, body } = await follow(running, present.browser, path)
    expect(url.href, body).toContain(redirectUri)
    expect([url.searchParams.get('error'), url.searchParams.has('code')]).toEqual(['login_required', false])
  },
)

test('prompt=none with the id_token_hint of another person gets login_required', async () => {
  const { end } = await sentForAnother({ prompt: 'none' })
  expect([end.searchParams.get('error'), end.searchParams.has('code')]).toEqual(['login_required', false])
})

test('a signed-out person who isn’t the person in id_token_hint gets login_required', async () => {
  const { config } = await createClient(running)
  const meant = await signedIn()
  const { id_token: hint = '' } = await tokensFor(running, meant.browser, config)
  const browser = new Browser()
  const { url } = await request(config, { id_token_hint: hint })
  const path = (await follow(running, browser, url)).url.searchParams.get('path') ?? ''
  await signInByPassword(browser, (await createUser()).login, password)
  const end = (await follow(running, browser, path)).url
  expect([end.searchParams.get('error'), end.searchParams.has('code')]).toEqual(['login_required', false])
})
