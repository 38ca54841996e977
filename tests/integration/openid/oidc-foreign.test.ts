import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routeClass } from '@/bin/server/inbound'
import { db } from '@/db/client'
import { oidcClients, oidcRecords } from '@/db/schema'
import { dropCached } from '@/lib/base/cache/cache'
import { encrypt } from '@/lib/base/crypto/encryption'
import { updateClientKeys } from '@/lib/openid/clients/service'
import { payloadOf } from '@/lib/openid/token-store/encrypted-record'
import { Browser } from '../../factories/browser'
import { createContext } from '../../factories/context'
import {
  createClient,
  follow,
  formAction,
  issuer,
  redirectUri,
  request,
  startProvider,
  submit,
  visit,
} from '../../factories/oidc'
import { deviceGrant, devicePages } from '../../factories/oidc-device'
import { authorize, refused, signedIn, tokensFor } from '../../factories/oidc-flows'
import { brokerSignIn } from '../../factories/oidc-foreign'
import { withoutRedis } from '../../factories/redis-away'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

const secret = 'a secret of forty-three characters or thereabouts'

let running: Awaited<ReturnType<typeof startProvider>>
beforeAll(async () => {
  running = await startProvider()
})
afterAll(() => running.stop())

const basic = (clientId: string) => ({ authorization: `Basic ${btoa(`${clientId}:${encodeURIComponent(secret)}`)}` })
const post = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  fetch(running.at(path), { method: 'POST', headers, body: new URLSearchParams(fields) })

describe('sid', () => {
  test('is in ID tokens and in userinfo of every client, the same within a session and different in another', async () => {
    const sids = new Set<unknown>()
    for (const wishes of [{}, { secret }, { secret, backchannelLogoutUri: 'https://app.example/logout' }]) {
      const { config } = await createClient(running, wishes)
      for (const { browser, user } of [await signedIn(), await signedIn()]) {
        const tokens = await tokensFor(running, browser, config, { scope: 'openid' })
        const sid = tokens.claims()?.sid
        expect(sid).toEqual(expect.stringMatching(/^[\w-]{20,}$/))
        expect(await client.fetchUserInfo(config, tokens.access_token, user.id)).toEqual({ sub: user.id, sid })
        const fresh = await client.refreshTokenGrant(config, tokens.refresh_token ?? '')
        expect(fresh.claims()?.sid).toBe(sid)
        expect(await client.fetchUserInfo(config, fresh.access_token, user.id)).toEqual({ sub: user.id, sid })
        const again = await tokensFor(running, browser, config, { scope: 'openid' })
        expect(again.claims()?.sid).toBe(sid)
        sids.add(sid)
      }
    }
    expect(sids.size).toBe(6)
  })

  test('is in the tokens of a device', async () => {
    const { config } = await createClient(running, { grantTypes: [deviceGrant, 'refresh_token'], redirectUris: [] })
    const { browser, user } = await signedIn()
    const device = await client.initiateDeviceAuthorization(config, { scope: 'openid' })
    const { location } = await devicePages(running).approve(browser, device.user_code)
    await follow(running, browser, location ?? '')
    const tokens = await client.pollDeviceAuthorizationGrant(config, { ...device, interval: 0.001 })
    const sid = tokens.claims()?.sid
    expect(sid).toEqual(expect.any(String))
    expect(await client.fetchUserInfo(config, tokens.access_token, user.id)).toEqual({ sub: user.id, sid })
  })

  test('is found for tokens that were issued before they contained it', async () => {
    const { config, clientId } = await createClient(running, { secret })
    const { browser, user } = await signedIn()
    const tokens = await tokensFor(running, browser, config, { scope: 'openid' })
    const rows = await db().select().from(oidcRecords).where(eq(oidcRecords.clientId, clientId))
    for (const row of rows) {
      const { sid: _, ...payload } = payloadOf(row)
      await db()
        .update(oidcRecords)
        .set({ payload: encrypt('oidc', JSON.stringify(payload), row.idHash) })
        .where(eq(oidcRecords.idHash, row.idHash))
    }
    const sid = tokens.claims()?.sid
    expect(sid).toEqual(expect.any(String))
    expect(await client.fetchUserInfo(config, tokens.access_token, user.id)).toEqual({ sub: user.id, sid })
    const fresh = await client.refreshTokenGrant(config, tokens.refresh_token ?? '')
    expect(fresh.claims()?.sid).toBe(sid)
  })
})

