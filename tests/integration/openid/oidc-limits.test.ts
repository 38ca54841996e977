import { count, eq, sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { history, oidcClients, oidcRecords } from '@/db/schema'
import { redis } from '@/lib/base/redis/redis'
import { clearFailures } from '@/lib/openid/server/failed-authentications'
import deviceRu from '@/messages/ru/device-flow.json'
import { createClient, redirectUri, request, startProvider } from '../../factories/oidc'
import { spellings } from '../../factories/oidc-spellings'
import { withoutRedis } from '../../factories/redis-away'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

const secret = 'a secret of forty-three characters or thereabouts'

let running: Awaited<ReturnType<typeof startProvider>>
beforeAll(async () => {
  running = await startProvider()
})
afterAll(() => running.stop())
afterEach(async () => {
  clearFailures()
  const keys = await redis().keys('limit:*')
  if (keys.length > 0) await redis().del(keys)
})

const records = async () => {
  const [row] = await db().select({ count: count() }).from(oidcRecords).where(eq(oidcRecords.model, 'Session'))
  return row?.count ?? 0
}
const open = (path: string, from: string, accept = 'text/html') =>
  fetch(running.at(path), { redirect: 'manual', headers: { accept, 'x-from': from } })

/** Sends a form to an endpoint as a client does; without a secret only with its id. */
const send = (path: string, from: string, clientId: string, given?: string, fields: Record<string, string> = {}) =>
  fetch(running.at(path), {
    method: 'POST',
    body: new URLSearchParams({ ...fields, client_id: clientId }),
    headers: {
      accept: 'application/json',
      'x-from': from,
      ...(given === undefined ? {} : { authorization: `Basic ${btoa(`${clientId}:${encodeURIComponent(given)}`)}` }),
    },
  })
const token = (from: string, clientId: string, given: string) =>
  send('/oidc/token', from, clientId, given, { grant_type: 'client_credentials' })
const machine = (values: Parameters<typeof createClient>[1] = {}) =>
  createClient(running, { secret, redirectUris: [], grantTypes: ['client_credentials'], ...values })

async function expectTooMany(answer: Response) {
  expect(answer.status).toBe(429)
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  if (answer.headers.get('content-type')?.includes('json'))
    expect(await answer.json()).toMatchObject({ error: 'too_many_requests' })
}

describe('public pages of the provider', () => {
  test('leave no more records than the limit of an address, however many ask at once; other addresses aren’t affected', async () => {
    const before = await records()
    const statuses: number[] = []
    // as many at once as the pool of connections allows
    while (statuses.length < 400) {
      const answers = await Promise.all(Array.from({ length: 40 }, () => open('/oidc/session/end', '192.0.2.1')))
      statuses.push(...answers.map(({ status }) => status))
    }
    expect(statuses.filter((status) => status === 200)).toHaveLength(300)
    expect(statuses.filter((status) => status === 429)).toHaveLength(100)
    expect((await records()) - before).toBe(300)
    await expectTooMany(await open('/oidc/session/end', '192.0.2.1', 'application/json'))

    const page = await open('/oidc/device', '192.0.2.1')
    await expectTooMany(page)
    expect((await page.text()).replaceAll('\u00a0', ' ')).toContain(deviceRu['device-flow'].enter.title)
    expect((await records()) - before).toBe(300)
    expect((await open('/oidc/device', '192.0.2.2')).status).toBe(200)
    expect((await records()) - before).toBe(301)
  })

  test('count an IPv6 address by its network, and all networks of a site together', async () => {
    const from = (network: number) => `2001:db8:1:${network.toString(16)}::1`
    expect((await open('/oidc/device', from(1))).status).toBe(200)
    const keys = await redis().keys('limit:oidc-forms*')
    expect(keys.filter((key) => key.startsWith('limit:oidc-forms-wide:'))).toHaveLength(2)
    for (const key of keys.filter((key) => key.includes('forms:0:'))) await redis().set(key, 300, 'KEEPTTL')
    await expectTooMany(await open('/oidc/device', '2001:db8:1:1:ffff::9'))
    expect((await open('/oidc/device', from(2))).status).toBe(200)
    for (const key of keys.filter((key) => key.includes('forms-wide:0:'))) await redis().set(key, 600, 'KEEPTTL')
    const before = await records()
    for (let network = 3; network < 30; network++) await expectTooMany(await open('/oidc/device', from(network)))
    expect(await records()).toBe(before)
    expect((await open('/oidc/device', '2001:db8:2::1')).status).toBe(200)
  })

  test('are limited more strictly while Redis is unavailable', async () => {
    const before = await records()
    await withoutRedis(async () => {
      let passed = 0
      for (let round = 0; round < 5; round++) {
        const answers = await Promise.all(Array.from({ length: 40 }, () => open('/oidc/session/end', '192.0.2.9')))
        passed += answers.filter(({ status }) => status === 200).length
      }
      expect(passed).toBe(150)
    })
    expect((await records()) - before).toBe(150)
  })
})

describe('pushed requests', () => {
  const push = async (from: string, config: Awaited<ReturnType<typeof createClient>>['config'], given?: string) => {
    const { url } = await request(config)
    const { client_id: clientId = '', ...fields } = Object.fromEntries(url.searchParams)
    return send('/oidc/request', from, clientId, given, fields)
  }
  const fill = async (name: string, points: number) => {
    for (const key of await redis().keys(`limit:${name}:0:*`)) await redis().set(key, points, 'KEEPTTL')
  }
  const countRequests = async () => (await redis().keys('oidc:PushedAuthorizationRequest:*')).length

  test('of clients without authentication have a lower limit by address', async () => {
    const [anybody, confidential] = [await createClient(running), await createClient(running, { secret })]
    expect((await push('192.0.2.1', anybody.config)).status).toBe(201)
    await fill('oidc-pushed', 599)
    const before = await countRequests()
    const answers = await Promise.all(Array.from({ length: 30 }, () => push('192.0.2.1', anybody.config)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(await countRequests()).toBe(before + 1)
    await expectTooMany(answers.find(({ status }) => status !== 201) as Response)
    expect((await push('192.0.2.1', confidential.config, secret)).status).toBe(201)
    expect((await push('192.0.2.2', anybody.config)).status).toBe(201)
    await fill('oidc-pushed-all', 6_000)
    await expectTooMany(await push('192.0.2.1', confidential.config, secret))
    // in any letter case of its address
    for (const path of spellings('/oidc', '/request'))
      await expectTooMany(await send(path, '192.0.2.1', confidential.clientId, secret, { redirect_uri: redirectUri }))
  })
})

describe('guesses of a client’s secret', () => {
  test('are blocked after 20 from one address, right ones too; the client works elsewhere, and other clients there too', async () => {
    const [victim, neighbour] = [await machine(), await machine()]
    const guesses = await Promise.all(
      Array.from({ length: 60 }, (_, at) => token('192.0.2.1', victim.clientId, `wrong ${at}`)),
    )
    const looked = guesses.filter(({ status }) => status === 401)
    expect(looked).toHaveLength(20)
    for (const answer of guesses.filter((one) => !looked.includes(one))) await expectTooMany(answer)
    await expectTooMany(await token('192.0.2.1', victim.clientId, secret))
    expect((await token('192.0.2.2', victim.clientId, secret)).status).toBe(200)
    expect((await token('192.0.2.1', neighbour.clientId, secret)).status).toBe(200)
  })

  test('are counted together over all endpoints', async () => {
    const { clientId } = await machine()
    const places = ['token', 'token/introspection', 'token/revocation', 'request', 'device/auth']
    for (const place of places)
      for (let round = 0; round < 4; round++)
        expect((await send(`/oidc/${place}`, '192.0.2.3', clientId, 'wrong', { token: 'x' })).status, place).toBe(401)
    for (const place of places)
      await expectTooMany(await send(`/oidc/${place}`, '192.0.2.3', clientId, secret, { token: 'x' }))
  })

  test('of disabled and unknown clients are blocked after 100 from one address, and block no right secret', async () => {
    const [enabled, off, anybody] = [await machine(), await machine({ enabled: false }), await createClient(running)]
    const wrong = [off.clientId, 'nobody']
    for (let at = 0; at < 110; at++) {
      const { status } = await token('192.0.2.4', wrong[at % 2] ?? '', secret)
      expect([at, status]).toEqual([at, at < 99 ? 401 : 429])
    }
    for (let round = 0; round < 3; round++)
      expect((await token('192.0.2.4', enabled.clientId, secret)).status).toBe(200)
    for (const clientId of wrong) await expectTooMany(await token('192.0.2.4', clientId, secret))
    // also with counters shared between processes they stay separate
    for (const key of await redis().keys('limit:oidc-guess-unknown:*')) await redis().set(key, 600, 'KEEPTTL')
    await token('192.0.2.4', 'nobody', 'x')
    expect(await redis().keys('limit:oidc-guess-address:*')).toEqual([])
    expect((await token('192.0.2.4', enabled.clientId, secret)).status).toBe(200)
    const code = await send('/oidc/token', '192.0.2.4', anybody.clientId, undefined, {
      grant_type: 'authorization_code',
      code: 'none',
      redirect_uri: redirectUri,
      code_verifier: 'x'.repeat(43),
    })
    expect([code.status, (await code.json()).error]).toEqual([400, 'invalid_grant'])
    expect((await token('192.0.2.5', enabled.clientId, secret)).status).toBe(200)
  })

  /** Returns how many failures are counted with their clients; each was sent to Redis before its answer came. */
  const judged = async () => {
    const keys = await redis().keys('limit:oidc-guess:0:*')
    return (keys.length > 0 ? await redis().mget(keys) : []).reduce((sum, points) => sum + Number(points), 0)
  }
  const thirty = <T>(work: (n: number) => Promise<T>) => Promise.all(Array.from({ length: 30 }, (_, n) => work(n)))
  const statusesOf = (answers: Response[]) => [...new Set(answers.map(({ status }) => status))]

  test('of many clients get one for each beyond 100 from one address, also in parallel; clients without failures aren’t affected', {
    timeout: 120_000,
  }, async () => {
    const clients: string[] = []
    for (let at = 0; at < 200; at++) clients.push((await machine()).clientId)
    const [early, late, crowd, guessed] = [await machine(), await machine(), await machine(), await machine()]
    const from = '192.0.2.13'
    // a client that failed and then authenticated isn't blocked either
    expect((await token(from, early.clientId, 'wrong')).status).toBe(401)
    expect((await token(from, early.clientId, secret)).status).toBe(200)

    for (const clientId of clients) await token(from, clientId, 'the one secret')
    expect(await judged()).toBe(201)
    for (let at = 0; at < clients.length; at += 50) {
      const answers = await Promise.all(clients.slice(at, at + 50).map((clientId) => token(from, clientId, 'another')))
      expect(statusesOf(answers)).toEqual([429])
    }
    expect(await judged()).toBe(201)
    // a client that failed there is blocked, with a right secret too
    for (const clientId of [clients[0], clients[150]]) await expectTooMany(await token(from, clientId ?? '', secret))

    expect(statusesOf(await thirty((n) => token(from, guessed.clientId, `wrong ${n}`)))).toEqual([429])
    expect(await judged()).toBe(202)
    await expectTooMany(await token(from, guessed.clientId, secret))
    // the others wait for the first
    expect(statusesOf(await thirty(() => token(from, crowd.clientId, secret)))).toEqual([200])
    for (const { clientId } of [early, late]) {
      expect((await token(from, clientId, secret)).status).toBe(200)
      await expectTooMany(await token(from, clientId, 'wrong'))
      expect((await token(from, clientId, secret)).status).toBe(200)
    }
    expect(await judged()).toBe(204)
    // an authenticated client is blocked by its own limit of 20
    await thirty((n) => token(from, late.clientId, `wrong ${n}`))
    await expectTooMany(await token(from, late.clientId, secret))
    expect(await judged()).toBe(223)
    expect((await token('192.0.2.14', clients[0] ?? '', secret)).status).toBe(200)
  })

  test('beyond 100 get one for each client over all processes', async () => {
    const [noisy, quiet] = [await Promise.all(Array.from({ length: 5 }, () => machine())), await machine()]
    const from = '192.0.2.15'
    for (const { clientId } of noisy)
      await Promise.all(Array.from({ length: 20 }, () => token(from, clientId, 'wrong')))
    await expectTooMany(await token(from, quiet.clientId, 'wrong'))
    expect(await judged()).toBe(101)
    expect(await redis().keys('limit:oidc-guess-once:*')).toHaveLength(1)
    // another process reads the counters in Redis
    clearFailures()
    await token(from, noisy[0]?.clientId ?? '', 'wrong')
    await judged()
    await expectTooMany(await token(from, quiet.clientId, secret))
  })

  test('made at another process count here with the first failure', async () => {
    const { clientId } = await machine()
    expect((await token('192.0.2.6', clientId, 'wrong')).status).toBe(401)
    await expect.poll(() => redis().keys('limit:oidc-guess:0:*')).toHaveLength(1)
    for (const key of await redis().keys('limit:oidc-guess:0:*')) await redis().set(key, 20, 'KEEPTTL')
    expect((await token('192.0.2.6', clientId, 'wrong')).status).toBe(401)
    await expect.poll(async () => (await token('192.0.2.6', clientId, secret)).status).toBe(429)
  })

  test('of one client from many addresses silently block the addresses that failed', async () => {
    const { clientId } = await machine()
    expect((await token('192.0.2.7', clientId, 'wrong')).status).toBe(401)
    await expect.poll(() => redis().keys('limit:oidc-guess-client:0:*')).toHaveLength(1)
    for (const key of await redis().keys('limit:oidc-guess-client:0:*')) await redis().set(key, 500, 'KEEPTTL')
    const wrong = await token('192.0.2.8', clientId, 'wrong')
    await expect.poll(async () => (await token('192.0.2.8', clientId, secret)).status).toBe(401)
    const right = await token('192.0.2.8', clientId, secret)
    expect([right.status, await right.json()]).toEqual([wrong.status, await wrong.json()])
    expect((await token('192.0.2.10', clientId, secret)).status).toBe(200)
    await Promise.all(Array.from({ length: 10 }, (_, n) => token(`192.0.2.${20 + n}`, clientId, 'wrong')))
    const guesses = () =>
      db()
        .select({ field: history.field, ip: history.ip })
        .from(history)
        .innerJoin(oidcClients, sql`${history.entityId} = ${oidcClients.id}::text`)
        .where(eq(oidcClients.clientId, clientId))
    await expect.poll(guesses).toEqual([{ field: 'secretGuessed', ip: '192.0.2.8' }])
  })

  test('have lower limits without Redis', async () => {
    const { clientId } = await machine()
    await withoutRedis(async () => {
      for (let at = 0; at < 11; at++) expect((await token('192.0.2.11', clientId, 'wrong')).status).toBe(401)
      await expect.poll(async () => (await token('192.0.2.11', clientId, secret)).status).toBe(429)
      expect((await token('192.0.2.12', clientId, secret)).status).toBe(200)
    })
  })
})
