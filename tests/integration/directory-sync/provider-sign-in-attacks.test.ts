import { generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { redis } from '@/lib/base/redis/redis'
import { signedInWith } from '../../factories/access'
import { thirty } from '../../factories/at-once'
import { Browser } from '../../factories/browser'
import { Caller } from '../../factories/caller'
import { startOpenidProvider } from '../../factories/openid-imitation'
import {
  accountsOf,
  beginAt,
  comeBack,
  connectProvider,
  refusedFor,
  sessionsOf,
  signInAt,
  somebody,
} from '../../factories/openid-provider'
import { signedInStatus } from '../../factories/sign-in'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

let administrator: Caller
let openid: Awaited<ReturnType<typeof startOpenidProvider>>
let id = ''
beforeAll(async () => {
  administrator = new Caller((await signedInWith(['providers.write'])).browser)
  openid = await startOpenidProvider()
  id = await connectProvider(administrator, openid)
})
beforeEach(async () => {
  await redis().flushdb()
  openid.idToken = (claims) => claims
  openid.forgetful = false
})

/** Somebody who has pressed the button and agreed at the provider, but hasn't come back. */
async function agreed(claims = somebody()) {
  const browser = new Browser()
  const asking = await beginAt(browser, id)
  return { browser, asking, claims, back: openid.agree(asking, claims) }
}
async function expectNobody(browser: Browser, sub: string) {
  expect(await signedInStatus(browser)).toBe(401)
  expect(await sessionsOf(sub)).toEqual([])
  expect(await accountsOf(id, sub)).toEqual([])
}
const altered = (back: URL, change: Record<string, string | null>) => {
  const url = new URL(back)
  for (const [name, value] of Object.entries(change))
    if (value === null) url.searchParams.delete(name)
    else url.searchParams.set(name, value)
  return url
}

describe('an answer of a provider', () => {
  test('that nobody asked for signs nobody in', async () => {
    const { back, claims } = await agreed()
    for (const change of [{ state: null }, { state: '' }, { state: 'made-up' }]) {
      const browser = new Browser()
      expect(refusedFor(await comeBack(browser, id, altered(back, change)))).toBe('answer')
      await expectNobody(browser, claims.sub)
    }
  })

  test('is worth nothing in a browser that didn’t ask for it: neither injected code nor login CSRF', async () => {
    const victim = await agreed()
    // the attacker has read the victim's answer before the victim came back, or lures the victim to their own
    for (const browser of [new Browser(), (await agreed()).browser]) {
      const { back, claims } = await agreed()
      expect(refusedFor(await comeBack(browser, id, back))).toBe('answer')
      await expectNobody(browser, claims.sub)
    }
    // a code of the attacker with the state of the victim
    const attacker = await agreed()
    const injected = altered(victim.back, { code: attacker.back.searchParams.get('code') ?? '' })
    expect(refusedFor(await comeBack(victim.browser, id, injected))).toBe('answer')
    await expectNobody(victim.browser, attacker.claims.sub)
  })

  test('counts once: of 30 at once one session and one account, and none afterwards', async () => {
    const { browser, back, claims } = await agreed()
    // it must not depend on the provider's care
    openid.forgetful = true
    const ends = await thirty(() => comeBack(browser.copy(), id, back))
    expect(ends.filter((end) => end === '/platform/profile')).toHaveLength(1)
    expect(ends.filter((end) => refusedFor(end) === 'answer')).toHaveLength(29)
    expect(await sessionsOf(claims.sub)).toHaveLength(1)
    expect(await accountsOf(id, claims.sub)).toHaveLength(1)
    expect(refusedFor(await comeBack(browser, id, back))).toBe('answer')
  })

  test('comes within ten minutes', async () => {
    const { browser, back, claims } = await agreed()
    const keys = await redis().keys('provider-sign-in:*')
    expect(keys).toHaveLength(1)
    const secondsLeft = await redis().ttl(keys[0] ?? '')
    expect(secondsLeft).toBeGreaterThan(590)
    expect(secondsLeft).toBeLessThanOrEqual(600)
    const stored = await redis().get(keys[0] ?? '')
    expect(stored).not.toContain(id)
    await redis().del(keys)
    expect(refusedFor(await comeBack(browser, id, back))).toBe('answer')
    await expectNobody(browser, claims.sub)
  })

  test('of another provider is refused, by its issuer and by the address to which it came', async () => {
    const evil = await startOpenidProvider()
    const evilId = await connectProvider(administrator, evil)
    const { browser, asking, back, claims } = await agreed()
    // mix-up: the browser was led to the honest provider, and the attacker's answers in its name
    expect(refusedFor(await comeBack(browser, id, altered(back, { iss: evil.issuer })))).toBe('answer')
    const again = await agreed(claims)
    expect(refusedFor(await comeBack(again.browser, id, altered(again.back, { iss: null })))).toBe('answer')
    const crossed = await agreed(claims)
    expect(refusedFor(await comeBack(crossed.browser, evilId, crossed.back))).toBe('answer')
    const theirs = evil.agree(await beginAt(browser, id), claims)
    expect(refusedFor(await comeBack(browser, id, theirs))).toBe('answer')
    await expectNobody(browser, claims.sub)
    // nothing that the honest provider gave out was sent to the other one
    expect(evil.asked.filter((path) => path === '/token')).toEqual([])
    expect(new URL(asking).origin).toBe(openid.issuer)
  })

  test('that another site makes the browser ask for is not asked for', async () => {
    for (const site of ['cross-site', 'same-site']) {
      const browser = new Browser()
      expect(await beginAt(browser, id, { path: '/platform/profile' }, site)).toBe(
        '/platform/login?path=%2Fplatform%2Fprofile',
      )
      expect(browser.cookies.size).toBe(0)
    }
  })
})

describe('an ID token', () => {
  const now = () => Math.floor(Date.now() / 1000)
  const unsigned = (claims: JWTPayload, header: object) =>
    `${[header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')}.`
  const forged: Record<string, (claims: JWTPayload) => JWTPayload | string | Promise<JWTPayload | string>> = {
    'signed by another key': async (claims) => {
      const { privateKey } = await generateKeyPair('RS256')
      return openid.sign(claims, { key: privateKey })
    },
    'signed by a key that the provider doesn’t have': async (claims) => {
      const { privateKey } = await generateKeyPair('RS256')
      return openid.sign(claims, { key: privateKey, kid: 'another' })
    },
    'signed by another algorithm': async (claims) => {
      const { privateKey } = await generateKeyPair('ES256')
      return new SignJWT(claims).setProtectedHeader({ alg: 'ES256' }).sign(privateKey)
    },
    'signed by the secret of the client': (claims) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: 'HS256' })
        .sign(new TextEncoder().encode(openid.secret.padEnd(32, '0'))),
    'without a signature': (claims) => unsigned(claims, { alg: 'none' }),
    'whose signature was cut off': async (claims) => (await openid.sign(claims)).replace(/[^.]+$/, ''),
    'for another client': (claims) => ({ ...claims, aud: 'another' }),
    'for several clients, by another': (claims) => ({ ...claims, aud: [openid.clientId, 'b'], azp: 'b' }),
    'of another issuer': (claims) => ({ ...claims, iss: 'https://evil.example' }),
    'that is over': (claims) => ({ ...claims, iat: now() - 900, exp: now() - 600 }),
    'that never ends': ({ exp: _, ...claims }) => claims,
    'over for longer than clocks differ': (claims) => ({ ...claims, iat: now() - 400, exp: now() - 40 }),
    'of the future': (claims) => ({ ...claims, nbf: now() + 600 }),
    'without a subject': ({ sub: _, ...claims }) => claims,
    'with another nonce': (claims) => ({ ...claims, nonce: 'another' }),
    'without a nonce': ({ nonce: _, ...claims }) => claims,
    'that isn’t one': () => 'e30.e30.e30',
  }
  test.each(Object.entries(forged))('%s signs nobody in', async (_, make) => {
    const { browser, back, claims } = await agreed()
    openid.idToken = make
    expect(refusedFor(await comeBack(browser, id, back))).toBe('answer')
    await expectNobody(browser, claims.sub)
    // the honest one of the same person is accepted: nothing else was wrong
    openid.idToken = (honest) => honest
    expect(await signInAt(new Browser(), id, openid, claims)).toBe('/platform/profile')
  })

  test('of a clock that is some seconds ahead or behind signs in', async () => {
    for (const skew of [20, -20]) {
      openid.idToken = (claims) => ({
        ...claims,
        iat: now() + skew,
        nbf: now() + skew,
        exp: now() + (skew > 0 ? 300 : skew),
      })
      expect(await signInAt(new Browser(), id, openid, somebody())).toBe('/platform/profile')
    }
    openid.idToken = (honest) => honest
  })
})

test('metadata and keys are kept, and read again for a signature by a key that isn’t among them', async () => {
  const honest = await startOpenidProvider()
  const honestId = await connectProvider(administrator, honest)
  for (let n = 0; n < 3; n++)
    expect(await signInAt(new Browser(), honestId, honest, somebody())).toBe('/platform/profile')
  const times = (path: string) => honest.asked.filter((one) => one === path).length
  expect([times('/.well-known/openid-configuration'), times('/jwks')]).toEqual([1, 1])
})
