import { and, eq } from 'drizzle-orm'
import { createRemoteJWKSet, type JWTPayload, jwtVerify } from 'jose'
import * as client from 'openid-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { db } from '@/db/client'
import { networkAliases, networkAliasIps, oidcLogouts, oidcRecords, sessions } from '@/db/schema'
import { dropCached } from '@/lib/base/cache/cache'
import { env } from '@/lib/base/runtime/env'
import { queueLogout } from '@/lib/openid/logout/service'
import { sendLogoutNotice } from '@/lib/openid/server/back-channel'
import { tidyRecords } from '@/lib/openid/token-store/service'
import { endExpiredSessions } from '@/lib/sign-in/sessions/expire'
import { platformSettings } from '@/lib/site/settings/service'
import { runJobs } from '../../factories/messages'
import { createClient, issuer, startProvider } from '../../factories/oidc'
import { type listen, listenForLogouts, refused, signedIn, tokensFor } from '../../factories/oidc-flows'
import { signedInStatus, signOut, startSessionOf } from '../../factories/sign-in'
import { createUser } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

let running: Awaited<ReturnType<typeof startProvider>>
/** An application that gets logout notices, written as anybody would. */
let app: Awaited<ReturnType<typeof listen>>
let heard: { path: string; type: string | undefined; token: string }[] = []
let answer = 200

beforeAll(async () => {
  running = await startProvider()
  app = await listenForLogouts((logout) => {
    heard.push(logout)
    return answer
  })
})
afterAll(() => Promise.all([running.stop(), app.stop()]))

const endings = async (userId: string) => {
  const rows = await db().select().from(sessions).where(eq(sessions.userId, userId))
  return rows.map(({ endReason }) => endReason)
}

test('sessions that expire unnoticed end like all others: tokens die, and applications are notified once', async () => {
  heard = []
  const { config, clientId } = await createClient(running, { backchannelLogoutUri: `${app.url}/logout` })
  const [old, idle, fresh] = [await signedIn(), await signedIn(), await signedIn()]
  const tokens = new Map<string, client.TokenEndpointResponse & client.TokenEndpointResponseHelpers>()
  for (const { user, browser } of [old, idle, fresh]) tokens.set(user.id, await tokensFor(running, browser, config))
  const now = new Date()
  const { sessionIdleAlive } = await platformSettings()
  await db()
    .update(sessions)
    .set({ expiresAt: new Date(now.getTime() - 1) })
    .where(eq(sessions.userId, old.user.id))
  await db()
    .update(sessions)
    .set({ lastAccessAt: new Date(now.getTime() - sessionIdleAlive * 1000) })
    .where(eq(sessions.userId, idle.user.id))

  const counts = await Promise.all([endExpiredSessions(now, 1), endExpiredSessions(now, 1), endExpiredSessions(now)])
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(2)
  expect(await endExpiredSessions(now)).toBe(0)
  expect({
    old: await endings(old.user.id),
    idle: await endings(idle.user.id),
    fresh: await endings(fresh.user.id),
  }).toEqual({ old: ['expired'], idle: ['expired'], fresh: [null] })
  await runJobs()
  expect(heard.map(({ path }) => path)).toEqual(['/logout', '/logout'])
  const logouts = await db().select().from(oidcLogouts).where(eq(oidcLogouts.clientId, clientId))
  expect(new Set(logouts.map(({ accountId }) => accountId))).toEqual(new Set([old.user.id, idle.user.id]))
  expect(logouts.every(({ status }) => status === 'sent')).toBe(true)
  for (const { user } of [old, idle]) {
    const given = tokens.get(user.id)
    expect(await refused(client.refreshTokenGrant(config, given?.refresh_token ?? ''))).toBe('invalid_grant')
    expect(await db().select().from(oidcRecords).where(eq(oidcRecords.accountId, user.id))).toEqual([])
  }
  expect(await refused(client.refreshTokenGrant(config, tokens.get(fresh.user.id)?.refresh_token ?? ''))).toBe(
    'allowed',
  )
  expect(await signedInStatus(fresh.browser)).toBe(200)
})

test('who signs in over somebody else ends their applications; who signs in again keeps their own', async () => {
  heard = []
  const { config, clientId } = await createClient(running, { backchannelLogoutUri: `${app.url}/logout` })
  const { user, browser } = await signedIn()
  const tokens = await tokensFor(running, browser, config)
  await startSessionOf(browser, user.id)
  await runJobs()
  expect(heard).toEqual([])
  expect(await client.fetchUserInfo(config, tokens.access_token, user.id)).toMatchObject({ sub: user.id })
  await startSessionOf(browser, (await createUser()).id)
  await runJobs()
  expect(heard.map(({ path }) => path)).toEqual(['/logout'])
  expect(await db().select().from(oidcLogouts).where(eq(oidcLogouts.clientId, clientId))).toMatchObject([
    { accountId: user.id, sid: tokens.claims()?.sid, status: 'sent' },
  ])
  expect(await refused(client.refreshTokenGrant(config, tokens.refresh_token ?? ''))).toBe('invalid_grant')
})