test('revocation answers with JSON, whatever was requested', async () => {
  const { config, clientId } = await createClient(running, { secret })
  const { browser, user } = await signedIn()
  const tokens = await tokensFor(running, browser, config)
  for (const token of [tokens.access_token, tokens.refresh_token ?? '', 'nothing']) {
    const answer = await post('/oidc/token/revocation', { token }, basic(clientId))
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8'])
    expect(await answer.json()).toEqual({})
  }
  expect(await refused(client.fetchUserInfo(config, tokens.access_token, user.id))).toBe('invalid_token')
})

test('introspection tells an external application only about its own tokens', async () => {
  const [ownClient, sibling, external] = [
    await createClient(running, { secret }),
    await createClient(running, { secret }),
    await createClient(running, { secret, external: true }),
  ]
  const { browser } = await signedIn()
  const tokens = await tokensFor(running, browser, ownClient.config)
  const machine = await createClient(running, { secret, redirectUris: [], grantTypes: ['client_credentials'] })
  const { access_token: its } = await client.clientCredentialsGrant(machine.config)
  for (const token of [tokens.access_token, tokens.refresh_token ?? '', its]) {
    expect(await client.tokenIntrospection(external.config, token)).toEqual({ active: false })
    expect(await client.tokenIntrospection(sibling.config, token)).toMatchObject({ active: true })
  }
  // its own tokens, also those of another client of the same application
  const theirs = await createClient(running, {
    secret,
    external: true,
    redirectUris: [],
    grantTypes: ['client_credentials'],
  })
  const { access_token: token } = await client.clientCredentialsGrant(theirs.config)
  expect(await client.tokenIntrospection(theirs.config, token)).toMatchObject({ active: true })
  expect(await client.tokenIntrospection(external.config, token)).toEqual({ active: false })
  await db()
    .update(oidcClients)
    .set({ applicationId: theirs.application.id })
    .where(eq(oidcClients.clientId, external.clientId))
  dropCached('oidc-clients')
  expect(await client.tokenIntrospection(external.config, token)).toMatchObject({ active: true })
})

describe('unauthorized_client', () => {
  test('for a grant that a client may not use, at the token endpoint and for devices', async () => {
    const { config, clientId } = await createClient(running, { secret, grantTypes: ['authorization_code'] })
    for (const grant_type of ['client_credentials', 'refresh_token', deviceGrant]) {
      const fields = { grant_type, refresh_token: 'x', device_code: 'x' }
      const answer = await post('/oidc/token', fields, basic(clientId))
      expect([answer.status, await answer.json()], grant_type).toEqual([
        400,
        { error: 'unauthorized_client', error_description: expect.any(String) },
      ])
    }
    expect(await refused(client.initiateDeviceAuthorization(config, { scope: 'openid' }))).toBe('unauthorized_client')
    // a grant type that nobody may use has another error, and so has a client that isn't authenticated
    const unknown = await post('/oidc/token', { grant_type: 'password' }, basic(clientId))
    expect((await unknown.json()).error).toBe('unsupported_grant_type')
    const nobody = await post('/oidc/token', { grant_type: 'client_credentials', client_id: clientId })
    expect((await nobody.json()).error).toBe('invalid_client')
  })

  test('for a code that a client may not request', async () => {
    const { config } = await createClient(running, { secret, grantTypes: ['client_credentials'] })
    const { browser } = await signedIn()
    const { url } = await request(config)
    const { url: end } = await follow(running, browser, url)
    expect(end.href).toContain(redirectUri)
    expect(end.searchParams.get('error')).toBe('unauthorized_client')
  })

  test('a reused code still ends its tokens, even if its client may no longer use the grant', async () => {
    const { config } = await createClient(running, { secret, grantTypes: ['authorization_code'] })
    const { browser, user } = await signedIn()
    const { end, verifier } = await authorize(running, browser, config)
    const use = () => client.authorizationCodeGrant(config, end, { pkceCodeVerifier: verifier, expectedState: 'state' })
    const tokens = await use()
    expect(await refused(use())).toBe('invalid_grant')
    expect(await refused(client.fetchUserInfo(config, tokens.access_token, user.id))).toBe('invalid_token')
  })
})

