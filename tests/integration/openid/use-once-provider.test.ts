import { createHash, randomUUID } from 'node:crypto'
import { and, eq, isNull } from 'drizzle-orm'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import * as client from 'openid-client'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { oidcRecords } from '@/db/schema'
import { redis } from '@/lib/base/redis/redis'
import { adapterOf } from '@/lib/openid/token-store/service'
import { Browser } from '../../factories/browser'
import { createClient, follow, issuer, redirectUri, request, startProvider, visit } from '../../factories/oidc'
import { deviceGrant, devicePages } from '../../factories/oidc-device'
import { signedIn, tokensFor } from '../../factories/oidc-flows'
import { eachRound } from '../../factories/random-cases'
import { keysWithoutEnd } from '../../factories/redis-keys'
import { begin, prove } from '../../factories/sign-in'
import { createUser, password } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

let running: Awaited<ReturnType<typeof startProvider>>
beforeAll(async () => {
  running = await startProvider()
})
afterAll(() => running.stop())
afterEach(async () => {
  expect(await keysWithoutEnd()).toEqual([])
})

const thirty = <T>(work: (n: number) => Promise<T>) => Promise.all(Array.from({ length: 30 }, (_, n) => work(n)))
const won = (outcomes: boolean[]) => outcomes.filter(Boolean).length

/** Calls the token endpoint. Returns the status and the error. */
async function token(fields: Record<string, string>) {
  const answer = await fetch(running.at('/oidc/token'), { method: 'POST', body: new URLSearchParams(fields) })
  return { status: answer.status, body: (await answer.json()) as Record<string, string> }
}

describe('an authorization code', () => {
  test('is redeemed once, however many redeem it at once', {
    timeout: 240_000,
  }, async () => {
    const { config, clientId } = await createClient(running)
    const { browser } = await signedIn()
    for (const round of eachRound(200)) {
      const { url, verifier } = await request(config)
      const { url: end } = await follow(running, browser, url)
      const fields = {
        grant_type: 'authorization_code',
        client_id: clientId,
        code: end.searchParams.get('code') ?? '',
        redirect_uri: redirectUri,
        code_verifier: verifier,
      }
      const answers = await thirty(() => token(fields))
      const others = answers.filter(({ status }) => status !== 200)
      expect(others, `round ${round}`).toHaveLength(29)
      for (const { status, body } of others) expect([status, body.error]).toEqual([400, 'invalid_grant'])
      expect(await keysWithoutEnd(), `round ${round}`).toEqual([])
    }
  })

  test('that was revoked after a replay stays revoked, whoever had read it before', async () => {
    for (const model of ['AuthorizationCode', 'DeviceCode', 'PushedAuthorizationRequest']) {
      const [records, id, grantId] = [adapterOf(model), randomUUID(), randomUUID()]
      await redis().flushdb()
      // a device's code can be approved only while it exists
      if (model === 'DeviceCode') await records.upsert(id, {}, 60)
      await records.upsert(id, { grantId, accountId: 'x' }, 60)
      expect(await records.find(id)).toMatchObject({ grantId })
      await records.consume(id)
      await records.revokeByGrantId(grantId)
      await expect(records.consume(id), model).rejects.toThrow()
      expect(await redis().keys('oidc:*'), model).toEqual([])
      expect(await records.find(id)).toBeUndefined()
    }
  })

  test('doesn’t live too long, although a grant’s list is renewed by shorter-lived items', async () => {
    const [codes, grantId] = [adapterOf('AuthorizationCode'), randomUUID()]
    await codes.upsert('long', { grantId }, 600)
    await codes.upsert('short', { grantId }, 5)
    await redis().del(
      await redis().keys(`oidc:AuthorizationCode:${createHash('sha256').update('short').digest('base64url')}`),
    )
    const [list = ''] = await redis().keys('oidc:grant:*')
    expect(await redis().ttl(list)).toBeGreaterThan(500)
    await codes.revokeByGrantId(grantId)
    expect(await codes.find('long')).toBeUndefined()
  })
})

