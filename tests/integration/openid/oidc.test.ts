import { eq } from 'drizzle-orm'
import * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { oidcClients, oidcKeys, oidcRecords, sessions } from '@/db/schema'
import { dropCached } from '@/lib/base/cache/cache'
import { digest, keyedHash } from '@/lib/base/crypto/encryption'
import { applicationOfInteraction, noteBegunInteraction } from '@/lib/openid/begun-interactions/service'
import { enableClient, rotateClientSecret } from '@/lib/openid/clients/service'
import { rotateKeys } from '@/lib/openid/keys/service'
import { plainPath } from '@/lib/openid/server/http-methods'
import { cookieJar } from '@/lib/request/cookies'
import en from '@/messages/en/oidc.json'
import ru from '@/messages/ru/oidc.json'
import { Browser } from '../../factories/browser'
import { createContext } from '../../factories/context'
import { createClient, follow, issuer, redirectUri, request, startProvider, visit } from '../../factories/oidc'
import { refused, signedIn, tokensFor } from '../../factories/oidc-flows'
import { spellings } from '../../factories/oidc-spellings'
import { takeRedisAway } from '../../factories/redis-away'
import { begin, prove, signInByPassword } from '../../factories/sign-in'
import { createUser, password } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

let running: Awaited<ReturnType<typeof startProvider>>
beforeAll(async () => {
  running = await startProvider()
})
afterAll(() => running.stop())

describe('discovery', () => {
  test('names only the issuer, whatever Host is forged, at both addresses', async () => {
    for (const path of ['/oidc/.well-known/openid-configuration', '/.well-known/oauth-authorization-server/oidc']) {
      const answer = await fetch(running.at(path), {
        headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example' },
      })
      const text = await answer.text()
      expect(answer.status).toBe(200)
      expect(text).not.toContain('evil')
      const metadata = JSON.parse(text)
      expect(metadata).toMatchObject({
        issuer,
        token_endpoint: `${issuer}/token`,
        code_challenge_methods_supported: ['S256'],
        response_types_supported: ['code'],
        authorization_response_iss_parameter_supported: true,
        backchannel_logout_supported: true,
      })
      expect(metadata.grant_types_supported).not.toContain('implicit')
      expect(metadata.grant_types_supported).not.toContain('password')
    }
  })

  test('publishes public keys only', async () => {
    const { keys } = await (await fetch(running.at('/oidc/jwks'))).json()
    const algs = keys.map(({ alg }: { alg: string }) => alg)
    expect(algs.toSorted()).toEqual(['ES256', 'ES256', 'PS256', 'PS256', 'RS256', 'RS256'])
    for (const key of keys) for (const secret of ['d', 'p', 'q']) expect(Object.keys(key)).not.toContain(secret)
  })
})

describe('all spellings of a provider’s address mean the same', () => {
  const sent = async (path: string) => {
    const body = new URLSearchParams({ client_id: 'x' })
    const answer = await visit(running, new Browser(), path, { method: 'POST', body })
    return [answer.status, answer.headers.get('location')]
  }

  test.each(['/auth', '/session/end'])('%s redirects a form to the normalized address', async (path) => {
    for (const one of spellings('/oidc', path)) expect(await sent(one), one).toEqual([303, `/oidc${path}?client_id=x`])
  })

  test.each(['/session/end', '/auth', '/me', '/token', '/jwks'])('%s answers and fails alike', async (path) => {
    const answers = async (one: string) => {
      const { status, headers } = await visit(running, new Browser(), `${one}?id_token_hint=x`)
      const deleted = await visit(running, new Browser(), one, { method: 'DELETE' })
      return [status, headers.get('content-type'), deleted.status, deleted.headers.get('allow'), await deleted.text()]
    }
    const plain = await answers(`/oidc${path}`)
    for (const one of spellings('/oidc', path)) expect(await answers(one), one).toEqual(plain)
  })

  test('an id at its end stays unchanged', () => {
    expect(['/AUTH/aBc', '/Auth/aBc/', '/auth/aBc'].map(plainPath)).toEqual(Array(3).fill('/auth/aBc'))
    expect(['/Device/', '/DEVICE/Auth', '/', '/JWKS'].map(plainPath)).toEqual(['/device', '/device/auth', '/', '/jwks'])
  })
})