describe('an error_description is always present', () => {
  const cases: Record<string, Record<string, string>> = {
    request_not_supported: { request: 'e30.e30.' },
    request_uri_not_supported: { request_uri: 'https://app.example/request' },
    registration_not_supported: { registration: '{}' },
    invalid_request: { code_challenge_method: 'plain' },
    login_required: { prompt: 'none' },
    invalid_target: { resource: 'https://nobody.example/' },
  }
  test.each(Object.entries(cases))('%s at the application', async (error, params) => {
    const { config } = await createClient(running)
    for (const response_mode of ['query', 'fragment', 'form_post']) {
      const { url } = await request(config, { ...params, response_mode })
      const answer = await visit(running, new Browser(), url)
      const location = answer.headers.get('location')
      const answered =
        response_mode === 'form_post'
          ? Object.fromEntries(
              [...(await answer.text()).matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, k, v]) => [k, v]),
            )
          : Object.fromEntries(
              new URLSearchParams(
                response_mode === 'query' ? new URL(location ?? '').search : new URL(location ?? '').hash.slice(1),
              ),
            )
      expect(answered, response_mode).toMatchObject({ error, state: 'state' })
      expect(answered.error_description, response_mode).toMatch(/\w{3,}/)
    }
  })

  test('when a person refuses, has no access, or can’t be asked', async () => {
    const { browser } = await signedIn()
    const closed = await createClient(running, { methods: ['ledger.read'] })
    const page = await follow(running, browser, (await request(closed.config)).url)
    const backed = await follow(running, browser, `${page.url.pathname}/back`)
    const external = await createClient(running, { secret, external: true })
    const silent = await follow(running, browser, (await request(external.config, { prompt: 'none' })).url)
    const question = await follow(running, browser, (await request(external.config)).url)
    const answer = await submit(running, browser, formAction(question.body), { decision: 'refuse' })
    const refusedBy = await follow(running, browser, answer.headers.get('location') ?? '')
    const essential = JSON.stringify({ id_token: { acr: { essential: true, value: 'unheard-of' } } })
    const ownClient = await createClient(running)
    const unmet = await follow(running, browser, (await request(ownClient.config, { claims: essential })).url)
    for (const { url } of [backed, silent, refusedBy, unmet]) {
      expect(url.href).toContain(redirectUri)
      expect(url.searchParams.get('error_description'), url.href).toMatch(/\w{3,}/)
    }
  })

  test('at endpoints without a browser, and without PostgreSQL or Redis', async () => {
    const { clientId, config } = await createClient(running, { secret })
    const { browser } = await signedIn()
    const { end, verifier } = await authorize(running, browser, config)
    const code = {
      grant_type: 'authorization_code',
      code: end.searchParams.get('code') ?? '',
      redirect_uri: redirectUri,
    }
    const answers = [
      await post('/oidc/token', { grant_type: 'refresh_token', refresh_token: 'x' }, basic(clientId)),
      await post('/oidc/token', {}),
      await post('/oidc/token', { grant_type: 'refresh_token' }, { authorization: 'Basic !' }),
      await post('/oidc/token/introspection', { token: 'x' }),
      await post('/oidc/token/revocation', {}, basic(clientId)),
      await post('/oidc/device/auth', { client_id: 'nobody' }),
      await post('/oidc/request', {}, basic(clientId)),
      await fetch(running.at('/oidc/me')),
      await fetch(running.at('/oidc/me'), { headers: { authorization: 'Bearer x' } }),
      await fetch(running.at('/oidc/nothing')),
      await fetch(running.at('/platform/interaction/nothing')),
      await fetch(running.at('/platform/interaction/nothing/consent'), { method: 'POST' }),
      await post('/oidc/auth', { a: 'x'.repeat(9000) }),
      await withoutRedis(() => post('/oidc/token', { ...code, code_verifier: verifier }, basic(clientId))),
    ]
    for (const answer of answers) {
      const text = await answer.text()
      expect(answer.status, text).toBeGreaterThanOrEqual(400)
      expect(JSON.parse(text), answer.url).toEqual(
        expect.objectContaining({ error: expect.any(String), error_description: expect.stringMatching(/\w{3,}/) }),
      )
    }
  })
})

test('discovery at the root redirects to that of the issuer, also for pages of other origins', async () => {
  for (const [path, to] of [
    ['/.well-known/openid-configuration', `${issuer}/.well-known/openid-configuration`],
    ['/.well-known/oauth-authorization-server', 'http://localhost:3000/.well-known/oauth-authorization-server/oidc'],
  ] as const) {
    expect(routeClass(path)).toBe('oidc')
    const answer = await fetch(running.at(path), {
      redirect: 'manual',
      headers: { origin: 'https://spa.example', 'x-forwarded-host': 'evil.example' },
    })
    expect([answer.status, answer.headers.get('location')]).toEqual([302, to])
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect((await (await fetch(running.at(to))).json()).issuer).toBe(issuer)
  }
  expect(routeClass('/.well-known/openid-configuration/oidc')).toBe('oidc')
  const inserted = await fetch(running.at('/.well-known/openid-configuration/oidc'))
  expect((await inserted.json()).issuer).toBe(issuer)
})

