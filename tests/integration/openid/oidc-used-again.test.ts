import { and, eq, inArray, sql } from 'drizzle-orm'
import * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { history, oidcClients, signInLog } from '@/db/schema'
import { dropCached } from '@/lib/base/cache/cache'
import { redis } from '@/lib/base/redis/redis'
import { metrics } from '@/lib/base/runtime/metrics'
import { WholeHistoryQuery } from '@/lib/operations/history/contract'
import { wholeHistory } from '@/lib/operations/history/service'
import { overview } from '@/lib/operations/overview/service'
import { thirty } from '../../factories/at-once'
import { createContext } from '../../factories/context'
import { createClient, follow, startProvider } from '../../factories/oidc'
import { deviceGrant, devicePages } from '../../factories/oidc-device'
import { ageRefreshTokens, authorize, refused, signedIn, tokensFor } from '../../factories/oidc-flows'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

const secret = 'a secret of forty-three characters or thereabouts'

let running: Awaited<ReturnType<typeof startProvider>>
beforeAll(async () => {
  running = await startProvider()
})
afterAll(() => running.stop())

type Made = Awaited<ReturnType<typeof createClient>>
type Person = Awaited<ReturnType<typeof signedIn>>

/** The rows of a client's history that say so. */
const recorded = (clientId: string) =>
  db()
    .select({ current: history.current, ip: history.ip, changerId: history.changerId })
    .from(history)
    .innerJoin(oidcClients, sql`${history.entityId} = ${oidcClients.id}::text`)
    .where(and(eq(oidcClients.clientId, clientId), eq(history.field, 'reused')))

const logged = (userId: string) =>
  db()
    .select({
      cause: signInLog.cause,
      applicationId: signInLog.applicationId,
      ip: signInLog.ip,
      flows: signInLog.flows,
    })
    .from(signInLog)
    .where(
      and(eq(signInLog.userId, userId), inArray(signInLog.cause, ['refreshReused', 'codeReused', 'deviceCodeReused'])),
    )

async function counted(of: string) {
  const metric = await metrics().registry.getSingleMetric('platform_token_reuses_total')?.get()
  return metric?.values.find(({ labels }) => labels.of === of)?.value ?? 0
}

const tokensOf = async ({ config }: Made, { browser }: Person) => {
  const tokens = await tokensFor(running, browser, config)
  return { ...tokens, refresh: tokens.refresh_token ?? '' }
}

/** Uses a refresh token, and again after its time, so many times at once. Returns its successor. */
async function reuse({ config, clientId }: Made, token: string, times = 1) {
  const second = await client.refreshTokenGrant(config, token)
  await ageRefreshTokens(clientId, 11)
  const again = Array.from({ length: times }, () => refused(client.refreshTokenGrant(config, token)))
  expect(new Set(await Promise.all(again))).toEqual(new Set(['invalid_grant']))
  return second
}

describe('a refresh token that is used again', () => {
  test('by thirty requests at once leaves one trace in each place, without a token', async () => {
    const made = await createClient(running, { secret })
    const person = await signedIn()
    const before = await counted('refreshToken')
    const first = await tokensOf(made, person)
    const second = await reuse(made, first.refresh, 30)
    expect(await refused(client.refreshTokenGrant(made.config, second.refresh_token ?? ''))).toBe('invalid_grant')
    const rows = await recorded(made.clientId)
    expect(rows).toEqual([
      { current: { of: 'refreshToken', userId: person.user.id, ended: true }, ip: '203.0.113.9', changerId: null },
    ])
    const lines = await logged(person.user.id)
    expect(lines).toEqual([
      { cause: 'refreshReused', applicationId: made.application.id, ip: '203.0.113.9', flows: [] },
    ])
    expect(await counted('refreshToken')).toBe(before + 1)
    const { rows: all } = await db().execute(
      sql`select h::text from ${history} h union all select l::text from ${signInLog} l`,
    )
    for (const token of [first.refresh, second.refresh_token, second.access_token, second.id_token, secret])
      expect(JSON.stringify(all)).not.toContain(token)
  })

  test('again and again fills neither the history nor the log, and each family ends and is counted', async () => {
    const made = await createClient(running, { secret })
    const person = await signedIn()
    const before = await counted('refreshToken')
    for (let round = 0; round < 3; round++) {
      const second = await reuse(made, (await tokensOf(made, person)).refresh)
      expect(await refused(client.refreshTokenGrant(made.config, second.refresh_token ?? ''))).toBe('invalid_grant')
    }
    expect(await recorded(made.clientId)).toHaveLength(1)
    expect(await logged(person.user.id)).toHaveLength(1)
    expect(await counted('refreshToken')).toBe(before + 3)
    // another person is another trace, but at most a hundred an hour of all
    const other = await signedIn()
    await reuse(made, (await tokensOf(made, other)).refresh)
    expect(await recorded(made.clientId)).toHaveLength(2)
    const [row] = await db().select().from(oidcClients).where(eq(oidcClients.clientId, made.clientId))
    await db()
      .insert(history)
      .values(
        Array.from({ length: 98 }, () => ({
          ...{ type: 'update' as const, entity: 'oidcClients', entityId: row?.id ?? '', field: 'reused' },
          current: { of: 'code', userId: crypto.randomUUID(), ended: true },
        })),
      )
    const third = await signedIn()
    await reuse(made, (await tokensOf(made, third)).refresh)
    expect(await recorded(made.clientId)).toHaveLength(100)
    expect(await logged(third.user.id)).toEqual([])
    expect(await counted('refreshToken')).toBe(before + 5)
  })

  test('by another client, or by a client that simply renews in several tabs, leaves none', async () => {
    const [made, other] = [await createClient(running, { secret }), await createClient(running, { secret })]
    const person = await signedIn()
    const { refresh } = await tokensOf(made, person)
    await Promise.all([1, 2, 3].map(() => client.refreshTokenGrant(made.config, refresh)))
    await ageRefreshTokens(made.clientId, 11)
    expect(await refused(client.refreshTokenGrant(other.config, refresh))).toBe('invalid_grant')
    expect({
      reused: await recorded(made.clientId),
      other: await recorded(other.clientId),
      logged: await logged(person.user.id),
    }).toEqual({ reused: [], other: [], logged: [] })
  })

  test('is on the overview of whoever may read applications', async () => {
    const made = await createClient(running)
    const { user, ...person } = await signedIn()
    await reuse(made, (await tokensOf(made, { user, ...person })).refresh)
    // where it leads to: the history, which names the person
    const reader = await createContext({ methods: ['history.read', 'applications.read', 'users.read'] })
    const query = WholeHistoryQuery.parse({ filter: { entity: ['oidcClients'], param: 'reused' } })
    const { acts, names } = await wholeHistory(reader, query)
    expect(acts[0]).toMatchObject({
      changes: [{ field: 'reused', diff: { kind: 'nested' } }],
    })
    expect(JSON.stringify([acts[0], names])).toContain(user.fio)
    dropCached('overview')
    const seen = async (...methods: string[]) =>
      (await overview({ methods: new Set(methods) })).matters.find(({ code }) => code === 'reusedTokens')
    expect(await seen('applications.read')).toMatchObject({ screen: 'PlatformApplications', tone: 'warning' })
    expect(await seen('applications.read', 'history.read')).toMatchObject({
      screen: 'PlatformHistory',
      filter: { entity: 'oidcClients', param: 'reused' },
      count: expect.any(Number),
    })
    expect(await seen('users.read', 'history.read')).toBeUndefined()
  })
})