test('keys rotate: the next one is published beforehand, and signatures of the last one stay valid', async () => {
  const { config } = await createClient(running)
  const { browser } = await signedIn()
  const keyOf = (idToken: string) => JSON.parse(Buffer.from(idToken.split('.')[0] ?? '', 'base64url').toString()).kid
  const published = async (): Promise<string[]> => {
    const { keys } = await (await fetch(running.at('/oidc/jwks'))).json()
    return keys.filter(({ alg }: { alg: string }) => alg === 'RS256').map(({ kid }: { kid: string }) => kid)
  }
  const [active, next] = await published()
  const tokens = await tokensFor(running, browser, config)
  expect(keyOf(tokens.id_token ?? '')).toBe(active)

  const later = (days: number) => new Date(Date.now() + days * 24 * 3_600_000)
  const rotate = async (at: Date) => {
    await rotateKeys(at)
    dropCached('oidc-keys')
  }
  await rotate(later(1))
  expect(await published()).toEqual([active, next])
  await rotate(later(91))
  const [signing, , retired] = await published()
  expect([signing, retired]).toEqual([next, active])
  const fresh = await tokensFor(running, browser, config)
  expect(keyOf(fresh.id_token ?? '')).toBe(next)
  await rotate(later(100))
  expect(await published()).not.toContain(active)
  const rows = JSON.stringify(await db().select().from(oidcKeys))
  expect(rows).not.toContain('"d"')
})

describe('without Redis', () => {
  test('everything lasting works, and short-lived things answer 503', async () => {
    const { config } = await createClient(running)
    const { browser, user } = await signedIn()
    const tokens = await tokensFor(running, browser, config)
    const { url, verifier } = await request(config)
    const { url: end } = await follow(running, browser, url)
    const asked = await request(config, { prompt: 'login' })
    const waiting = (await follow(running, browser, asked.url)).url.searchParams.get('path') ?? ''
    const bringBack = takeRedisAway()
    try {
      expect(await client.fetchUserInfo(config, tokens.access_token, user.id)).toMatchObject({ sub: user.id })
      await client.refreshTokenGrant(config, tokens.refresh_token ?? '')
      const checks = { pkceCodeVerifier: verifier, expectedState: 'state' }
      const failed = await client.authorizationCodeGrant(config, end, checks).catch((error) => error)
      expect(failed.cause.status).toBe(503)
      expect(await failed.cause.json()).toMatchObject({ error: 'temporarily_unavailable' })
      const page = await follow(running, browser, waiting)
      expect(page.status).toBe(503)
      expect(page.body).toContain(ru.oidc.failure.unavailable.title)
    } finally {
      bringBack()
    }
  })
})

