import { get } from 'node:http'
import * as client from 'openid-client'
import pg from 'pg'
import { demoClientSecret } from '../../db/seed/demo/oidc-clients'
import { demoPrograms } from '../factories/demo'
import { ownPerson } from './own-people'
import { password } from './sign-in-page'
import { expect, test } from './turn'

const address = () => process.env.PUBLIC_URL ?? ''
const issuer = () => `${address()}/oidc`
const callback = 'http://localhost:4001/callback'

/** Sends requests with cookies, as a browser does; the test follows redirects. */
function createJar() {
  const jar = new Map<string, string>()
  return async (path: string, init: RequestInit = {}) => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { origin: address(), cookie, accept: 'text/html', ...init.headers }
    const answer = await fetch(new URL(path, address()), { redirect: 'manual', ...init, headers })
    for (const line of answer.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      const at = pair.indexOf('=')
      jar.set(pair.slice(0, at), pair.slice(at + 1))
    }
    return answer
  }
}
type Ask = ReturnType<typeof createJar>

async function leadsTo(ask: Ask, from: string): Promise<URL> {
  let url = new URL(from, address())
  for (;;) {
    const location = (await ask(url.href)).headers.get('location')
    if (!location) return url
    url = new URL(location, url)
    if (!url.href.startsWith(issuer()) && !url.pathname.startsWith('/platform/interaction/')) return url
  }
}

async function signIn(ask: Ask, login: string, path: string): Promise<string> {
  const query = new URLSearchParams({ login, path })
  expect((await ask(`/api/v1/platform/auth/config/login?${query}`)).status).toBe(200)
  const answer = await ask('/api/v1/platform/auth/login/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ flow: 'credentials', login, password }),
  })
  expect(answer.status).toBe(200)
  return (await answer.json()).redirect
}

const discover = (clientId: string, proof: client.ClientAuth) =>
  client.discovery(new URL(issuer()), clientId, undefined, proof, { execute: [client.allowInsecureRequests] })

async function authorization(config: client.Configuration) {
  const verifier = client.randomPKCECodeVerifier()
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: callback,
    scope: 'openid profile roles',
    state: 'state',
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  })
  return { url, checks: { pkceCodeVerifier: verifier, expectedState: 'state' } }
}

test('a person goes from an application to the sign-in page and back, until they sign out', async () => {
  const { login } = await ownPerson('oneService')
  const config = await discover('procurement', client.ClientSecretBasic(demoClientSecret('procurement')))
  const ask = createJar()
  const { url, checks } = await authorization(config)
  const page = await leadsTo(ask, url.href)
  expect(page.pathname).toBe('/platform/login')
  expect((await ask(page.href)).status).toBe(200)
  const resumed = await signIn(ask, login, page.searchParams.get('path') ?? '')
  const end = await leadsTo(ask, resumed)
  expect(end.href).toContain(callback)
  const tokens = await client.authorizationCodeGrant(config, end, checks)
  const sub = tokens.claims()?.sub ?? ''
  expect(await client.fetchUserInfo(config, tokens.access_token, sub)).toMatchObject({
    preferred_username: login,
    methods: expect.arrayContaining(['procurement.orders.read']),
  })
  const fresh = await client.refreshTokenGrant(config, tokens.refresh_token ?? '')

  expect((await ask('/api/v1/platform/auth/logout', { method: 'POST' })).status).toBe(200)
  await expect(client.fetchUserInfo(config, fresh.access_token, sub)).rejects.toMatchObject({ status: 401 })
  await expect(client.refreshTokenGrant(config, fresh.refresh_token ?? '')).rejects.toMatchObject({
    error: 'invalid_grant',
  })
  // the worker notifies the application again and again, because nothing listens at its address
  const database = new pg.Client({ connectionString: process.env.DATABASE_URL })
  await database.connect()
  try {
    const wereTried = () =>
      database
        .query('select attempts from oidc_logouts where account_id = $1', [sub])
        .then(({ rows }) => rows.map(({ attempts }) => attempts > 0))
    await expect.poll(wereTried).toEqual([true])
  } finally {
    await database.end()
  }
})

test('a page of the provider is protected like every page, and no browser can render one of its own', async () => {
  const forged = Buffer.from(JSON.stringify({ kind: 'confirmed', application: { name: 'Evil' } })).toString('base64url')
  const ask = createJar()
  const headers = { 'x-platform-view': forged, 'content-security-policy': "script-src 'nonce-forged'" }
  for (const path of ['/platform/provider', '/platform/provider?_rsc=1']) {
    const none = await ask(path, { headers })
    expect({ path, status: none.status, hasEvil: (await none.text()).includes('Evil') }).toEqual({
      path,
      status: 404,
      hasEvil: false,
    })
  }

  const nonces = new Set<string>()
  for (const [path, leaves] of [
    ['/oidc/auth?client_id=nobody', false],
    ['/oidc/device', true],
  ] as const) {
    const page = await ask(path, { headers })
    const text = await page.text()
    expect(text).not.toContain('Evil')
    const policy = page.headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(/script-src 'self' 'nonce-[\w+/=]{20,}' 'strict-dynamic';/)
    for (const part of ["frame-ancestors 'none'", "object-src 'none'", "base-uri 'none'"])
      expect(policy).toContain(part)
    expect(policy.includes("form-action 'self'")).toBe(!leaves)
    expect(page.headers.get('cache-control')).toContain('no-store')
    const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? ''
    nonces.add(nonce)
    const scripts = [...text.matchAll(/<script\b[^>]*>/g)].map(([tag]) => tag)
    expect(scripts.length).toBeGreaterThan(0)
    for (const tag of scripts) expect(tag).toContain(`nonce="${nonce}"`)
  }
  expect(nonces.size).toBe(2)
  expect((await ask('/oidc/auth?client_id=nobody')).status).toBe(400)
  // it is always drawn as a whole, and its choices lead back to it
  const part = await ask('/oidc/device?user_code=BDFG', { headers: { rsc: '1', 'next-router-prefetch': '1' } })
  expect([part.status, part.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/html')])
  expect(await part.text()).toContain('name="back" value="/oidc/device?user_code=BDFG"')
})

test('works without people, and a forged Host doesn’t appear in the discovery', async () => {
  const config = await discover(
    demoPrograms.warehouse,
    client.ClientSecretBasic(demoClientSecret(demoPrograms.warehouse)),
  )
  expect(await client.clientCredentialsGrant(config)).toMatchObject({ token_type: 'bearer', expires_in: 600 })

  const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' }
  const answer = await new Promise<{ status: number | undefined; body: string; policy: unknown }>((resolve, reject) => {
    get(`${address()}/.well-known/oauth-authorization-server/oidc`, { headers }, (res) => {
      let body = ''
      res.on('data', (chunk) => {
        body += chunk
      })
      res.on('end', () => resolve({ status: res.statusCode, body, policy: res.headers['content-security-policy'] }))
    }).on('error', reject)
  })
  expect(answer.status).toBe(200)
  expect(JSON.parse(answer.body)).toMatchObject({ issuer: issuer(), token_endpoint: `${issuer()}/token` })
  expect(answer.body).not.toContain('evil')
  expect(answer.policy).toContain("default-src 'none'")
})
