import { eq } from 'drizzle-orm'
import { generateKeyPair, type JWTPayload } from 'jose'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { signInLog } from '@/db/schema'
import { redis } from '@/lib/base/redis/redis'
import { providerLogoutRoute as POST } from '@/lib/request/provider-sign-in'
import { signedInWith } from '../../factories/access'
import { thirty } from '../../factories/at-once'
import { Browser } from '../../factories/browser'
import { Caller } from '../../factories/caller'
import { startOpenidProvider } from '../../factories/openid-imitation'
import { connectProvider, signInAt, somebody } from '../../factories/openid-provider'
import { signedInStatus, signOut } from '../../factories/sign-in'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

let openid: Awaited<ReturnType<typeof startOpenidProvider>>
let administrator: Caller
let id = ''
beforeAll(async () => {
  administrator = new Caller((await signedInWith(['providers.write'])).browser)
  openid = await startOpenidProvider()
  id = await connectProvider(administrator, openid)
})
beforeEach(() => redis().flushdb())

const event = 'http://schemas.openid.net/event/backchannel-logout'
const claimsFor = (more: JWTPayload): JWTPayload => {
  const now = Math.floor(Date.now() / 1000)
  return {
    ...{ iss: openid.issuer, aud: openid.clientId, iat: now, exp: now + 120, jti: crypto.randomUUID() },
    events: { [event]: {} },
    ...more,
  }
}
const post = async (token: string, to = id, type = 'application/x-www-form-urlencoded') => {
  const request = new Request('http://localhost:3000/', {
    method: 'POST',
    body: new URLSearchParams({ logout_token: token }).toString(),
    headers: { host: 'localhost:3000', 'content-type': type, 'x-platform-ip': '203.0.113.80' },
  })
  const answer = await POST(request, { params: Promise.resolve({ id: to }) })
  return { status: answer.status, body: await answer.json(), cache: answer.headers.get('cache-control') }
}
const said = async (more: JWTPayload, to = id) => post(await openid.sign(claimsFor(more), { typ: 'logout+jwt' }), to)

/** Somebody who has signed in through the provider in two browsers, each in another session there. */
async function twice() {
  const claims = somebody()
  const sids = [crypto.randomUUID(), crypto.randomUUID()] as const
  const browsers = [new Browser(), new Browser()] as const
  for (const n of [0, 1] as const) await signInAt(browsers[n], id, openid, { ...claims, sid: sids[n] })
  const signedIn = () => Promise.all(browsers.map(signedInStatus))
  expect(await signedIn()).toEqual([200, 200])
  return { claims, sids, signedIn, browsers }
}

const logged = async () =>
  (await db().select({ reason: signInLog.reason }).from(signInLog).where(eq(signInLog.cause, 'providerLogout'))).map(
    ({ reason }) => reason,
  )

