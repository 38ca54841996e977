import { randomUUID } from 'node:crypto'
import { and, eq, isNull } from 'drizzle-orm'
import * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { applications, oidcAnswers, oidcRecords, sessions, users } from '@/db/schema'
import { dropCached } from '@/lib/base/cache/cache'
import { tidyRecords } from '@/lib/openid/token-store/service'
import { createClient, redirectUri, startProvider } from '../../factories/oidc'
import { ageRefreshTokens, refused, signedIn, tokensFor } from '../../factories/oidc-flows'
import { cookieStoreProxy } from '../../factories/oidc-foreign'
import { caseNumbers, eachRound } from '../../factories/random-cases'
import { withoutRedis } from '../../factories/redis-away'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

const secret = 'a secret of forty-three characters or thereabouts'

let running: Awaited<ReturnType<typeof startProvider>>
beforeAll(async () => {
  running = await startProvider()
})
afterAll(() => running.stop())

async function start(wishes: Parameters<typeof createClient>[1] = {}, params: Record<string, string> = {}) {
  const made = await createClient(running, wishes)
  const { browser, user } = await signedIn()
  const tokens = await tokensFor(running, browser, made.config, params)
  return { ...made, browser, user, first: tokens.refresh_token ?? '' }
}

/** Counts the refresh tokens of a client that still work. */
const live = async (clientId: string) =>
  (
    await db()
      .select({ idHash: oidcRecords.idHash })
      .from(oidcRecords)
      .where(
        and(eq(oidcRecords.model, 'RefreshToken'), eq(oidcRecords.clientId, clientId), isNull(oidcRecords.consumedAt)),
      )
  ).length

const plain = (answer: client.TokenEndpointResponse) => JSON.parse(JSON.stringify(answer))

describe('a refresh token that is used again at once', () => {
  test('gets exactly the same answer, and has one successor', async () => {
    for (const wishes of [{}, { secret }]) {
      const { config, clientId, first, user } = await start(wishes)
      const answer = await client.refreshTokenGrant(config, first)
      const again = await client.refreshTokenGrant(config, first)
      expect(plain(again)).toEqual(plain(answer))
      expect(again.refresh_token).not.toBe(first)
      expect(await live(clientId)).toBe(1)
      expect(await client.fetchUserInfo(config, again.access_token, user.id)).toMatchObject({ sub: user.id })
      // the family continues with its only valid token
      const next = await client.refreshTokenGrant(config, again.refresh_token ?? '')
      expect(next.refresh_token).not.toBe(again.refresh_token)
      expect(plain(await client.refreshTokenGrant(config, first))).toEqual(plain(answer))
      expect(await live(clientId)).toBe(1)
    }
  })

  test('used thirty times at once gets one answer, round after round', async () => {
    const { config, clientId, first } = await start({ secret })
    let token = first
    for (const _ of eachRound(5)) {
      const used = token
      const answers = await Promise.all(Array.from({ length: 30 }, () => client.refreshTokenGrant(config, used)))
      expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
      expect(await live(clientId)).toBe(1)
      token = answers[0]?.refresh_token ?? ''
    }
  })

  test('gets its answer also while Redis is unavailable', async () => {
    const { config, clientId, first } = await start()
    await withoutRedis(async () => {
      const answers = await Promise.all(Array.from({ length: 6 }, () => client.refreshTokenGrant(config, first)))
      expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    })
    expect(await live(clientId)).toBe(1)
  })

  test('can’t be read from the database', async () => {
    const { config, first } = await start()
    const answer = await client.refreshTokenGrant(config, first)
    const stored = JSON.stringify([await db().select().from(oidcAnswers), await db().select().from(oidcRecords)])
    for (const value of [first, answer.access_token, answer.refresh_token, answer.id_token])
      expect(stored).not.toContain(value)
  })

  test('has its stored answer removed in time', async () => {
    await db().delete(oidcAnswers)
    const { config, clientId, first } = await start()
    await client.refreshTokenGrant(config, first)
    await ageRefreshTokens(clientId, 11)
    const expiredAnswers = async () =>
      (await db().select().from(oidcAnswers)).filter(({ expiresAt }) => expiresAt < new Date())
    expect((await expiredAnswers()).length).toBeGreaterThan(0)
    // any renewal cleans up
    const other = await start()
    await client.refreshTokenGrant(other.config, other.first)
    expect(await expiredAnswers()).toEqual([])
    await ageRefreshTokens(other.clientId, 11)
    await tidyRecords(new Date())
    expect(await expiredAnswers()).toEqual([])
  })
})

