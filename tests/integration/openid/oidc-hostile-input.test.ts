import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { providerMethods } from '@/lib/openid/server/http-methods'
import type { Browser } from '../../factories/browser'
import { hostileBodies, hostileCharacters, hostileHeaders, hostileValues } from '../../factories/hostile'
import { createClient, redirectUri, startProvider } from '../../factories/oidc'
import { signedIn } from '../../factories/oidc-flows'
import { useTestDatabase } from '../../setup/database'
import { eachFifth } from '../../setup/scope'

useTestDatabase()

let requests = 0
/** Sends each request from another address; otherwise limits by address would refuse it before the checks. */
const nextAddress = () => {
  requests++
  return `198.18.${(requests >> 8) & 255}.${requests & 255}`
}

let running: Awaited<ReturnType<typeof startProvider>>
let browser: Browser
let clientId = ''
const secret = 'a-client-secret-that-is-long-enough-to-be-one'
let discovered: Record<string, unknown> = {}
beforeAll(async () => {
  running = await startProvider(nextAddress)
  clientId = (await createClient(running, { secret })).config.clientMetadata().client_id
  browser = (await signedIn()).browser
  discovered = (await (await fetch(running.at('/oidc/.well-known/openid-configuration'))).json()) as typeof discovered
})
afterAll(() => running.stop())

const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'
const authorization = () => ({
  client_id: clientId,
  redirect_uri: redirectUri,
  response_type: 'code',
  scope: 'openid profile',
  state: 'state',
  nonce: 'nonce',
  code_challenge: challenge,
  code_challenge_method: 'S256',
})
/** Optional parameters of an authorization request. */
const besides = [
  'prompt',
  'max_age',
  'acr_values',
  'claims',
  'ui_locales',
  'login_hint',
  'id_token_hint',
  'resource',
  'request',
  'request_uri',
  'response_mode',
  'display',
  'surprise',
  '__proto__',
]
const credentials = () => ({ client_id: clientId, client_secret: secret })
const device = 'urn:ietf:params:oauth:grant-type:device_code'

type Endpoint = { method: 'GET' | 'POST'; path: () => string; form: () => Record<string, string>; more?: string[] }
const endpointOf = (name: string) => () => new URL(String(discovered[name])).pathname
const endpoints: Record<string, Endpoint> = {
  authorization: { method: 'GET', path: endpointOf('authorization_endpoint'), form: authorization, more: besides },
  'authorization by a form': { method: 'POST', path: endpointOf('authorization_endpoint'), form: authorization },
  'a pushed request': {
    method: 'POST',
    path: endpointOf('pushed_authorization_request_endpoint'),
    form: () => ({ ...authorization(), ...credentials() }),
    more: besides,
  },
  'a token for a code': {
    method: 'POST',
    path: endpointOf('token_endpoint'),
    form: () => ({
      ...credentials(),
      grant_type: 'authorization_code',
      code: 'code',
      redirect_uri: redirectUri,
      code_verifier: 'v'.repeat(43),
    }),
  },
  'a refresh': {
    method: 'POST',
    path: endpointOf('token_endpoint'),
    form: () => ({ ...credentials(), grant_type: 'refresh_token', refresh_token: 'token' }),
    more: ['scope', 'resource', 'client_assertion', 'client_assertion_type'],
  },
  'a token for a service account': {
    method: 'POST',
    path: endpointOf('token_endpoint'),
    form: () => ({ ...credentials(), grant_type: 'client_credentials', scope: 'openid' }),
    more: ['resource'],
  },
  'a token for a device': {
    method: 'POST',
    path: endpointOf('token_endpoint'),
    form: () => ({ ...credentials(), grant_type: device, device_code: 'code' }),
  },
  introspection: {
    method: 'POST',
    path: endpointOf('introspection_endpoint'),
    form: () => ({ ...credentials(), token: 'token', token_type_hint: 'access_token' }),
  },
  revocation: {
    method: 'POST',
    path: endpointOf('revocation_endpoint'),
    form: () => ({ ...credentials(), token: 'token', token_type_hint: 'refresh_token' }),
  },
  'a device’s request': {
    method: 'POST',
    path: endpointOf('device_authorization_endpoint'),
    form: () => ({ ...credentials(), scope: 'openid' }),
    more: ['claims', 'acr_values', 'resource'],
  },
  'the page for a device’s code': {
    method: 'GET',
    path: () => '/oidc/device',
    form: () => ({ user_code: 'BCDF-GHJK' }),
  },
  'the form for a device’s code': {
    method: 'POST',
    path: () => '/oidc/device',
    form: () => ({ user_code: 'BCDF-GHJK', xsrf: 'x', confirm: 'yes' }),
  },
  'signing out': {
    method: 'GET',
    path: endpointOf('end_session_endpoint'),
    form: () => ({ client_id: clientId, state: 'state' }),
    more: ['id_token_hint', 'post_logout_redirect_uri', 'logout_hint', 'ui_locales'],
  },
  'the confirmed end of a session': {
    method: 'POST',
    path: () => '/oidc/session/end/confirm',
    form: () => ({ xsrf: 'x', logout: 'yes' }),
  },
  claims: { method: 'POST', path: endpointOf('userinfo_endpoint'), form: () => ({ access_token: 'token' }) },
  keys: { method: 'GET', path: endpointOf('jwks_uri'), form: () => ({ surprise: '1' }) },
  discovery: { method: 'GET', path: () => '/oidc/.well-known/openid-configuration', form: () => ({ surprise: '1' }) },
  'an interaction': { method: 'GET', path: () => '/platform/interaction/nothing', form: () => ({ surprise: '1' }) },
}