describe('signing in to an application', () => {
  test('only the browser that began a request is told which application waits', async () => {
    const { config } = await createClient(running)
    const ask = async (browser: Browser) =>
      (await follow(running, browser, (await request(config)).url)).url.searchParams.get('path') ?? ''
    const jarOf = ({ cookies }: Browser) => cookieJar([...cookies].map((pair) => pair.join('=')).join('; '))
    const applicationAt = (browser: Browser, path: string) => applicationOfInteraction(jarOf(browser), path)
    const [victim, attacker] = [new Browser(), new Browser()]
    const [path, second] = [await ask(victim), await ask(victim)]
    expect(await applicationAt(victim, path)).toMatchObject({ name: expect.any(String) })
    expect(await applicationAt(victim, second)).toMatchObject({ name: expect.any(String) })

    expect(await applicationAt(attacker, path)).toBeNull()
    // a request of their own gives a cookie, but for their own path alone
    const ownPath = await ask(attacker)
    expect(await applicationAt(attacker, ownPath)).toMatchObject({ name: expect.any(String) })
    expect(await applicationAt(attacker, path)).toBeNull()
    // opening the address of the other person's request adds nothing
    await follow(running, attacker, path)
    expect(await applicationAt(attacker, path)).toBeNull()
    const uid = path.split('/').at(-1) ?? ''
    const proof = jarOf(attacker).cookies.get('waiting') ?? ''
    expect(proof).not.toBe('')
    for (const forged of [uid, path, digest(uid), keyedHash('oidc', uid), `${proof}.${uid}`, 'A'.repeat(43), '.', '']) {
      const { cookies } = jarOf(attacker)
      cookies.set('waiting', forged)
      cookies.set('onward', path)
      expect(await applicationOfInteraction({ cookies }, path), forged).toBeNull()
    }
    // many tabs don't make the cookie grow
    const { cookies } = jarOf(victim)
    for (let n = 0; n < 50; n++) noteBegunInteraction({ cookies }, `tab-${n}`)
    expect(cookies.get('waiting')?.length).toBeLessThan(256)
  })

  test('leads through the sign-in pages and returns with claims', async () => {
    const { config } = await createClient(running, { secret: 'a secret of forty-three characters or thereabouts' })
    const [user, browser] = [await createUser(), new Browser()]
    const { url, verifier } = await request(config, { login_hint: user.login, ui_locales: 'en-GB ru' })
    const { url: page } = await follow(running, browser, url)
    expect(page.pathname).toBe('/platform/login')
    expect(page.searchParams.get('login_hint')).toBe(user.login)
    expect(browser.cookies.get('locale')).toBe('en')
    const path = page.searchParams.get('path') ?? ''
    await begin(browser, user.login, 'login', { path })
    const { body } = await prove(browser, user.login, { password })
    expect(body).toEqual({ next: 'done', redirect: path })

    const { url: end } = await follow(running, browser, path)
    expect(end.searchParams.get('iss')).toBe(issuer)
    const tokens = await client.authorizationCodeGrant(config, end, {
      pkceCodeVerifier: verifier,
      expectedState: 'state',
    })
    expect(tokens.claims()).toMatchObject({
      sub: user.id,
      preferred_username: user.login,
      methods: [],
      contractors: [],
    })
    const info = await client.fetchUserInfo(config, tokens.access_token, user.id)
    expect(info).toMatchObject({ sub: user.id, email: user.email, roles: expect.any(Array) })
    const introspected = await client.tokenIntrospection(config, tokens.access_token)
    expect(introspected).toMatchObject({ active: true, sub: user.id })

    // a second application needs no further step
    const other = await createClient(running)
    await tokensFor(running, browser, other.config)
  })

  test('stores no usable token', async () => {
    const { config } = await createClient(running)
    const { browser } = await signedIn()
    const tokens = await tokensFor(running, browser, config)
    const rows = JSON.stringify(await db().select().from(oidcRecords))
    expect(rows).not.toContain(tokens.access_token)
    expect(rows).not.toContain(tokens.refresh_token)
  })

  test('prompt=none answers login_required if nobody is signed in', async () => {
    const { config } = await createClient(running)
    const { url } = await request(config, { prompt: 'none' })
    const { url: end } = await follow(running, new Browser(), url)
    expect(end.searchParams.get('error')).toBe('login_required')
    const { browser } = await signedIn()
    // also their first application
    await tokensFor(running, browser, config, { prompt: 'none' })
    await tokensFor(running, browser, config, { prompt: 'none' })
  })

  test('prompt=login and max_age ask again, and the applications of the session stay signed in', async () => {
    const { config } = await createClient(running)
    const { browser, user } = await signedIn()
    // an hour ago
    await db()
      .update(sessions)
      .set({ createdAt: new Date(Date.now() - 3_600_000) })
      .where(eq(sessions.userId, user.id))
    const before = await tokensFor(running, browser, config)
    await tokensFor(running, browser, config, { max_age: '7200' })
    for (const params of [{ max_age: '60' }, { prompt: 'login' }] as Record<string, string>[]) {
      const { url, verifier } = await request(config, params)
      const { url: page } = await follow(running, browser, url)
      expect(page.pathname).toBe('/platform/login')
      expect(page.searchParams.get('anew')).toBe('1')
      await signInByPassword(browser, user.login, password)
      const { url: end, body } = await follow(running, browser, page.searchParams.get('path') ?? '')
      expect(end.href, body).toContain(redirectUri)
      await client.authorizationCodeGrant(config, end, { pkceCodeVerifier: verifier, expectedState: 'state' })
    }
    expect(await client.fetchUserInfo(config, before.access_token, user.id)).toMatchObject({ sub: user.id })
  })

  test('without a method of the application our page appears, and going back reports the refusal', async () => {
    const { config } = await createClient(running, { methods: ['ledger.read'] })
    const { browser } = await signedIn()
    const { url } = await request(config)
    const { status, body, url: at } = await follow(running, browser, url)
    expect(status).toBe(403)
    expect(body).toContain(ru.oidc.access.title.replace('{application}', 'Учёт'))
    const { url: end } = await follow(running, browser, `${at.pathname}/back`)
    expect(end.href).toContain(redirectUri)
    expect(end.searchParams.get('error')).toBe('access_denied')
  })

  test('another person’s interaction can’t be taken over', async () => {
    const { config } = await createClient(running)
    const { url } = await request(config)
    const { url: page } = await follow(running, new Browser(), url)
    const { browser } = await signedIn()
    browser.cookies.set('locale', 'en')
    const { status, body } = await follow(running, browser, page.searchParams.get('path') ?? '')
    expect(status).toBe(400)
    expect(body).toContain(en.oidc.failure.expired.title)
  })
})