describe('an authorization code that is redeemed', () => {
  const redeem = (made: Made, { end, verifier }: Awaited<ReturnType<typeof authorize>>) =>
    client.authorizationCodeGrant(made.config, end, { pkceCodeVerifier: verifier, expectedState: 'state' })

  test('twice ends what it gave, and leaves one trace', async () => {
    const made = await createClient(running, { secret })
    const person = await signedIn()
    const before = await counted('code')
    const asked = await authorize(running, person.browser, made.config)
    const tokens = await redeem(made, asked)
    expect(new Set(await thirty(() => refused(redeem(made, asked))))).toEqual(new Set(['invalid_grant']))
    expect(await refused(client.refreshTokenGrant(made.config, tokens.refresh_token ?? ''))).toBe('invalid_grant')
    expect(await recorded(made.clientId)).toMatchObject([
      { current: { of: 'code', userId: person.user.id, ended: true } },
    ])
    expect(await logged(person.user.id)).toMatchObject([{ cause: 'codeReused', applicationId: made.application.id }])
    expect(await counted('code')).toBe(before + 1)
    const code = asked.end.searchParams.get('code') ?? ''
    const { rows } = await db().execute(
      sql`select h::text from ${history} h union all select l::text from ${signInLog} l`,
    )
    expect(JSON.stringify(rows)).not.toContain(code)
  })

  test('thirty times at once gives tokens at most once, and leaves one trace', async () => {
    const made = await createClient(running, { secret })
    const person = await signedIn()
    const asked = await authorize(running, person.browser, made.config)
    const answers = await thirty(() => refused(redeem(made, asked)))
    expect(answers.filter((answer) => answer === 'allowed').length).toBeLessThanOrEqual(1)
    expect(new Set(answers.filter((answer) => answer !== 'allowed'))).toEqual(new Set(['invalid_grant']))
    expect(await recorded(made.clientId)).toMatchObject([{ current: { of: 'code', userId: person.user.id } }])
    expect(await logged(person.user.id)).toHaveLength(1)
  })

  test('with another client’s code, or by a wrong verifier, leaves none', async () => {
    const [made, other] = [await createClient(running, { secret }), await createClient(running, { secret })]
    const person = await signedIn()
    const asked = await authorize(running, person.browser, made.config)
    await redeem(made, asked)
    expect(await refused(redeem(other, asked))).toBe('invalid_grant')
    expect(await refused(redeem(made, { ...asked, verifier: client.randomPKCECodeVerifier() }))).toBe('invalid_grant')
    expect({
      reused: await recorded(made.clientId),
      other: await recorded(other.clientId),
      logged: await logged(person.user.id),
    }).toEqual({ reused: [], other: [], logged: [] })
  })
})

test('a device code that is used again leaves a trace, but two polls at once leave none', async () => {
  const made = await createClient(running, { redirectUris: [], grantTypes: [deviceGrant, 'refresh_token'] })
  const person = await signedIn()
  const device = await client.initiateDeviceAuthorization(made.config, { scope: 'openid profile' })
  const sent = await devicePages(running).approve(person.browser, device.user_code)
  await follow(running, person.browser, sent.location ?? '')
  const ask = () => refused(client.genericGrantRequest(made.config, deviceGrant, { device_code: device.device_code }))
  expect((await thirty(ask)).filter((answer) => answer === 'allowed')).toHaveLength(1)
  expect(await recorded(made.clientId)).toEqual([])
  for (const key of await redis().keys('oidc:DeviceCode:*'))
    await redis().hset(key, 'consumed', Math.floor(Date.now() / 1000) - 20)
  expect(new Set(await thirty(ask))).toEqual(new Set(['invalid_grant']))
  expect(await recorded(made.clientId)).toMatchObject([
    { current: { of: 'deviceCode', userId: person.user.id, ended: true } },
  ])
  expect(await logged(person.user.id)).toMatchObject([{ cause: 'deviceCodeReused' }])
})