describe('nobody else gets that answer', () => {
  test('neither another client, nor the same one without authentication', async () => {
    const { config, clientId, first } = await start({ secret })
    const other = await createClient(running, { secret })
    const answer = await client.refreshTokenGrant(config, first)
    expect(await refused(client.refreshTokenGrant(other.config, first))).toBe('invalid_grant')
    const asked = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
      fetch(running.at('/oidc/token'), {
        method: 'POST',
        headers,
        body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: first, ...fields }),
      }).then(async (answer) => [answer.status, (await answer.json()).error])
    expect(await asked({ client_id: clientId })).toEqual([401, 'invalid_client'])
    const authorization = `Basic ${btoa(`${clientId}:${encodeURIComponent(`${secret}.`)}`)}`
    expect(await asked({}, { authorization })).toEqual([401, 'invalid_client'])
    // and all this has not affected the family
    expect(plain(await client.refreshTokenGrant(config, first))).toEqual(plain(answer))
  })

  test.each([['public'], ['confidential']])('nor a %s client without its key, or with another', async (kind) => {
    const { config, clientId } = await createClient(running, kind === 'public' ? {} : { secret })
    const { browser } = await signedIn()
    const handle = async () =>
      client.getDPoPHandle(config, await client.randomDPoPKeyPair('ES256', { extractable: true }))
    const [mine, another] = [await handle(), await handle()]
    const { refresh_token: first = '' } = await tokensFor(running, browser, config, {}, {}, { DPoP: mine })
    const answer = await client.refreshTokenGrant(config, first, undefined, { DPoP: mine })
    expect(answer.token_type).toBe('dpop')
    expect(await refused(client.refreshTokenGrant(config, first))).toBe('invalid_grant')
    expect(await refused(client.refreshTokenGrant(config, first, undefined, { DPoP: another }))).toBe('invalid_grant')
    const again = await client.refreshTokenGrant(config, first, undefined, { DPoP: mine })
    expect(plain(again)).toEqual(plain(answer))
    expect(await live(clientId)).toBe(1)
  })

  test('nor a request with another scope or resource', async () => {
    const api = `https://api-${randomUUID()}.example/`
    await db().insert(applications).values({ type: 'internal', code: randomUUID(), name: 'Склад', url: api })
    dropCached('oidc-clients:resources')
    const { config, clientId, first } = await start({ secret }, { scope: 'openid profile email', resource: api })
    const answer = await client.refreshTokenGrant(config, first, { scope: 'openid email' })
    for (const other of [{ scope: 'openid' }, { resource: api, scope: 'openid email' }, {}] as Record<string, string>[])
      expect(await refused(client.refreshTokenGrant(config, first, other))).toBe('invalid_grant')
    expect(await live(clientId)).toBe(1)
    expect(plain(await client.refreshTokenGrant(config, first, { scope: 'email openid' }))).toEqual(plain(answer))
    await client.refreshTokenGrant(config, answer.refresh_token ?? '')
  })

  const ends: [string, (made: Awaited<ReturnType<typeof start>>) => Promise<unknown>][] = [
    [
      'a session that has ended',
      ({ user }) => db().update(sessions).set({ endedAt: new Date() }).where(eq(sessions.userId, user.id)),
    ],
    [
      'a person who was disabled',
      ({ user }) => db().update(users).set({ enabled: false }).where(eq(users.id, user.id)),
    ],
    [
      'an application that was closed',
      async ({ application }) => {
        await db().update(applications).set({ enabled: false }).where(eq(applications.id, application.id))
        dropCached('oidc-clients')
      },
    ],
    ['a family that was revoked', ({ config, first }) => client.tokenRevocation(config, first)],
  ]
  test.each(ends)('%s', async (_, end) => {
    const made = await start({ secret })
    const answer = await client.refreshTokenGrant(made.config, made.first)
    await end(made)
    expect(await refused(client.refreshTokenGrant(made.config, made.first))).not.toBe('allowed')
    expect(await refused(client.refreshTokenGrant(made.config, answer.refresh_token ?? ''))).not.toBe('allowed')
  })
})

describe('a used refresh token', () => {
  test('later ends its family, whatever happened to the family since', async () => {
    const { config, clientId, first, user } = await start({ secret })
    const second = await client.refreshTokenGrant(config, first)
    const third = await client.refreshTokenGrant(config, second.refresh_token ?? '')
    await ageRefreshTokens(clientId, 11)
    const again = await Promise.all(Array.from({ length: 30 }, () => refused(client.refreshTokenGrant(config, first))))
    expect(new Set(again)).toEqual(new Set(['invalid_grant']))
    expect(await refused(client.refreshTokenGrant(config, third.refresh_token ?? ''))).toBe('invalid_grant')
    expect(await refused(client.fetchUserInfo(config, third.access_token, user.id))).toBe('invalid_token')
    expect(await live(clientId)).toBe(0)
  })

  test('that another version used without storing its answer is refused, and its family lives', async () => {
    const { config, first } = await start()
    const second = await client.refreshTokenGrant(config, first)
    await db().delete(oidcAnswers)
    expect(await refused(client.refreshTokenGrant(config, first))).toBe('invalid_grant')
    await client.refreshTokenGrant(config, second.refresh_token ?? '')
  })

  test('is inactive at introspection', async () => {
    const { config, first } = await start({ secret })
    expect(await client.tokenIntrospection(config, first)).toMatchObject({ active: true })
    await client.refreshTokenGrant(config, first)
    expect(await client.tokenIntrospection(config, first)).toEqual({ active: false })
  })
})

test('a proxy with its session in a cookie and without PKCE survives six requests at each renewal', async () => {
  const { clientId } = await createClient(running, { secret, pkceRequired: false, accessTokenLifespan: 1 })
  const { browser, user } = await signedIn()
  const proxy = cookieStoreProxy({ running, clientId, secret, redirectUri })
  let cookie = await proxy.signIn(browser)
  const random = caseNumbers(6)
  for (let renewal = 0; renewal < 4; renewal++) {
    const sharedCookie = cookie
    const pages = await Promise.all(Array.from({ length: 6 }, () => proxy.open(sharedCookie)))
    expect(pages.map(({ status, sub }) => [status, sub])).toEqual(Array.from({ length: 6 }, () => [200, user.id]))
    // the browser keeps the cookie of the last answer
    cookie = pages[random(6)]?.cookie ?? ''
  }
  expect(await live(clientId)).toBe(1)
})
