import { eq } from 'drizzle-orm'
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify, UnsecuredJWT } from 'jose'
import * as client from 'openid-client'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { sessions } from '@/db/schema'
import ru from '@/messages/ru/oidc.json'
import { Browser } from '../../factories/browser'
import { createClient, follow, issuer, redirectUri, request, startProvider, visit } from '../../factories/oidc'
import { refused, signedIn, tokensFor } from '../../factories/oidc-flows'
import { signInByPassword } from '../../factories/sign-in'
import { type createUser, password } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

// tests have the names of the modules in the OpenID Foundation's suite, which docs/openid-conformance.md lists; as
// there, only the PKCE module sends PKCE, so the client isn't required to use it
useTestDatabase()

const secret = 'a secret of forty-three characters or thereabouts'

let running: Awaited<ReturnType<typeof startProvider>>
let config: client.Configuration
let clientId: string
let browser: Browser
let user: Awaited<ReturnType<typeof createUser>>

beforeAll(async () => {
  running = await startProvider()
})
afterAll(() => running.stop())
beforeEach(async () => {
  ;({ config, clientId } = await createClient(running, { secret, pkceRequired: false }))
  ;({ browser, user } = await signedIn())
})

const metadata = async () => (await fetch(running.at('/oidc/.well-known/openid-configuration'))).json()
const keys = () => createRemoteJWKSet(new URL(running.at('/oidc/jwks')))
const verified = (idToken = '') => jwtVerify(idToken, keys(), { issuer, audience: clientId, algorithms: ['RS256'] })

/** An authorization request as the suite makes it. */
async function bare(params: Record<string, string> = {}) {
  const { url } = await request(config, params)
  for (const name of ['code_challenge', 'code_challenge_method']) url.searchParams.delete(name)
  return url
}

const redeem = (end: URL, { state = 'state', nonce }: Record<string, string> = {}, clientConfig = config) =>
  client.authorizationCodeGrant(clientConfig, end, { expectedState: state, ...(nonce ? { expectedNonce: nonce } : {}) })

/** Makes a request as a signed-in person. Returns the code. */
async function code(params: Record<string, string> = {}, person = browser) {
  const { url: end, body } = await follow(running, person, await bare(params))
  expect(end.searchParams.has('code'), `${end} ${body.slice(0, 200)}`).toBe(true)
  return end
}
const flow = async (params: Record<string, string> = {}, person = browser) => redeem(await code(params, person), params)

/** Returns the answer to a changed request: the error at the application, or the status of our page. */
async function answerTo(change: (params: URLSearchParams) => void, person = browser) {
  const url = await bare()
  change(url.searchParams)
  const { url: end, status, body } = await follow(running, person, url)
  if (end.origin === new URL(issuer).origin) return { status, body, error: undefined }
  expect(end.searchParams.get('code')).toBeNull()
  return { status, body, error: end.searchParams.get('error') }
}

/** A session that began before this second. */
const ageSession = (seconds: number) =>
  db()
    .update(sessions)
    .set({ createdAt: new Date(Date.now() - seconds * 1000) })
    .where(eq(sessions.userId, user.id))

/** Makes a request that must ask the person again. Returns the claims of the ID token. */
async function flowAnew(params: Record<string, string>) {
  const url = await bare(params)
  const { url: page } = await follow(running, browser, url)
  expect([page.pathname, page.searchParams.get('anew')]).toEqual(['/platform/login', '1'])
  await signInByPassword(browser, user.login, password)
  const { url: end } = await follow(running, browser, page.searchParams.get('path') ?? '')
  return (await redeem(end)).claims()
}

const userinfo = async (init: RequestInit) => {
  const answer = await fetch(running.at('/oidc/me'), init)
  return [answer.status, await answer.json()]
}