const statuses = new Set([200, 201, 204, 302, 303, 400, 401, 403, 404, 405, 413, 415, 429])
const form = 'application/x-www-form-urlencoded'

type Sent = { query?: string; body?: BodyInit; headers?: Record<string, string>; method?: string; path?: string }
async function ask({ method, path }: Endpoint, sent: Sent): Promise<string | null> {
  const search = sent.query ? `?${sent.query}` : ''
  const verb = sent.method ?? method
  const answer = await fetch(`${running.at(sent.path ?? path())}${search}`, {
    method: verb,
    redirect: 'manual',
    ...(verb === 'GET' || verb === 'HEAD' ? {} : { body: sent.body }),
    headers: {
      cookie: [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      'sec-fetch-site': 'same-origin',
      ...sent.headers,
    },
  })
  const text = await answer.text()
  const { status } = answer
  if (!statuses.has(status)) return `${status} ${text.slice(0, 120)}`
  if (status === 405 && !answer.headers.get('allow')) return '405 without Allow'
  const type = answer.headers.get('content-type') ?? ''
  if (status < 400 || verb === 'HEAD') return null
  if (/text\/html/.test(type)) return /<html/.test(text) ? null : `${status} is no page`
  if (!/application\/json/.test(type)) return `${status} is neither a page nor JSON: ${type}`
  return typeof JSON.parse(text).error === 'string' ? null : `${status} names no error: ${text.slice(0, 120)}`
}

const strings = [
  ...Object.values(hostileCharacters).flatMap((sign) => [sign, `a${sign}b`]),
  ...hostileValues.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))),
  '{"id_token":{"acr":{"essential":true,"values":["\\ud800","\\u0000"]}}}',
  '{"userinfo":{"__proto__":{"value":"x"}}}',
  'eyJhbGciOiJub25lIn0.eyJpc3MiOiJcdTAwMDAiLCJzdWIiOiJcdWQ4MDAifQ.',
  'a.b.c',
]
const encoded = ({ ...values }: Record<string, string>) => new URLSearchParams(values).toString()
// parameters of an address
const longest = 12_000