test('a pushed request gives one code, however many use it at once', async () => {
  const { config } = await createClient(running)
  const { browser } = await signedIn()
  // the session already knows the application, so no question is asked
  await tokensFor(running, browser, config)
  for (const _ of eachRound(5)) {
    const { url } = await request(config)
    const { client_id: _, ...pushed } = Object.fromEntries(url.searchParams)
    const address = await client.buildAuthorizationUrlWithPAR(config, pushed)
    const ends = await thirty(() =>
      follow(running, { ...browser, cookies: new Map(browser.cookies) } as Browser, address),
    )
    expect(won(ends.map(({ url: end }) => end.searchParams.has('code')))).toBe(1)
    for (const { status, url: end } of ends) if (!end.searchParams.has('code')) expect(status).toBeLessThan(500)
  }
})

test('an interaction is resumed once: of many at once one gets a code', async () => {
  for (const _ of eachRound(5)) {
    const { config } = await createClient(running)
    const [user, browser] = [await createUser(), new Browser()]
    const { url } = await request(config)
    const page = await follow(running, browser, url)
    const path = page.url.searchParams.get('path') ?? ''
    await begin(browser, user.login, 'login', { path })
    await prove(browser, user.login, { password })
    const answer = await visit(running, browser, path)
    const resume = new URL(answer.headers.get('location') ?? '', 'http://localhost:3000')
    const ends = await thirty(() => visit(running, browser.copy(), resume))
    const codes = ends.map(({ headers }) => /[?&]code=/.test(headers.get('location') ?? ''))
    expect(won(codes)).toBe(1)
    for (const { status } of ends) expect(status).toBeLessThan(500)
  }
})

describe('a device’s code', () => {
  const start = async () => {
    const { config, clientId } = await createClient(running, {
      grantTypes: [deviceGrant, 'refresh_token'],
      redirectUris: [],
    })
    return { clientId, device: await client.initiateDeviceAuthorization(config, { scope: 'openid' }) }
  }

  test('is approved once by many at once, and gives tokens once', async () => {
    for (const _ of eachRound(3)) {
      const { clientId, device } = await start()
      const pages = devicePages(running)
      const people = await Promise.all(Array.from({ length: 4 }, () => signedIn()))
      const asked = await Promise.all(people.map(({ browser }) => pages.enter(browser, device.user_code)))
      const sent = await Promise.all(
        people.map(({ browser }, n) => pages.send(browser, asked[n]?.body ?? '', { confirm: 'yes' })),
      )
      expect(won(sent.map(({ location }) => location !== null))).toBe(1)
      const first = sent.findIndex(({ location }) => location !== null)
      const { browser, user } = people[first] as (typeof people)[number]
      await thirty(() => follow(running, browser.copy(), sent[first]?.location ?? ''))

      const fields = { grant_type: deviceGrant, client_id: clientId, device_code: device.device_code }
      const answers = await thirty(() => token(fields))
      const [served, ...more] = answers.filter(({ status }) => status === 200)
      expect(more).toEqual([])
      const [, claims = ''] = (served?.body.id_token ?? '').split('.')
      expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({ sub: user.id })
      for (const { status, body } of answers)
        if (status !== 200) expect([status, body.error]).toEqual([400, 'invalid_grant'])
    }
  })

  test('that is sent twice at nearly the same time is refused and ends nothing; later it ends what it gave', async () => {
    await redis().flushdb()
    const { config, clientId } = await createClient(running, {
      grantTypes: [deviceGrant, 'refresh_token'],
      redirectUris: [],
    })
    const device = await client.initiateDeviceAuthorization(config, { scope: 'openid' })
    const { browser, user } = await signedIn()
    const { location } = await devicePages(running).approve(browser, device.user_code)
    await follow(running, browser, location ?? '')
    const fields = { grant_type: deviceGrant, client_id: clientId, device_code: device.device_code }
    const { status, body } = await token(fields)
    expect(status).toBe(200)
    const isAccepted = () =>
      client.fetchUserInfo(config, body.access_token ?? '', user.id).then(
        () => true,
        () => false,
      )
    const [key = ''] = await redis().keys('oidc:DeviceCode:*')
    for (const [ago, keeps] of [
      [0, true],
      [5, true],
      [11, false],
    ] as const) {
      await redis().hset(key, 'consumed', Math.floor(Date.now() / 1000) - ago)
      expect(await token(fields)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
      expect(await isAccepted(), `${ago} s`).toBe(keeps)
    }
  })
})

test('a DPoP proof and a client assertion are accepted once', async () => {
  const { config } = await createClient(running)
  const { browser } = await signedIn()
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true })
  const DPoP = client.getDPoPHandle(config, { publicKey, privateKey })
  const { access_token: accessToken } = await tokensFor(running, browser, config, {}, {}, { DPoP })
  const jwk = await exportJWK(publicKey)
  const ath = createHash('sha256').update(accessToken).digest('base64url')
  const sign = (claims: object, header: object) =>
    new SignJWT({ iat: Math.floor(Date.now() / 1000), jti: randomUUID(), ...claims })
      .setProtectedHeader({ alg: 'ES256', ...header })
      .sign(privateKey)
  const machine = await createClient(running, {
    grantTypes: ['client_credentials'],
    redirectUris: [],
    type: 'confidential',
    authMethod: 'private_key_jwt',
    jwks: { keys: [{ ...jwk, alg: 'ES256', use: 'sig' }] },
  })
  for (const _ of eachRound(5)) {
    const dpop = await sign({ htm: 'GET', htu: `${issuer}/me`, ath }, { typ: 'dpop+jwt', jwk })
    const headers = { authorization: `DPoP ${accessToken}`, dpop }
    const statuses = await thirty(async () => (await fetch(running.at('/oidc/me'), { headers })).status)
    expect(won(statuses.map((status) => status === 200))).toBe(1)

    const { clientId } = machine
    const exp = Math.floor(Date.now() / 1000) + 60
    const client_assertion = await sign({ iss: clientId, sub: clientId, aud: issuer, exp }, {})
    const client_assertion_type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
    const answers = await thirty(() =>
      token({ grant_type: 'client_credentials', client_assertion, client_assertion_type }),
    )
    expect(won(answers.map(({ status }) => status === 200)), JSON.stringify(answers[0])).toBe(1)
  }
})