describe('Basic OP', () => {
  test('oidcc-server', async () => {
    const tokens = await flow({ nonce: 'a nonce', state: 'a state' })
    const { payload } = await verified(tokens.id_token)
    expect(payload).toMatchObject({ nonce: 'a nonce', sub: user.id, iat: expect.any(Number), exp: expect.any(Number) })
    expect(payload.sub?.length).toBeLessThanOrEqual(255)
    expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: expect.any(Number) })
    expect(await client.fetchUserInfo(config, tokens.access_token, user.id)).toMatchObject({ sub: user.id })
    const refusal = await fetch(running.at('/oidc/token'), { method: 'POST', body: new URLSearchParams() })
    expect(refusal.headers.get('cache-control')).toBe('no-store')
  })

  test('oidcc-response-type-missing', async () => {
    expect((await answerTo((params) => params.delete('response_type'))).error).toBe('invalid_request')
  })

  test('an ID token is signed by a published key that it names, and never unsigned', async () => {
    const { id_token: idToken = '' } = await flow()
    const { keys: published } = await (await fetch(running.at('/oidc/jwks'))).json()
    const { alg, kid } = decodeProtectedHeader(idToken)
    expect(alg).toBe('RS256')
    expect(published.filter((key: { kid: string }) => key.kid === kid)).toHaveLength(1)
    await verified(idToken)
    expect((await metadata()).id_token_signing_alg_values_supported).not.toContain('none')
  })

  test('oidcc-userinfo-get', async () => {
    const { access_token: token } = await flow()
    const headers = { authorization: `Bearer ${token}` }
    expect(await userinfo({ headers })).toEqual([200, expect.objectContaining({ sub: user.id })])
  })

  test('oidcc-userinfo-post-header', async () => {
    const { access_token: token } = await flow()
    const headers = { authorization: `Bearer ${token}` }
    expect(await userinfo({ method: 'POST', headers })).toEqual([200, expect.objectContaining({ sub: user.id })])
  })

  test('oidcc-userinfo-post-body', async () => {
    const { access_token: token } = await flow()
    const body = new URLSearchParams({ access_token: token })
    expect(await userinfo({ method: 'POST', body })).toEqual([200, expect.objectContaining({ sub: user.id })])
  })

  test('oidcc-ensure-request-without-nonce-succeeds-for-code-flow', async () => {
    const { payload } = await verified((await flow()).id_token)
    expect(payload).not.toHaveProperty('nonce')
  })

  const claimsOf = async (scope: string) => {
    const tokens = await flow({ scope })
    const { sid, ...claims } = await client.fetchUserInfo(config, tokens.access_token, user.id)
    expect(sid).toEqual(expect.any(String))
    return claims
  }
  const profile = {
    name: expect.any(String),
    family_name: expect.any(String),
    given_name: 'Анна',
    middle_name: 'Сергеевна',
    preferred_username: expect.any(String),
    updated_at: expect.any(Number),
  }

  test('oidcc-scope-profile', async () => {
    expect(await claimsOf('openid profile')).toMatchObject(profile)
  })

  test('oidcc-scope-email', async () => {
    expect(await claimsOf('openid email')).toEqual({ sub: user.id, email: user.email, email_verified: false })
  })

  test('oidcc-scope-address', async () => {
    expect((await metadata()).scopes_supported).not.toContain('address')
    expect(await claimsOf('openid address')).toEqual({ sub: user.id })
  })

  test('oidcc-scope-phone', async () => {
    const phone = { phone_number: user.mobile, phone_number_verified: false }
    expect(await claimsOf('openid phone')).toEqual({ sub: user.id, ...phone })
  })

  test('oidcc-scope-all', async () => {
    const all = { ...profile, email: user.email, phone_number: user.mobile }
    expect(await claimsOf('openid profile email address phone')).toMatchObject(all)
  })

  test('oidcc-alternate-happy-flow', async () => {
    expect(await claimsOf('email openid')).toMatchObject({ email: user.email })
  })

  test('oidcc-display-page', async () => {
    await verified((await flow({ display: 'page' })).id_token)
  })

  test('oidcc-display-popup', async () => {
    await verified((await flow({ display: 'popup' })).id_token)
  })

  test('oidcc-prompt-login', async () => {
    await ageSession(60)
    const before = (await flow({ max_age: '10000' })).claims()
    const after = await flowAnew({ prompt: 'login', max_age: '10000' })
    expect(after?.sub).toBe(before?.sub)
    expect(Number(after?.auth_time)).toBeGreaterThan(Number(before?.auth_time))
  })

  test('oidcc-prompt-none-not-logged-in', async () => {
    const { error } = await answerTo((params) => params.set('prompt', 'none'), new Browser())
    expect(error).toBe('login_required')
  })

  test('oidcc-prompt-none-logged-in', async () => {
    const before = (await flow({ max_age: '10000' })).claims()
    const after = (await flow({ max_age: '10000', prompt: 'none' })).claims()
    expect([after?.sub, after?.auth_time]).toEqual([before?.sub, before?.auth_time])
  })

  test('oidcc-max-age-1', async () => {
    await ageSession(60)
    const before = (await flow({ max_age: '10000' })).claims()
    const after = await flowAnew({ max_age: '1' })
    expect(Number(after?.auth_time)).toBeGreaterThan(Number(before?.auth_time))
  })

  test('oidcc-max-age-10000', async () => {
    const [before, after] = [(await flow()).claims(), (await flow({ max_age: '10000' })).claims()]
    expect(after?.sub).toBe(before?.sub)
    expect(after?.auth_time).toEqual(expect.any(Number))
  })

  test('oidcc-ensure-request-with-unknown-parameter-succeeds', async () => {
    await verified((await flow({ extra: 'foobar' })).id_token)
  })

  test('oidcc-id-token-hint', async () => {
    const { id_token: hint = '' } = await flow()
    expect((await flow({ prompt: 'none', id_token_hint: hint })).claims()?.sub).toBe(user.id)
    const other = await signedIn()
    const theirs = (await flow({}, other.browser)).id_token ?? ''
    const { error } = await answerTo((params) => {
      params.set('prompt', 'none')
      params.set('id_token_hint', theirs)
    })
    expect(error).toBe('login_required')
  })

  test('oidcc-login-hint', async () => {
    const url = await bare({ login_hint: user.login })
    const { url: page } = await follow(running, new Browser(), url)
    expect(page.searchParams.get('login_hint')).toBe(user.login)
  })

  test('oidcc-ui-locales', async () => {
    const stranger = new Browser()
    await follow(running, stranger, await bare({ ui_locales: 'se en' }))
    expect(stranger.cookies.get('locale')).toBe('en')
    await verified((await flow({ ui_locales: 'se' })).id_token)
  })

  test('oidcc-claims-locales', async () => {
    await verified((await flow({ claims_locales: 'se' })).id_token)
  })

  test('oidcc-ensure-request-with-acr-values-succeeds', async () => {
    const { payload } = await verified((await flow({ acr_values: '1 2' })).id_token)
    expect(payload.acr).toEqual(expect.any(String))
  })

  const reuse = async () => {
    const end = await code()
    const use = () => redeem(end)
    const tokens = await use()
    expect(await refused(use())).toBe('invalid_grant')
    return tokens
  }

  test('oidcc-codereuse', async () => {
    await reuse()
  })

  test('oidcc-codereuse-30seconds', async () => {
    // there is no grace period: half a minute later the answer is the same
    const tokens = await reuse()
    expect(await refused(client.fetchUserInfo(config, tokens.access_token, user.id))).toBe('invalid_token')
    expect(await refused(client.refreshTokenGrant(config, tokens.refresh_token ?? ''))).toBe('invalid_grant')
  })

  test('oidcc-ensure-registered-redirect-uri', async () => {
    const { status, body } = await answerTo((params) => params.set('redirect_uri', `${redirectUri}/other`))
    expect(status).toBe(400)
    expect(body).toContain(ru.oidc.failure.address.title)
  })

  test('oidcc-ensure-post-request-succeeds', async () => {
    const url = await bare()
    const init = { method: 'POST', body: url.searchParams }
    const { status, headers } = await visit(running, browser, '/oidc/auth', init)
    expect(status).toBe(303)
    const { url: end } = await follow(running, browser, headers.get('location') ?? '')
    expect(end.href).toContain(redirectUri)
    await verified((await redeem(end)).id_token)

    const long = new URLSearchParams({ state: 'x'.repeat(10_000) })
    expect((await visit(running, browser, '/oidc/auth', { method: 'POST', body: long })).status).toBe(400)
    expect((await visit(running, browser, '/oidc/auth', { method: 'POST', body: '{}' })).status).toBe(400)
  })

  test('oidcc-server-client-secret-post', async () => {
    const post = await createClient(running, { secret, authMethod: 'client_secret_post' })
    const postConfig = new client.Configuration(
      config.serverMetadata(),
      post.clientId,
      {},
      client.ClientSecretPost(secret),
    )
    client.allowInsecureRequests(postConfig)
    Object.assign(postConfig, { [client.customFetch]: config[client.customFetch] })
    expect((await tokensFor(running, browser, postConfig)).claims()?.sub).toBe(user.id)
  })

  test('a request_uri that nobody pushed is refused, as discovery says', async () => {
    expect((await metadata()).request_uri_parameter_supported).toBe(false)
    const { error } = await answerTo((params) => params.set('request_uri', 'https://app.example/request.jwt'))
    expect(error).toBe('request_uri_not_supported')
  })

  const requestObject = () => new UnsecuredJWT({ client_id: clientId, redirect_uri: `${redirectUri}/other` }).encode()

  test('oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported', async () => {
    expect((await metadata()).request_parameter_supported).not.toBe(true)
    expect((await answerTo((params) => params.set('request', requestObject()))).error).toBe('request_not_supported')
  })

  test('oidcc-ensure-request-object-with-redirect-uri', async () => {
    const { error } = await answerTo((params) => {
      params.delete('redirect_uri')
      params.set('request', requestObject())
    })
    expect(error).toBeUndefined()
  })

  test('oidcc-claims-essential', async () => {
    const claims = JSON.stringify({ userinfo: { name: { essential: true } } })
    const tokens = await flow({ scope: 'openid', claims })
    expect(await client.fetchUserInfo(config, tokens.access_token, user.id)).toMatchObject({ sub: user.id })
  })

  test('oidcc-refresh-token', async () => {
    const before = await flow({ nonce: 'n' })
    const after = await client.refreshTokenGrant(config, before.refresh_token ?? '')
    const [{ payload: first }, { payload: second }] = [await verified(before.id_token), await verified(after.id_token)]
    expect({ iss: second.iss, sub: second.sub, aud: second.aud }).toEqual({
      iss: first.iss,
      sub: first.sub,
      aud: first.aud,
    })
    expect(after.access_token).not.toBe(before.access_token)
    const other = await createClient(running, { secret })
    const theirs = client.refreshTokenGrant(other.config, after.refresh_token ?? '')
    expect(await refused(theirs)).toBe('invalid_grant')
  })

  test('oidcc-ensure-request-with-valid-pkce-succeeds', async () => {
    await verified((await tokensFor(running, browser, config)).id_token)
  })
})