describe('these are refused', () => {
  test('a redirect address that differs in one character: our page appears, and nobody is redirected', async () => {
    const { config } = await createClient(running)
    const { browser } = await signedIn()
    for (const uri of [`${redirectUri}/`, 'https://app.example/callbacK', 'https://app.example.evil/callback']) {
      const { url } = await request(config, { redirect_uri: uri })
      const answer = await visit(running, browser, url)
      expect([answer.status, answer.headers.get('location')]).toEqual([400, null])
      expect(await answer.text()).toContain(ru.oidc.failure.address.title)
    }
  })

  test('absent and plain PKCE, and implicit', async () => {
    const { config } = await createClient(running)
    const { browser } = await signedIn()
    const errorOf = async (change: (params: URLSearchParams) => void) => {
      const { url } = await request(config)
      change(url.searchParams)
      const { url: end } = await follow(running, browser, url)
      return end.searchParams.get('error') ?? new URLSearchParams(end.hash.slice(1)).get('error')
    }
    expect(await errorOf((params) => params.set('code_challenge_method', 'plain'))).toBe('invalid_request')
    const without = (params: URLSearchParams) => {
      params.delete('code_challenge_method')
      params.delete('code_challenge')
    }
    expect(await errorOf(without)).toBe('invalid_request')
    expect(await errorOf((params) => params.set('response_type', 'token'))).toBe('unsupported_response_type')
  })

  test('a code used twice, which ends its tokens; of two at once one wins', async () => {
    const { config } = await createClient(running)
    const { browser, user } = await signedIn()
    const { url, verifier } = await request(config)
    const { url: end } = await follow(running, browser, url)
    const use = () => client.authorizationCodeGrant(config, end, { pkceCodeVerifier: verifier, expectedState: 'state' })
    const tokens = await use()
    expect(await refused(use())).toBe('invalid_grant')
    expect(await refused(client.fetchUserInfo(config, tokens.access_token, user.id))).not.toBe('allowed')

    const second = await request(config)
    const { url: again } = await follow(running, browser, second.url)
    const checks = { pkceCodeVerifier: second.verifier, expectedState: 'state' }
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, () => refused(client.authorizationCodeGrant(config, again, checks))),
    )
    expect(outcomes.filter((outcome) => outcome === 'allowed').length).toBeLessThanOrEqual(1)
  })

  test('a refresh token used twice later, which ends the family', async () => {
    const { config } = await createClient(running)
    const { browser } = await signedIn()
    const tokens = await tokensFor(running, browser, config)
    const first = tokens.refresh_token ?? ''
    const second = await client.refreshTokenGrant(config, first)
    expect(second.refresh_token).not.toBe(first)
    expect((await client.refreshTokenGrant(config, first)).refresh_token).toBe(second.refresh_token)
    const third = await client.refreshTokenGrant(config, second.refresh_token ?? '')
    // as if some time had passed
    const long = new Date(Date.now() - 60_000)
    await db().update(oidcRecords).set({ consumedAt: long }).where(eq(oidcRecords.model, 'RefreshToken'))
    expect(await refused(client.refreshTokenGrant(config, second.refresh_token ?? ''))).toBe('invalid_grant')
    expect(await refused(client.refreshTokenGrant(config, third.refresh_token ?? ''))).toBe('invalid_grant')
  })
})