test('the record of an end is kept until all applications are notified', async () => {
  heard = []
  const { config } = await createClient(running, { backchannelLogoutUri: `${app.url}/logout` })
  const { user, browser } = await signedIn()
  await tokensFor(running, browser, config)
  const past = new Date(Date.now() - 1000)
  await db().update(oidcRecords).set({ expiresAt: past }).where(eq(oidcRecords.accountId, user.id))
  await db().update(sessions).set({ expiresAt: past }).where(eq(sessions.userId, user.id))
  await tidyRecords(new Date())
  await endExpiredSessions(new Date())
  await tidyRecords(new Date())
  await runJobs()
  expect(heard).toHaveLength(1)

  // and it is deleted when no application is left to notify
  const second = await signedIn()
  await tokensFor(running, second.browser, config)
  const isTheirs = and(eq(oidcRecords.accountId, second.user.id), eq(oidcRecords.model, 'Session'))
  await db().update(oidcRecords).set({ expiresAt: past }).where(isTheirs)
  const longAgo = new Date(Date.now() - 30 * 24 * 3_600_000)
  await db().update(sessions).set({ endedAt: longAgo }).where(eq(sessions.userId, second.user.id))
  await tidyRecords(new Date())
  expect(await db().select().from(oidcRecords).where(isTheirs)).toEqual([])
})

test('a logout token matches the specification, and can’t be mistaken for an ID token', async () => {
  heard = []
  const { config, clientId } = await createClient(running, { backchannelLogoutUri: `${app.url}/logout?tenant=1` })
  const { user, browser } = await signedIn()
  const tokens = await tokensFor(running, browser, config, { nonce: 'n' })
  const before = Math.floor(Date.now() / 1000)
  await signOut(browser)
  await runJobs()
  const [{ path, type, token } = { path: '', type: '', token: '' }] = heard
  expect([path, type]).toEqual(['/logout?tenant=1', 'application/x-www-form-urlencoded'])
  const keys = createRemoteJWKSet(new URL(running.at('/oidc/jwks')))
  const rules = { issuer, audience: clientId, typ: 'logout+jwt', algorithms: ['RS256'] }
  const { payload }: { payload: JWTPayload } = await jwtVerify(token, keys, rules)
  expect(payload).toEqual({
    iss: issuer,
    aud: clientId,
    sub: user.id,
    sid: tokens.claims()?.sid,
    iat: expect.any(Number),
    exp: expect.any(Number),
    jti: expect.any(String),
    events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
  })
  expect(payload.iat).toBeGreaterThanOrEqual(before)
  expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBeLessThanOrEqual(120)
  expect(payload).not.toHaveProperty('nonce')
})

test('a redirect isn’t followed: it is a failure, which is stored and tried again', async () => {
  heard = []
  answer = 302
  const { clientId } = await createClient(running, { backchannelLogoutUri: `${app.url}/logout` })
  await queueLogout(db(), { clientId, accountId: 'somebody', sid: 'sid' })
  const logoutRow = async () => (await db().select().from(oidcLogouts).where(eq(oidcLogouts.clientId, clientId)))[0]
  await runJobs()
  expect(heard.map(({ path }) => path)).toEqual(['/logout'])
  expect(await logoutRow()).toMatchObject({ status: 'queued', attempts: 1, error: expect.stringContaining('302') })
  answer = 200
  await sendLogoutNotice((await logoutRow())?.id ?? '', { lastTry: false })
  expect(await logoutRow()).toMatchObject({ status: 'sent', attempts: 2, error: null })
})

test('in production no application on this machine or its network is called, unless a network alias allows it', async () => {
  heard = []
  const urls = [app.url, app.url.replace('127.0.0.1', 'localhost'), app.url.replace('127.0.0.1', '[::ffff:127.0.0.1]')]
  const queued: string[] = []
  for (const url of urls) {
    const { clientId } = await createClient(running, { backchannelLogoutUri: `${url}/logout` })
    await queueLogout(db(), { clientId, accountId: 'somebody', sid: 'sid' })
    const [row] = await db().select().from(oidcLogouts).where(eq(oidcLogouts.clientId, clientId))
    queued.push(row?.id ?? '')
  }
  const [first = ''] = queued
  const logoutRow = async (id: string) => (await db().select().from(oidcLogouts).where(eq(oidcLogouts.id, id)))[0]
  const alias = async (name: string, ip: string) => {
    const [row] = await db().insert(networkAliases).values({ name }).returning()
    await db()
      .insert(networkAliasIps)
      .values({ aliasId: row?.id ?? '', ip, order: 0 })
    dropCached('network-aliases')
  }
  const mode = env().PLATFORM_MODE
  env().PLATFORM_MODE = 'production'
  try {
    for (const id of queued) await expect(sendLogoutNotice(id, { lastTry: false })).rejects.toThrow('public address')
    // signing out everywhere doesn't extend the time limit
    await alias('Весь интернет', '0.0.0.0/0')
    await expect(sendLogoutNotice(first, { lastTry: false })).rejects.toThrow('public address')
    expect(heard).toEqual([])
    expect(await logoutRow(first)).toMatchObject({
      status: 'queued',
      attempts: 2,
      error: expect.stringContaining('public'),
    })
    await alias('Серверы приложений', '127.0.0.0/8')
    for (const id of queued.slice(0, 2)) await sendLogoutNotice(id, { lastTry: false })
    expect(heard).toHaveLength(2)
    expect(await logoutRow(first)).toMatchObject({ status: 'sent' })
  } finally {
    env().PLATFORM_MODE = mode
  }
})