describe('a logout token', () => {
  test('ends the session that it names, or every one of the person', async () => {
    const one = await twice()
    expect(await said({ sid: one.sids[0] })).toEqual({ status: 200, body: {}, cache: 'no-store' })
    expect(await one.signedIn()).toEqual([401, 200])
    expect((await said({ sub: one.claims.sub, sid: one.sids[1] })).status).toBe(200)
    expect(await one.signedIn()).toEqual([401, 401])
    const all = await twice()
    expect((await said({ sub: all.claims.sub })).status).toBe(200)
    expect(await all.signedIn()).toEqual([401, 401])
  })

  test('of nobody who is signed in is answered like any other', async () => {
    expect(await said({ sub: 'nobody' })).toEqual({ status: 200, body: {}, cache: 'no-store' })
  })

  test('names both only if both are of one session', async () => {
    const [one, other] = [await twice(), await twice()]
    expect((await said({ sub: other.claims.sub, sid: one.sids[0] })).status).toBe(200)
    expect([await one.signedIn(), await other.signedIn()]).toEqual([
      [200, 200],
      [200, 200],
    ])
  })

  const forged: Record<string, (sub: string) => Promise<string>> = {
    'by another key': async (sub) =>
      openid.sign(claimsFor({ sub }), { key: (await generateKeyPair('RS256')).privateKey }),
    'without a signature': async (sub) =>
      `${[{ alg: 'none' }, claimsFor({ sub })].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')}.`,
    'for another client': (sub) => openid.sign(claimsFor({ sub, aud: 'another' })),
    'of another issuer': (sub) => openid.sign(claimsFor({ sub, iss: 'https://evil.example' })),
    'that is an ID token': async (sub) => {
      const { events: _, ...claims } = claimsFor({ sub })
      return openid.sign(claims)
    },
    'with a nonce': (sub) => openid.sign(claimsFor({ sub, nonce: 'x' })),
    'of another event': (sub) => openid.sign(claimsFor({ sub, events: { 'http://example.com/other': {} } })),
    'without a name of its own': (sub) => openid.sign(claimsFor({ sub, jti: undefined })),
    'that is old': (sub) => openid.sign(claimsFor({ sub, iat: Math.floor(Date.now() / 1000) - 600 })),
    'that is over': (sub) => openid.sign(claimsFor({ sub, exp: Math.floor(Date.now() / 1000) - 120 })),
    'of the future': (sub) => openid.sign(claimsFor({ sub, iat: Math.floor(Date.now() / 1000) + 600 })),
    'without a time': (sub) => openid.sign(claimsFor({ sub, iat: undefined })),
    'that names nobody': () => openid.sign(claimsFor({})),
    'that isn’t one': async () => 'e30.e30.e30',
    'that is empty': async () => '',
  }
  test.each(Object.entries(forged))('%s ends nothing', async (_, make) => {
    const { claims, signedIn } = await twice()
    const before = await logged()
    expect((await post(await make(claims.sub))).status).toBe(400)
    expect(await signedIn()).toEqual([200, 200])
    // it is a trace for administrators, for one address each reason once a minute, and five of them
    const now = await logged()
    expect(now.slice(0, before.length)).toEqual(before)
    expect(now.length).toBeGreaterThan(0)
    expect(now.length).toBeLessThanOrEqual(Math.min(before.length + 1, 5))
    expect(new Set(now).size).toBe(now.length)
    for (const reason of now) expect(reason).toMatch(/^(ERR_|logout)\w+$/)
  })

  test('counts once: of 30 at once one, and none afterwards', async () => {
    const { claims } = await twice()
    const token = await openid.sign(claimsFor({ sub: claims.sub }))
    const statuses = (await thirty(() => post(token))).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    const browser = new Browser()
    await signInAt(browser, id, openid, claims)
    expect((await post(token)).status).toBe(400)
    expect(await signedInStatus(browser)).toBe(200)
  })

  test('of one provider ends no session of another with the same subject', async () => {
    const other = await startOpenidProvider()
    const otherId = await connectProvider(administrator, other)
    const { claims, signedIn, sids } = await twice()
    const token = await other.sign({ ...claimsFor({ sub: claims.sub, sid: sids[0] }), iss: other.issuer })
    expect((await post(token, otherId)).status).toBe(200)
    expect((await post(token)).status).toBe(400)
    expect(await signedIn()).toEqual([200, 200])
  })

  test('comes as a form, to a provider that exists', async () => {
    expect((await said({ sub: 'x' }, crypto.randomUUID())).status).toBe(404)
    expect((await said({ sub: 'x' }, 'nothing')).status).toBe(404)
    expect((await post('x', id, 'application/json')).status).toBe(415)
    expect((await post('x'.repeat(100_000))).status).toBe(413)
  })
})

describe('who signs out here', () => {
  test('is led to the sign-out of the provider where they signed in, and to none otherwise', async () => {
    const leaving = await startOpenidProvider()
    leaving.metadata = { end_session_endpoint: `${leaving.root}/leave` }
    const leavingId = await connectProvider(administrator, leaving)
    const browser = new Browser()
    await signInAt(browser, leavingId, leaving, somebody())
    const { body } = await signOut(browser)
    expect(body).toEqual({ leads: `${leaving.root}/leave?client_id=${leaving.clientId}` })
    expect(await signedInStatus(browser)).toBe(401)
    const plain = new Browser()
    await signInAt(plain, id, openid, somebody())
    expect((await signOut(plain)).body).toEqual({})
    expect((await signOut((await signedInWith()).browser)).body).toEqual({})
  })
})
