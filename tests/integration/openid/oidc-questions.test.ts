import { eq } from 'drizzle-orm'
import * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { applications } from '@/db/schema'
import { dropCached } from '@/lib/base/cache/cache'
import en from '@/messages/en/oidc.json'
import ru from '@/messages/ru/oidc.json'
import { Browser } from '../../factories/browser'
import {
  createClient,
  decoded,
  follow,
  formAction,
  issuer,
  redirectUri,
  request,
  startProvider,
  submit,
} from '../../factories/oidc'
import { signedIn, tokensFor } from '../../factories/oidc-flows'
import { signInByPassword } from '../../factories/sign-in'
import { createUser, password } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

const secret = 'a secret of forty-three characters or thereabouts'

let running: Awaited<ReturnType<typeof startProvider>>
beforeAll(async () => {
  running = await startProvider()
})
afterAll(() => running.stop())

describe('prompt=select_account', () => {
  const asked = async (config: client.Configuration, browser: Browser, prompt = 'select_account') => {
    const { url, verifier } = await request(config, { prompt })
    return { ...(await follow(running, browser, url)), verifier }
  }
  const finish = (config: client.Configuration, end: URL, pkceCodeVerifier: string) =>
    client.authorizationCodeGrant(config, end, { pkceCodeVerifier, expectedState: 'state' })

  test('asks a signed-in person whether to continue with this account', async () => {
    const { config } = await createClient(running)
    const { browser, user } = await signedIn()
    await tokensFor(running, browser, config)
    const page = await asked(config, browser)
    expect([page.status, page.body]).toEqual([200, expect.stringContaining(ru.oidc.account.title)])
    expect(page.body).toContain(user.login)
    const answer = await submit(running, browser, formAction(page.body), { account: 'same' })
    const { url: end } = await follow(running, browser, answer.headers.get('location') ?? '')
    expect((await finish(config, end, page.verifier)).claims()?.sub).toBe(user.id)
  })

  test('lets another person sign in, who then continues', async () => {
    const { config } = await createClient(running)
    const { browser } = await signedIn()
    const other = await createUser()
    const page = await asked(config, browser)
    const answer = await submit(running, browser, formAction(page.body), { account: 'other' })
    const login = new URL(answer.headers.get('location') ?? '', issuer)
    expect([login.pathname, login.searchParams.get('anew')]).toEqual(['/platform/login', '1'])
    await signInByPassword(browser, other.login, password)
    const { url: end, body } = await follow(running, browser, login.searchParams.get('path') ?? '')
    expect(end.href, body).toContain(redirectUri)
    expect((await finish(config, end, page.verifier)).claims()?.sub).toBe(other.id)
  })

  test('asks nothing if nobody is signed in: the one sign-in is the choice', async () => {
    const { config } = await createClient(running)
    for (const prompt of ['select_account', 'select_account login']) {
      const [user, browser] = [await createUser(), new Browser()]
      const { url: login, verifier } = await asked(config, browser, prompt)
      expect(login.pathname).toBe('/platform/login')
      await signInByPassword(browser, user.login, password)
      const { url: end, body } = await follow(running, browser, login.searchParams.get('path') ?? '')
      expect(end.href, body).toContain(redirectUri)
      expect((await finish(config, end, verifier)).claims()?.sub).toBe(user.id)
    }
  })

  test('together with prompt=login requires even the same person to sign in again', async () => {
    const { config } = await createClient(running)
    const { browser, user } = await signedIn()
    const page = await asked(config, browser, 'login select_account')
    const answer = await submit(running, browser, formAction(page.body), { account: 'same' })
    const { url: login } = await follow(running, browser, answer.headers.get('location') ?? '')
    expect(login.pathname).toBe('/platform/login')
    await signInByPassword(browser, user.login, password)
    const { url: end } = await follow(running, browser, login.searchParams.get('path') ?? '')
    expect((await finish(config, end, page.verifier)).claims()?.sub).toBe(user.id)
  })

  test('is answered only from our own page, and never without a person', async () => {
    const { config } = await createClient(running)
    const { browser } = await signedIn()
    const page = await asked(config, browser)
    const forged = await submit(
      running,
      browser,
      formAction(page.body),
      { account: 'same' },
      { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
    )
    expect(forged.status).toBe(403)
    const thief = await submit(running, new Browser(), formAction(page.body), { account: 'same' })
    expect(thief.status).toBe(400)
    const { url } = await request(config, { prompt: 'none select_account' })
    expect((await follow(running, browser, url)).url.searchParams.get('error')).toBe('invalid_request')
    const supported = await (await fetch(running.at('/oidc/.well-known/openid-configuration'))).json()
    expect(supported.prompt_values_supported.toSorted()).toEqual(['consent', 'login', 'none', 'select_account'])
  })
})

describe('signing out at an application', () => {
  const bye = 'https://app.example/bye'
  const stayAt = (body: string) => /<\/button><a href="([^"]*)"/.exec(body)?.slice(1).map(decoded)[0]
  const end = (browser: Browser, params: Record<string, string>) =>
    follow(running, browser, `/oidc/session/end?${new URLSearchParams(params)}`)

  test('“Stay” leads back to the application that asked, at one of its addresses', async () => {
    const { config, clientId, application } = await createClient(running, { secret, postLogoutRedirectUris: [bye] })
    const { browser, user } = await signedIn()
    const tokens = await tokensFor(running, browser, config)
    const hint = { id_token_hint: tokens.id_token ?? '' }
    const asks = async (params: Record<string, string>) => stayAt((await end(browser, params)).body)
    expect(await asks({ ...hint, post_logout_redirect_uri: bye, state: 'a b' })).toBe(`${bye}?state=a+b`)
    expect(await asks({ client_id: clientId, post_logout_redirect_uri: bye })).toBe(bye)
    // no address was given, so it returns to where the application is
    expect(await asks(hint)).toBe('https://app.example/')
    // nobody is known, or nobody was asked
    expect(await asks({ post_logout_redirect_uri: 'https://evil.example/' })).toBe('/platform')
    expect(await asks({})).toBe('/platform')
    expect(
      stayAt((await end(browser, { ...hint, post_logout_redirect_uri: 'https://evil.example/' })).body),
    ).toBeUndefined()
    await db().update(applications).set({ url: 'javascript:alert(1)' }).where(eq(applications.id, application.id))
    dropCached('oidc-clients')
    expect(await asks(hint)).toBe('/platform')
    expect(await client.fetchUserInfo(config, tokens.access_token, user.id)).toMatchObject({ sub: user.id })
  })

  test.each([['ru', ru] as const, ['en', en] as const])(
    'shows what is wrong with the request: %s',
    async (locale, { oidc: t }) => {
      const { config, clientId } = await createClient(running, { secret, postLogoutRedirectUris: [bye] })
      const { browser } = await signedIn()
      browser.cookies.set('locale', locale)
      const { id_token: hint = '' } = await tokensFor(running, browser, config)
      const [header, payload, signature = ''] = hint.split('.')
      const changed = [header, payload, `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`].join('.')
      const wrong: Record<string, string>[] = [
        { id_token_hint: hint, post_logout_redirect_uri: 'https://evil.example/' },
        { id_token_hint: changed },
        { id_token_hint: 'no.token.atall' },
        { client_id: 'nobody' },
        { id_token_hint: hint, client_id: 'another' },
      ]
      for (const params of wrong) {
        const { status, body } = await end(browser, params)
        expect([status, body], JSON.stringify(params)).toEqual([400, expect.stringContaining(t.failure.signOut.title)])
        expect(body).toContain(t.failure.signOut.text)
      }
      // a form that isn't the last rendered one, and one too long to be stored
      const stale = await submit(running, browser, '/oidc/session/end/confirm', { xsrf: 'wrong', logout: 'yes' })
      expect([stale.status, await stale.text()]).toEqual([400, expect.stringContaining(t.failure.signOut.title)])
      const long = await submit(running, browser, '/oidc/session/end', { client_id: clientId, state: 'x'.repeat(9000) })
      expect([long.status, await long.text()]).toEqual([400, expect.stringContaining(t.failure.signOut.title)])
    },
  )
})
