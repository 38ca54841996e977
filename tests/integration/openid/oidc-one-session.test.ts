import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { decodeJwt } from 'jose'
import * as client from 'openid-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { db } from '@/db/client'
import { applications, oidcRecords } from '@/db/schema'
import { dropCached } from '@/lib/base/cache/cache'
import { runJobs } from '../../factories/messages'
import { createClient, startProvider } from '../../factories/oidc'
import { authorize, type listen, listenForLogouts, refused, signedIn, tokensFor } from '../../factories/oidc-flows'
import { eachRound } from '../../factories/random-cases'
import { signOut } from '../../factories/sign-in'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

let running: Awaited<ReturnType<typeof startProvider>>
let app: Awaited<ReturnType<typeof listen>>
let heard: string[] = []
beforeAll(async () => {
  running = await startProvider()
  app = await listenForLogouts(({ token }) => heard.push(token) && undefined)
})
afterAll(() => Promise.all([running.stop(), app.stop()]))

const createClients = async (count: number) => {
  const made: Awaited<ReturnType<typeof createClient>>[] = []
  for (let n = 0; n < count; n++) made.push(await createClient(running, { backchannelLogoutUri: `${app.url}/logout` }))
  return made
}

const endedSessions = () =>
  heard.map((token) => {
    const { aud, sid } = decodeJwt(token)
    return [String(aud), String(sid)].join()
  })

test('a second application with a copy of the cookies uses the provider session of the first', async () => {
  heard = []
  const clients = await createClients(2)
  const { browser } = await signedIn()
  const copies = clients.map(() => browser.copy())
  const expected: string[] = []
  for (const [n, { config, clientId }] of clients.entries()) {
    const tokens = await tokensFor(running, copies[n] ?? browser, config)
    expected.push([clientId, tokens.claims()?.sid].join())
    clients[n] = Object.assign({}, clients[n], { refresh: tokens.refresh_token })
  }
  for (const one of clients as (Awaited<ReturnType<typeof createClient>> & { refresh?: string })[])
    expect(await refused(client.refreshTokenGrant(one.config, one.refresh ?? ''))).toBe('allowed')
  await signOut(browser)
  await runJobs()
  expect(endedSessions().toSorted()).toEqual(expected.toSorted())
})

test('ten applications at once with copies of the cookies: all codes and refreshes work, and each gets a logout notice', async () => {
  heard = []
  const clients = await createClients(10)
  const { user, browser } = await signedIn()
  const codes = await Promise.all(clients.map(({ config }) => authorize(running, browser.copy(), config)))
  const tokens = await Promise.all(
    clients.map(({ config }, n) =>
      client.authorizationCodeGrant(config, codes[n]?.end ?? new URL('https://none'), {
        pkceCodeVerifier: codes[n]?.verifier,
        expectedState: 'state',
      }),
    ),
  )
  const refreshed = await Promise.all(
    clients.map(({ config }, n) => refused(client.refreshTokenGrant(config, tokens[n]?.refresh_token ?? ''))),
  )
  expect(new Set(refreshed)).toEqual(new Set(['allowed']))
  await signOut(browser)
  await runJobs()
  expect(endedSessions().toSorted()).toEqual(
    clients.map(({ clientId }, n) => [clientId, tokens[n]?.claims()?.sid].join()).toSorted(),
  )
  expect(await db().select().from(oidcRecords).where(eq(oidcRecords.accountId, user.id))).toEqual([])
})

test('a new application opened ten times at once: all codes and refreshes work, and it gets one logout notice', async () => {
  heard = []
  for (const _ of eachRound(5)) {
    const [one] = await createClients(1)
    if (!one) throw new Error('no client')
    const { browser } = await signedIn()
    const codes = await Promise.all(Array.from({ length: 10 }, () => authorize(running, browser.copy(), one.config)))
    const tokens = await Promise.all(
      codes.map(({ end, verifier }) =>
        client.authorizationCodeGrant(one.config, end, { pkceCodeVerifier: verifier, expectedState: 'state' }),
      ),
    )
    expect(new Set(tokens.map((each) => each.claims()?.sid)).size).toBe(1)
    const refreshed = await Promise.all(
      tokens.map((each) => refused(client.refreshTokenGrant(one.config, each.refresh_token ?? ''))),
    )
    expect(new Set(refreshed)).toEqual(new Set(['allowed']))
    await signOut(browser)
    await runJobs()
    expect(endedSessions().filter((line) => line.startsWith(one.clientId))).toEqual([
      [one.clientId, tokens[0]?.claims()?.sid].join(),
    ])
  }
})

test('an application opened ten times at once for different APIs: every tab gets a token for its own', async () => {
  for (const _ of eachRound(5)) {
    const resources = Array.from({ length: 10 }, () => `https://${randomUUID()}.example/api`)
    await db()
      .insert(applications)
      .values(resources.map((url) => ({ type: 'internal' as const, code: randomUUID(), name: 'Склад', url })))
    dropCached('oidc-clients')
    const [one] = await createClients(1)
    if (!one) throw new Error('no client')
    const { browser } = await signedIn()
    const scope = 'openid profile offline_access'
    const tokens = await Promise.all(
      resources.map(async (resource) => {
        const copy = browser.copy()
        return tokensFor(running, copy, one.config, { resource, scope }, { resource }).catch(
          ({ message }: Error) => message,
        )
      }),
    )
    for (const [n, each] of tokens.entries()) {
      if (typeof each === 'string') throw new Error(each)
      expect(decodeJwt(each.access_token)).toMatchObject({
        aud: resources[n],
        scope: expect.stringContaining('profile'),
      })
    }
  }
})