describe('Config OP', () => {
  test('oidcc-discovery-endpoint-verification', async () => {
    const discovered = await metadata()
    expect(discovered).toMatchObject({
      issuer,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: expect.arrayContaining(['RS256']),
      scopes_supported: expect.arrayContaining(['openid']),
      claims_supported: expect.arrayContaining(['sub']),
      token_endpoint_auth_methods_supported: expect.arrayContaining(['client_secret_basic']),
    })
    const { keys: published } = await (await fetch(running.at(discovered.jwks_uri))).json()
    for (const key of published) {
      const parts = key.alg === 'ES256' ? ['x', 'y'] : ['n', 'e']
      expect(key).toMatchObject({ kty: key.alg === 'ES256' ? 'EC' : 'RSA', use: 'sig', kid: expect.any(String) })
      expect(['RS256', 'PS256', 'ES256']).toContain(key.alg)
      for (const part of parts) expect(key[part]).toEqual(expect.any(String))
      for (const part of ['d', 'p', 'q']) expect(key).not.toHaveProperty(part)
    }
    for (const name of ['authorization', 'token', 'userinfo', 'end_session', 'introspection', 'revocation'])
      expect(discovered[`${name}_endpoint`]).toMatch(/^http:\/\/localhost:3000\/oidc\//)
  })
})
