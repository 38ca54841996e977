import { createRemoteJWKSet, decodeJwt, jwtVerify, SignJWT } from 'jose'
import type * as client from 'openid-client'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import ru from '@/messages/ru/oidc.json'
import type { Browser } from '../../factories/browser'
import { runJobs } from '../../factories/messages'
import { createClient, follow, issuer, request, startProvider, visit } from '../../factories/oidc'
import { type listen, listenForLogouts, signedIn, tokensFor } from '../../factories/oidc-flows'
import { useTestDatabase } from '../../setup/database'

// tests have the names of the modules in the OpenID Foundation's suite, which docs/openid-conformance.md lists
useTestDatabase()

const secret = 'a secret of forty-three characters or thereabouts'
const bye = 'https://app.example/bye'

let running: Awaited<ReturnType<typeof startProvider>>
let app: Awaited<ReturnType<typeof listen>>
let heard: string[] = []
beforeAll(async () => {
  running = await startProvider()
  app = await listenForLogouts(({ token }) => heard.push(token) && undefined)
})
afterAll(() => Promise.all([running.stop(), app.stop()]))

let config: client.Configuration
let clientId: string
let browser: Browser
let idToken: string
let sid: unknown
beforeEach(async () => {
  heard = []
  ;({ config, clientId } = await createClient(running, {
    secret,
    postLogoutRedirectUris: [bye],
    backchannelLogoutUri: `${app.url}/logout`,
  }))
  ;({ browser } = await signedIn())
  const tokens = await tokensFor(running, browser, config)
  idToken = tokens.id_token ?? ''
  sid = tokens.claims()?.sid
})

const metadata = async () => (await fetch(running.at('/oidc/.well-known/openid-configuration'))).json()

/** Asks to end the session as the application, and confirms if the page asks. Returns where that ends. */
async function signOutBy(params: Record<string, string>) {
  const { status, body } = await follow(running, browser, `/oidc/session/end?${new URLSearchParams(params)}`)
  const xsrf = /name="xsrf" value="([^"]+)"/.exec(body)?.[1]
  if (!xsrf) return { asked: false, status, body, location: null }
  const answer = await visit(running, browser, '/oidc/session/end/confirm', {
    method: 'POST',
    body: new URLSearchParams({ xsrf, logout: 'yes' }),
  })
  const location = answer.headers.get('location')
  const ours = location?.startsWith(issuer)
  const page = ours ? (await follow(running, browser, location ?? '')).body : ''
  return { asked: true, status: answer.status, body: page, location: ours ? null : location }
}

/** Returns whether the browser is signed in, as an application sees it. */
async function isSignedIn() {
  const { url } = await request(config, { prompt: 'none' })
  const { url: end } = await follow(running, browser, url)
  return end.searchParams.has('code')
}

const signedOutHere = { asked: true, location: null, body: expect.stringContaining(ru.oidc.loggedOut.title) }
const hint = () => ({ id_token_hint: idToken })
const leadsBack = { post_logout_redirect_uri: bye }

describe('RP-Initiated Logout OP', () => {
  test('oidcc-rp-initiated-logout-discovery-endpoint-verification', async () => {
    expect((await metadata()).end_session_endpoint).toBe(`${issuer}/session/end`)
  })

  test('oidcc-rp-initiated-logout', async () => {
    expect(await isSignedIn()).toBe(true)
    const { location } = await signOutBy({ ...hint(), ...leadsBack, state: 'a state' })
    expect(location).toBe(`${bye}?state=a+state`)
    expect(await isSignedIn()).toBe(false)
    const body = new URLSearchParams({ ...hint(), ...leadsBack })
    const posted = await visit(running, browser, '/oidc/session/end', { method: 'POST', body })
    expect([posted.status, posted.headers.get('location')]).toEqual([303, `/oidc/session/end?${body}`])
  })

  test('oidcc-rp-initiated-logout-no-state', async () => {
    expect((await signOutBy({ ...hint(), ...leadsBack })).location).toBe(bye)
    expect(await isSignedIn()).toBe(false)
  })

  test('oidcc-rp-initiated-logout-no-post-logout-redirect-uri', async () => {
    expect(await signOutBy({ ...hint(), state: 'a state' })).toMatchObject(signedOutHere)
    expect(await isSignedIn()).toBe(false)
  })

  test('oidcc-rp-initiated-logout-no-params', async () => {
    expect(await signOutBy({})).toMatchObject(signedOutHere)
    expect(await isSignedIn()).toBe(false)
  })

  test('oidcc-rp-initiated-logout-only-state', async () => {
    expect(await signOutBy({ state: 'a state' })).toMatchObject(signedOutHere)
    expect(await isSignedIn()).toBe(false)
  })

  /** Expects that our page refuses: nobody is asked, signed out or redirected. */
  async function isRefused(params: Record<string, string>) {
    expect(await signOutBy(params)).toMatchObject({ asked: false, status: 400, location: null })
    expect(await isSignedIn()).toBe(true)
  }

  test('oidcc-rp-initiated-logout-bad-post-logout-redirect-uri', async () => {
    await isRefused({ ...hint(), post_logout_redirect_uri: 'https://evil.example/' })
  })

  test('oidcc-rp-initiated-logout-query-added-to-post-logout-redirect-uri', async () => {
    await isRefused({ ...hint(), post_logout_redirect_uri: `${bye}?a=b` })
  })

  test('oidcc-rp-initiated-logout-modified-id-token-hint', async () => {
    const [header, payload, signature = ''] = idToken.split('.')
    const changed = `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`
    await isRefused({ ...leadsBack, id_token_hint: [header, payload, changed].join('.') })
  })

  test('oidcc-rp-initiated-logout-bad-id-token-hint', async () => {
    const key = new TextEncoder().encode(secret)
    const forged = await new SignJWT({ sub: 'somebody' })
      .setProtectedHeader({ alg: 'HS256' })
      .setIssuer(issuer)
      .setAudience(clientId)
      .setIssuedAt()
      .sign(key)
    for (const id_token_hint of [forged, 'no.token.atall']) await isRefused({ ...leadsBack, id_token_hint })
  })

  test('oidcc-rp-initiated-logout-no-id-token-hint', async () => {
    const { location } = await signOutBy({ ...leadsBack, state: 'a state' })
    expect(location).toBeNull()
  })
})

describe('Back-Channel OP', () => {
  test('oidcc-backchannel-logout-discovery-endpoint-verification', async () => {
    expect(await metadata()).toMatchObject({
      backchannel_logout_supported: true,
      backchannel_logout_session_supported: true,
    })
  })

  test('oidcc-backchannel-rp-initiated-logout', async () => {
    await signOutBy({ ...hint(), ...leadsBack })
    await runJobs()
    const mine = heard.filter((token) => decodeJwt(token).aud === clientId)
    expect(mine).toHaveLength(1)
    const keys = createRemoteJWKSet(new URL(running.at('/oidc/jwks')))
    const { payload } = await jwtVerify(mine[0] ?? '', keys, { issuer, audience: clientId, typ: 'logout+jwt' })
    expect(payload).toMatchObject({ sid, events: { 'http://schemas.openid.net/event/backchannel-logout': {} } })
    expect(await isSignedIn()).toBe(false)
  })
})
