import { exportJWK, generateKeyPair, jwtVerify, SignJWT } from 'jose'
import * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { redis } from '@/lib/base/redis/redis'
import ru from '@/messages/ru/oidc.json'
import type { Browser } from '../../factories/browser'
import { createClient, follow, issuer, redirectUri, request, startProvider, visit } from '../../factories/oidc'
import { authorize, refused, signedIn, tokensFor } from '../../factories/oidc-flows'
import { withoutRedis } from '../../factories/redis-away'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

const secret = 'a secret of forty-three characters or thereabouts'

let running: Awaited<ReturnType<typeof startProvider>>
beforeAll(async () => {
  running = await startProvider()
})
afterAll(() => running.stop())

/** Expects that a request that can't be read redirects nobody: our page shows the error. */
async function refusedHere(browser: Browser, url: URL) {
  const { status, body, url: end } = await follow(running, browser, url)
  expect([status, end.pathname]).toEqual([400, '/oidc/auth'])
  expect(body).toContain(ru.oidc.failure.other.title)
}

const namesIn = (pattern: string) => redis().keys(pattern)

describe('a pushed authorization request', () => {
  /** Pushes a request. Returns the address for the person, and the proof. */
  async function push(config: client.Configuration, params: Record<string, string> = {}) {
    const { url, verifier } = await request(config)
    const { client_id: _, ...pushed } = { ...Object.fromEntries(url.searchParams), ...params }
    return { url: await client.buildAuthorizationUrlWithPAR(config, pushed), verifier }
  }

  test('has the pushed parameters, whatever the address contains, and works once', async () => {
    for (const values of [{ secret }, {}]) {
      const { config, clientId } = await createClient(running, values)
      const { browser, user } = await signedIn()
      const { url, verifier } = await push(config)
      expect([...url.searchParams.keys()].sort()).toEqual(['client_id', 'request_uri'])
      const changed = new URL(url)
      changed.searchParams.set('redirect_uri', 'https://evil.example/')
      changed.searchParams.set('scope', 'openid contractors')
      const { url: end } = await follow(running, browser, changed)
      expect(end.href).toContain(redirectUri)
      const checks = { pkceCodeVerifier: verifier, expectedState: 'state' }
      const tokens = await client.authorizationCodeGrant(config, end, checks)
      expect(tokens.scope?.split(' ')).toContain('email')
      expect(tokens.claims()).toMatchObject({ aud: clientId, sub: user.id })

      await refusedHere(browser, url)
    }
  })

  test('works only for its client and for a minute', async () => {
    const { config } = await createClient(running, { secret })
    const other = await createClient(running, { secret, redirectUris: ['https://other.example/callback'] })
    const { browser } = await signedIn()
    const { url } = await push(config)
    const stolen = new URL(url)
    stolen.searchParams.set('client_id', other.clientId)
    await refusedHere(browser, stolen)

    const [name = ''] = await namesIn('oidc:PushedAuthorizationRequest:*')
    expect(await redis().ttl(name)).toBeLessThanOrEqual(60)
    for (const key of await namesIn('oidc:PushedAuthorizationRequest:*')) await redis().pexpire(key, 0)
    await refusedHere(browser, url)
  })

  test('is refused if the client isn’t authenticated, or requests what it may not', async () => {
    const { config } = await createClient(running, { secret })
    expect(await refused(push(config, { redirect_uri: 'https://app.example/callback2' }))).toBe('invalid_request')
    expect(await refused(push(config, { response_type: 'token' }))).toBe('unsupported_response_type')
    expect(await refused(push(config, { code_challenge_method: 'plain' }))).toBe('invalid_request')
    const { url } = await request(config)
    const answer = await fetch(running.at('/oidc/request'), { method: 'POST', body: url.searchParams })
    expect([answer.status, await answer.json()]).toEqual([401, expect.objectContaining({ error: 'invalid_client' })])
  })
})