/** Returns all hostile requests that an endpoint may get. */
function* attacks(endpoint: Endpoint): Generator<{ what: string; sent: Sent }> {
  const { method, form: fields, more = [] } = endpoint
  const well = fields()
  const as = (text: string): Sent =>
    method === 'GET' ? { query: text.slice(0, longest) } : { body: text, headers: { 'content-type': form } }
  for (const name of [...Object.keys(well), ...more]) {
    for (const value of strings)
      yield { what: `${name} ${JSON.stringify(value).slice(0, 80)}`, sent: as(encoded({ ...well, [name]: value })) }
    for (const text of [
      `${encoded(well)}&${name}=1&${name}=2`,
      `${encoded(well)}&${name}[a]=1`,
      `${name}=%ED%A0%80`,
      `${encoded(well)}&${name}=%zz%`,
      `${encoded(well)}&${name}=%00`,
      encoded({ [name]: '' }),
    ])
      yield { what: text.slice(-80), sent: as(text) }
  }
  // headers that only fetch may set
  for (const headers of hostileHeaders)
    if (!headers['content-length'] && !headers.host)
      yield {
        what: JSON.stringify(headers).slice(0, 80),
        sent: { ...as(encoded(well)), headers: { 'content-type': form, ...headers } },
      }
  for (const value of [
    'Basic',
    'Basic \u0080',
    `Basic ${btoa('\u0000:\u0000')}`,
    `Basic ${btoa('%zz:%')}`,
    'Bearer \u0080',
    'DPoP x',
  ])
    yield { what: value, sent: { ...as(encoded(well)), headers: { 'content-type': form, authorization: value } } }
  yield {
    what: 'a DPoP proof that is none',
    sent: { ...as(encoded(well)), headers: { 'content-type': form, dpop: 'a.b.c' } },
  }
  if (method === 'POST')
    for (const { body, type } of hostileBodies('{"client_id":"x"}'))
      yield { what: `body ${type} ${String(body).slice(0, 40)}`, sent: { body, headers: { 'content-type': type } } }
  for (const other of ['GET', 'HEAD', 'POST', 'OPTIONS', 'PUT', 'PATCH', 'DELETE', 'PROPFIND'])
    yield { what: other, sent: { ...as(encoded(well)), method: other } }
}

describe('hostile input gets a documented answer of the OpenID Provider, never a 5xx', () => {
  test.each(Object.entries(endpoints))('%s', { timeout: 120_000 }, async (_, endpoint) => {
    const faults: string[] = []
    for (const { what, sent } of eachFifth([...attacks(endpoint)])) {
      const fault = await ask(endpoint, sent)
      if (fault) faults.push(`${what}: ${fault}`)
    }
    expect(faults).toEqual([])
  })

  test('every endpoint in discovery is tested', () => {
    const named = Object.entries(discovered).filter(([name]) => /_endpoint$|^jwks_uri$/.test(name))
    const tried = Object.values(endpoints).map(({ path }) => path())
    for (const [name, address] of named) {
      const { pathname } = new URL(String(address))
      expect(tried, name).toContain(pathname)
      expect(providerMethods(pathname.slice('/oidc'.length)), name).toBeDefined()
    }
  })

  test.each(['/oidc', '/oidc/', '/oidc/nothing', '/oidc/token/x/y', '/oidc/__proto__', '/oidc/constructor'])(
    '%s is an unknown address: 404, in the provider’s format',
    async (path) => {
      const failure = { error: 'invalid_request', error_description: expect.any(String) }
      for (const method of ['GET', 'POST', 'OPTIONS', 'DELETE']) {
        const answer = await fetch(running.at(path), { method })
        expect([answer.status, await answer.json()], method).toEqual([404, failure])
      }
    },
  )

  test('a form of an unknown session is rendered again, with the typed code', async () => {
    const answer = await fetch(running.at('/oidc/device'), {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': form, 'sec-fetch-site': 'same-origin' },
      body: 'user_code=BCDF-GHJK&xsrf=x',
    })
    expect(answer.status).toBe(303)
    const location = answer.headers.get('location') ?? ''
    expect(location).toBe('/oidc/device?user_code=BCDF-GHJK')
    const drawn = await fetch(running.at(location), { headers: { accept: 'text/html' } })
    expect([drawn.status, (await drawn.text()).includes('BCDF-GHJK')]).toEqual([200, true])
  })
})