test('a short-lived record expires within two hours, whatever lifespan it is given', async () => {
  const models = ['AuthorizationCode', 'DeviceCode', 'Interaction', 'PushedAuthorizationRequest', 'ReplayDetection']
  const given = [
    0.1,
    59.5,
    1.000001,
    0,
    -5,
    -0.5,
    1e19,
    1e300,
    2 ** 63,
    Infinity,
    -Infinity,
    NaN,
    'x' as never,
    null as never,
  ]
  for (const model of models)
    for (const seconds of given) {
      await redis().flushdb()
      const write = adapterOf(model).upsert(randomUUID(), { grantId: randomUUID(), userCode: randomUUID() }, seconds)
      const stored = await write.then(
        () => true,
        () => false,
      )
      const keys = await redis().keys('*')
      const lifetimes = await Promise.all(keys.map((key) => redis().pttl(key)))
      expect(keys.length > 0, `${model} ${seconds}`).toBe(stored)
      for (const one of lifetimes) {
        expect(one, `${model} ${seconds}`).toBeGreaterThan(0)
        expect(one, `${model} ${seconds}`).toBeLessThanOrEqual(7_200_000)
      }
      if (typeof seconds === 'number' && !Number.isNaN(seconds)) expect(stored, `${model} ${seconds}`).toBe(true)
    }
})

test('a refresh token has at most one valid successor, however many use it at once', async () => {
  const { config, clientId } = await createClient(running)
  const { browser } = await signedIn()
  let { refresh_token: refreshToken = '' } = await tokensFor(running, browser, config)
  for (const _ of eachRound(5)) {
    const answers = await thirty(() =>
      token({ grant_type: 'refresh_token', client_id: clientId, refresh_token: refreshToken }),
    )
    const successors = new Set(answers.flatMap(({ status, body }) => (status === 200 ? body.refresh_token : [])))
    expect(successors.size).toBe(1)
    const unused = await db()
      .select({ idHash: oidcRecords.idHash })
      .from(oidcRecords)
      .where(
        and(eq(oidcRecords.model, 'RefreshToken'), eq(oidcRecords.clientId, clientId), isNull(oidcRecords.consumedAt)),
      )
    expect(unused).toHaveLength(1)
    refreshToken = [...successors][0] ?? ''
  }
})
