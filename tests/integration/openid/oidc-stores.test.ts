import { eq } from 'drizzle-orm'
import * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { closeDatabase, db } from '@/db/client'
import { oidcRecords } from '@/db/schema'
import { closeCache } from '@/lib/base/cache/cache'
import { redis } from '@/lib/base/redis/redis'
import { env } from '@/lib/base/runtime/env'
import ru from '@/messages/ru/oidc.json'
import { Browser } from '../../factories/browser'
import { createClient, follow, issuer, redirectUri, request, startProvider, visit } from '../../factories/oidc'
import { authorize, refused, signedIn, tokensFor } from '../../factories/oidc-flows'
import { withoutRedis } from '../../factories/redis-away'
import { signedInStatus } from '../../factories/sign-in'
import { startWire } from '../../factories/wire'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

const secret = 'a secret of forty-three characters or thereabouts'
const machine = { secret, redirectUris: [], grantTypes: ['client_credentials'] }

let running: Awaited<ReturnType<typeof startProvider>>
beforeAll(async () => {
  running = await startProvider()
})
afterAll(() => running.stop())

const statusOf = async (path: string) => (await fetch(running.at(path))).status

const codeGrant = (config: client.Configuration, { end, verifier }: Awaited<ReturnType<typeof authorize>>) =>
  client.authorizationCodeGrant(config, end, { pkceCodeVerifier: verifier, expectedState: 'state' })

describe('without Redis', () => {
  test('everything lasting works: refresh, introspection, userinfo, programs, discovery, keys', async () => {
    const { config } = await createClient(running, { secret })
    const program = await createClient(running, machine)
    const { browser, user } = await signedIn()
    const tokens = await tokensFor(running, browser, config)
    await withoutRedis(async () => {
      expect(await statusOf('/oidc/.well-known/openid-configuration')).toBe(200)
      expect(await statusOf('/oidc/jwks')).toBe(200)
      expect(await client.fetchUserInfo(config, tokens.access_token, user.id)).toMatchObject({ sub: user.id })
      const fresh = await client.refreshTokenGrant(config, tokens.refresh_token ?? '')
      expect(await client.tokenIntrospection(config, fresh.access_token)).toMatchObject({ active: true, sub: user.id })
      const ownTokens = await client.clientCredentialsGrant(program.config)
      expect(await client.tokenIntrospection(program.config, ownTokens.access_token)).toMatchObject({ active: true })
      expect(await signedInStatus(browser)).toBe(200)
    })
  })

  test('an application learns that the person can’t sign in now; a wrong address isn’t accepted', async () => {
    const { config } = await createClient(running)
    const { browser } = await signedIn()
    const { url } = await request(config)
    const wrong = (await request(config, { redirect_uri: `${redirectUri}/` })).url
    await withoutRedis(async () => {
      for (const person of [browser, new Browser()]) {
        const { url: end, body } = await follow(running, person, url)
        expect(end.href, body).toContain(redirectUri)
        expect(Object.fromEntries(end.searchParams)).toMatchObject({
          error: 'temporarily_unavailable',
          state: 'state',
          iss: issuer,
        })
      }
      const page = await visit(running, browser, wrong)
      expect([page.status, page.headers.get('location')]).toEqual([400, null])
    })
    expect((await authorize(running, browser, config)).end.searchParams.has('code')).toBe(true)
  })

  test('revocation answers 503, because it includes codes, and can be repeated', async () => {
    const { config } = await createClient(running)
    const { browser } = await signedIn()
    const { refresh_token = '' } = await tokensFor(running, browser, config)
    const revoke = () => refused(client.tokenRevocation(config, refresh_token))
    expect(await withoutRedis(revoke)).toBe('503')
    expect(await revoke()).toBe('allowed')
    expect(await refused(client.refreshTokenGrant(config, refresh_token))).toBe('invalid_grant')
  })

  test('codes answer 503 and are not used up', async () => {
    const { config } = await createClient(running)
    const { browser } = await signedIn()
    const asked = await authorize(running, browser, config)
    expect(await withoutRedis(() => refused(codeGrant(config, asked)))).toBe('503')
    expect(await refused(codeGrant(config, asked))).toBe('allowed')
  })
})

test('after a flush codes and requests have expired, and nobody is signed out', async () => {
  const { config } = await createClient(running)
  const { browser } = await signedIn()
  const tokens = await tokensFor(running, browser, config)
  const asked = await authorize(running, browser, config)
  const stranger = new Browser()
  const waiting = (await follow(running, stranger, (await request(config)).url)).url.searchParams.get('path') ?? ''
  await redis().flushdb()
  expect(await refused(codeGrant(config, asked))).toBe('invalid_grant')
  const page = await follow(running, stranger, waiting)
  expect(page.status).toBe(400)
  expect(page.body).toContain(ru.oidc.failure.expired.title)
  expect(await signedInStatus(browser)).toBe(200)
  const fresh = await client.refreshTokenGrant(config, tokens.refresh_token ?? '')
  expect(fresh.access_token).toBeTruthy()
  await tokensFor(running, browser, config, { prompt: 'none' })
})

describe('without PostgreSQL', () => {
  let wire: Awaited<ReturnType<typeof startWire>>
  beforeAll(async () => {
    await Promise.all([closeDatabase(), closeCache()])
    wire = await startWire(process.env.DATABASE_URL ?? '')
    env().DATABASE_URL = wire.url
  })
  afterAll(async () => {
    await Promise.all([closeDatabase(), closeCache()])
    env().DATABASE_URL = process.env.DATABASE_URL ?? ''
    wire.close()
  })

  test('everything answers 503 at once, uses nothing up, and works again afterwards', async () => {
    const { config, clientId } = await createClient(running, { secret })
    const { browser, user } = await signedIn()
    const tokens = await tokensFor(running, browser, config)
    const asked = await authorize(running, browser, config)
    const { url } = await request(config)
    wire.cut()
    const failure = (work: Promise<unknown>) =>
      work.then(
        () => 200,
        ({ status, cause }: { status?: number; cause?: { status?: number } }) => status ?? cause?.status,
      )
    const outcomes = {
      userinfo: await failure(client.fetchUserInfo(config, tokens.access_token, user.id)),
      refresh: await failure(client.refreshTokenGrant(config, tokens.refresh_token ?? '')),
      introspection: await failure(client.tokenIntrospection(config, tokens.access_token)),
    }
    expect(outcomes).toEqual({ userinfo: 503, refresh: 503, introspection: 503 })
    const page = await visit(running, new Browser(), url)
    expect([303, 503]).toContain(page.status)
    if (page.status === 303) expect(page.headers.get('location')).toContain('error=temporarily_unavailable')
    wire.mend()

    expect(await client.fetchUserInfo(config, tokens.access_token, user.id)).toMatchObject({ sub: user.id })
    const fresh = await client.refreshTokenGrant(config, tokens.refresh_token ?? '')
    expect(fresh.refresh_token).toBeTruthy()
    expect(await refused(codeGrant(config, asked))).toBe('allowed')
    const records = await db().select().from(oidcRecords).where(eq(oidcRecords.clientId, clientId))
    expect(records.length).toBeGreaterThan(0)
  })
})