describe('clients', () => {
  const secret = 'a secret of forty-three characters or thereabouts'
  const machine = { secret, redirectUris: [], grantTypes: ['client_credentials'] }

  test('may use client_credentials if allowed, for as long as the settings or the client say', async () => {
    const { config } = await createClient(running, machine)
    expect(await client.clientCredentialsGrant(config)).toMatchObject({ token_type: 'bearer', expires_in: 600 })
    const shortLived = await createClient(running, { ...machine, accessTokenLifespan: 90 })
    expect(await client.clientCredentialsGrant(shortLived.config)).toMatchObject({ expires_in: 90 })
    const people = await createClient(running, { secret })
    expect(await refused(client.clientCredentialsGrant(people.config))).toBe('unauthorized_client')
  })

  test('may have two secrets while one replaces the other, and are refused at once when disabled', async () => {
    const ctx = await createContext({ methods: ['applications.write'] })
    const { config, clientId } = await createClient(running, machine)
    const withSecret = (value: string) =>
      new client.Configuration(config.serverMetadata(), clientId, undefined, client.ClientSecretBasic(value))
    const grant = (value: string) => {
      const made = withSecret(value)
      client.allowInsecureRequests(made)
      Object.assign(made, { [client.customFetch]: config[client.customFetch] })
      return refused(client.clientCredentialsGrant(made))
    }
    const { secret: fresh } = await rotateClientSecret(ctx, { clientId, overlap: 60 })
    expect({ fresh: await grant(fresh), old: await grant(secret), unknown: await grant('another') }).toEqual({
      fresh: 'allowed',
      old: 'allowed',
      unknown: 'invalid_client',
    })
    await rotateClientSecret(ctx, { clientId, overlap: 0 })
    expect([await grant(fresh), await grant(secret)]).toEqual(['invalid_client', 'invalid_client'])

    const stored = await db().select().from(oidcClients).where(eq(oidcClients.clientId, clientId))
    expect(JSON.stringify(stored)).not.toContain(fresh)
    const other = await createClient(running, machine)
    await enableClient(ctx, { clientId: other.clientId, enabled: false })
    expect(await refused(client.clientCredentialsGrant(other.config))).toBe('invalid_client')
    const { url } = await request(other.config)
    const { status, body } = await follow(running, new Browser(), url)
    expect(status).toBeGreaterThanOrEqual(400)
    expect(body).toContain(ru.oidc.failure.client.title)
  })
})