test('pages of redirect addresses and of allowed origins call the provider for a client without a secret, others not', async () => {
  const values = { redirectUris: ['https://spa.example/callback'], allowedOrigins: ['https://shell.example:8443'] }
  const [open, closed] = [await createClient(running, values), await createClient(running, { ...values, secret })]
  const allowed = async ({ clientId }: { clientId: string }, origin: string, headers: Record<string, string> = {}) =>
    (
      await post(
        '/oidc/token',
        {
          grant_type: 'authorization_code',
          code: 'x',
          redirect_uri: 'https://spa.example/callback',
          client_id: clientId,
        },
        { origin, ...headers },
      )
    ).headers.get('access-control-allow-origin')
  for (const origin of ['https://spa.example', 'https://shell.example:8443'])
    expect([origin, await allowed(open, origin)]).toEqual([origin, origin])
  for (const origin of [
    ...['https://shell.example', 'http://shell.example:8443', 'https://x.shell.example:8443', 'https://evil.example'],
    'null',
  ])
    expect([origin, await allowed(open, origin)]).toEqual([origin, null])
  expect(await allowed(closed, 'https://shell.example:8443', basic(closed.clientId))).toBeNull()
})

describe('a client assertion', () => {
  const keys = generateKeyPair('ES256')
  test('has our issuer as its only audience, as a string', async () => {
    const { clientId } = await createClient(running, { secret, redirectUris: [], grantTypes: ['client_credentials'] })
    const { privateKey, publicKey } = await keys
    const ctx = await createContext({ methods: ['applications.write'] })
    await updateClientKeys(ctx, { clientId, jwks: { keys: [{ ...(await exportJWK(publicKey)) }] } })
    const grant = async (aud: unknown, path = '/oidc/token') => {
      const assertion = await new SignJWT({ aud: aud as string })
        .setProtectedHeader({ alg: 'ES256' })
        .setIssuer(clientId)
        .setSubject(clientId)
        .setJti(randomUUID())
        .setIssuedAt()
        .setExpirationTime('1m')
        .sign(privateKey)
      const answer = await post(path, {
        grant_type: 'client_credentials',
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        client_assertion: assertion,
        token: 'x',
      })
      return [answer.status, (await answer.json()).error ?? 'allowed']
    }
    expect(await grant(issuer)).toEqual([200, 'allowed'])
    expect((await grant(issuer, '/oidc/token/introspection'))[1]).toBe('allowed')
    const wrong = [
      `${issuer}/token`,
      `${issuer}/request`,
      `${issuer}/`,
      issuer.toUpperCase(),
      [issuer],
      [issuer, `${issuer}/token`],
      [`${issuer}/token`],
      [issuer, 'https://another.example'],
      [],
      { issuer },
      'https://another.example',
    ]
    for (const aud of wrong) expect(await grant(aud), JSON.stringify(aud)).toEqual([401, 'invalid_client'])
    expect(await grant(`${issuer}/token/introspection`, '/oidc/token/introspection')).toEqual([401, 'invalid_client'])
    // the refused request has used nothing up
    expect(await grant(issuer)).toEqual([200, 'allowed'])
  })
})

test('Keycloak as a broker with its defaults signs people in and out, without PKCE', async () => {
  const { clientId } = await createClient(running, {
    secret,
    pkceRequired: false,
    authMethod: 'client_secret_post',
    postLogoutRedirectUris: [`${redirectUri}/logout_response`],
  })
  const { browser, user } = await signedIn()
  const { claims, info, signOut } = await brokerSignIn(browser, { running, clientId, secret, redirectUri })
  expect(claims).toMatchObject({ sub: user.id, sid: expect.any(String) })
  expect(info).toMatchObject({ sub: user.id, sid: claims.sid })
  const asked = await follow(running, browser, signOut)
  const xsrf = /name="xsrf" value="([^"]+)"/.exec(asked.body)?.[1] ?? ''
  const out = await submit(running, browser, '/oidc/session/end/confirm', { xsrf, logout: 'yes' })
  expect(out.headers.get('location')).toBe(`${redirectUri}/logout_response?state=a+session+of+its+own`)
})