describe('DPoP', () => {
  const handleFor = async (config: client.Configuration) =>
    client.getDPoPHandle(config, await client.randomDPoPKeyPair('ES256', { extractable: true }))

  test('binds a public client’s tokens to its key', async () => {
    const { config } = await createClient(running)
    const { browser, user } = await signedIn()
    const [DPoP, thief] = [await handleFor(config), await handleFor(config)]
    const tokens = await tokensFor(running, browser, config, {}, {}, { DPoP })
    expect(tokens.token_type).toBe('dpop')
    const introspected = await client.tokenIntrospection(config, tokens.access_token)
    expect(introspected).toMatchObject({ active: true, token_type: 'DPoP', cnf: { jkt: expect.any(String) } })

    const info = (options?: client.DPoPOptions) => client.fetchUserInfo(config, tokens.access_token, user.id, options)
    expect(await info({ DPoP })).toMatchObject({ sub: user.id })
    expect(await refused(info())).toBe('invalid_token')
    expect(await refused(info({ DPoP: thief }))).toBe('invalid_token')

    const refresh = (options?: client.DPoPOptions) =>
      client.refreshTokenGrant(config, tokens.refresh_token ?? '', undefined, options)
    expect(await refused(refresh())).toBe('invalid_grant')
    expect(await refused(refresh({ DPoP: thief }))).toBe('invalid_grant')
    // neither failure has used it up
    expect(await refresh({ DPoP })).toMatchObject({ token_type: 'dpop' })
  })

  test('binds a confidential client’s access tokens; its refresh tokens are bound to its secret', async () => {
    const { config } = await createClient(running, { secret })
    const { browser } = await signedIn()
    const DPoP = await handleFor(config)
    const tokens = await tokensFor(running, browser, config, {}, {}, { DPoP })
    expect(tokens.token_type).toBe('dpop')
    const other = await handleFor(config)
    const fresh = await client.refreshTokenGrant(config, tokens.refresh_token ?? '', undefined, { DPoP: other })
    expect(fresh.token_type).toBe('dpop')
  })

  test('a code requested with a key is given only to that key', async () => {
    const { config } = await createClient(running)
    const { browser } = await signedIn()
    const [DPoP, thief] = [await handleFor(config), await handleFor(config)]
    const dpop_jkt = await DPoP.calculateThumbprint()
    const take = (options?: client.AuthorizationCodeGrantOptions) =>
      refused(tokensFor(running, browser, config, { dpop_jkt }, {}, options))
    expect({ byThief: await take({ DPoP: thief }), withoutProof: await take(), byOwner: await take({ DPoP }) }).toEqual(
      { byThief: 'invalid_grant', withoutProof: 'invalid_grant', byOwner: 'allowed' },
    )
  })

  test('a proof is valid once, for its address, method, token and time', async () => {
    const { config } = await createClient(running)
    const { browser } = await signedIn()
    const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true })
    const DPoP = client.getDPoPHandle(config, { publicKey, privateKey })
    const { access_token: token } = await tokensFor(running, browser, config, {}, {}, { DPoP })
    const jwk = await exportJWK(publicKey)
    const ath = Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(token))).toString('base64url')
    const now = Math.floor(Date.now() / 1000)
    const good = { htm: 'GET', htu: `${issuer}/me`, iat: now, jti: 'one', ath }
    const proof = (changes: Record<string, unknown> = {}) =>
      new SignJWT({ ...good, ...changes }).setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk }).sign(privateKey)
    const ask = async (dpop: string, scheme = 'DPoP') => {
      const headers = { authorization: `${scheme} ${token}`, dpop }
      const answer = await fetch(running.at('/oidc/me'), { headers })
      return [answer.status, /error="(\w+)"/.exec(answer.headers.get('www-authenticate') ?? '')?.[1]]
    }
    const first = await proof()
    expect(await jwtVerify(first, publicKey)).toBeTruthy()
    expect(await ask(first)).toEqual([200, undefined])
    expect(await ask(first)).toEqual([401, 'invalid_token'])
    const wrong: [string, Record<string, unknown>][] = [
      ['another method', { jti: '2', htm: 'POST' }],
      ['another address', { jti: '3', htu: `${issuer}/token` }],
      ['another token', { jti: '4', ath: 'x' }],
      ['too old', { jti: '5', iat: now - 3600 }],
      ['from the future', { jti: '6', iat: now + 3600 }],
      ['a nonce, which nobody asked for', { jti: '7', nonce: 'x' }],
    ]
    for (const [what, changes] of wrong)
      expect(await ask(await proof(changes)), what).toEqual([401, 'invalid_dpop_proof'])
    expect((await ask(await proof({ jti: '8' }), 'Bearer'))[0]).toBe(400)

    // of copies that arrive at once one is accepted
    const copied = await proof({ jti: '9' })
    const answers = await Promise.all(Array.from({ length: 10 }, () => ask(copied)))
    expect(answers.filter(([status]) => status === 200)).toHaveLength(1)
    expect((await namesIn('oidc:ReplayDetection:*')).length).toBeGreaterThan(2)

    // a proof is refused if it can't be stored against replay
    const unseen = await proof({ jti: '10' })
    expect((await withoutRedis(() => ask(unseen)))[0]).toBe(503)
    expect((await ask(unseen))[0]).toBe(200)
  })
})

test('without Redis nothing is pushed, and a bound refresh token isn’t used up', async () => {
  const { config } = await createClient(running)
  const { browser } = await signedIn()
  const DPoP = client.getDPoPHandle(config, await client.randomDPoPKeyPair())
  const { end, verifier } = await authorize(running, browser, config)
  const checks = { pkceCodeVerifier: verifier, expectedState: 'state' }
  const tokens = await client.authorizationCodeGrant(config, end, checks, undefined, { DPoP })
  const refresh = () => client.refreshTokenGrant(config, tokens.refresh_token ?? '', undefined, { DPoP })
  const { url } = await request(config)
  await withoutRedis(async () => {
    const pushed = await fetch(running.at('/oidc/request'), { method: 'POST', body: url.searchParams })
    expect([pushed.status, (await pushed.json()).error]).toEqual([503, 'temporarily_unavailable'])
    expect(await refused(refresh())).toBe('503')
    const page = await visit(running, browser, `/oidc/auth?client_id=x&request_uri=urn:ietf:params:oauth:request_uri:x`)
    expect(page.status).toBeGreaterThanOrEqual(400)
  })
  expect(await refused(refresh())).toBe('allowed')
})
