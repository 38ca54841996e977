import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { history, providers, sessions } from '@/db/schema'
import { redis } from '@/lib/base/redis/redis'
import { reportDevice } from '@/lib/my-account/device/contract'
import type { Session } from '@/lib/sign-in/own-sessions/contract'
import { endSession, endSessions, listSessions } from '@/lib/sign-in/own-sessions/contract'
import { Browser } from '../../factories/browser'
import { handlerOf } from '../../factories/routes'
import { setSetting } from '../../factories/settings'
import { signedInStatus, signInByPassword } from '../../factories/sign-in'
import { createUser, password } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

const report = handlerOf(reportDevice)
const endOne = handlerOf(endSession)
const endAll = handlerOf(endSessions)
const GET = handlerOf(listSessions)

useTestDatabase()

const phone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1'

/** A person signed in with several browsers, the first of them named first. */
async function signedInAt(count: number, agents: string[] = []) {
  const user = await createUser()
  const browsers = Array.from({ length: count }, (_, n) => new Browser(undefined, undefined, agents[n]))
  for (const browser of browsers) await signInByPassword(browser, user.login, password)
  return { user, browsers: browsers as [Browser, Browser, ...Browser[]] }
}
const list = async (browser: Browser, query: Record<string, string> = {}) => {
  const { status, body } = await browser.send(GET, 'GET', { query })
  expect(status, JSON.stringify(body)).toBe(200)
  return body as { sessions: Session[]; meta: { total: number } }
}
const currentOf = async (browser: Browser) => {
  const [current] = (await list(browser)).sessions
  if (!current?.current) throw new Error('this session is not first')
  return current
}
const end = (browser: Browser, sessionId: string) => browser.send(endOne, 'DELETE', { params: { sessionId } })

describe('the list of sessions', () => {
  test('has only the person’s own, this one first and marked, with device, address and times', async () => {
    await signedInAt(1)
    const { browsers } = await signedInAt(3, [undefined as never, phone])
    const [desk, mobile] = browsers
    const { sessions: rows, meta } = await list(mobile)
    expect(meta.total).toBe(3)
    expect(rows.map(({ current }) => current)).toEqual([true, false, false])
    expect(rows[0]).toMatchObject({
      ip: mobile.ip,
      provider: null,
      device: { browser: 'Safari 18', system: expect.stringContaining('iOS'), type: 'mobile', displaySize: null },
    })
    expect((await currentOf(desk)).device).toMatchObject({ browser: 'Chrome 140', type: 'desktop' })
    const [{ start = '', expiry = '', lastAccess = '' } = {}] = rows
    expect(Date.parse(expiry) - Date.parse(lastAccess)).toBe(24 * 3600_000)
    expect(Date.parse(lastAccess)).toBeGreaterThanOrEqual(Date.parse(start))
  })

  test('omits ended, expired and unused ones', async () => {
    const { user, browsers } = await signedInAt(4)
    const [here] = browsers
    const others = (await list(here)).sessions.filter(({ current }) => !current).map(({ id }) => id)
    const past = new Date(Date.now() - 25 * 3600_000)
    const changes = [{ endedAt: past }, { expiresAt: past }, { lastAccessAt: past }]
    for (const [n, id] of others.entries())
      await db()
        .update(sessions)
        .set(changes[n] ?? {})
        .where(eq(sessions.id, id))
    expect((await list(here)).sessions).toHaveLength(1)
    expect(await db().$count(sessions, eq(sessions.userId, user.id))).toBe(4)
  })

  test('shows the earlier of its lifetime and its idle time as the end, and names the directory', async () => {
    const { user, browsers } = await signedInAt(1)
    const [provider] = await db()
      .insert(providers)
      .values({ type: 'keycloak', name: 'Каталог', url: 'https://idp.example', clientId: 'x', clientSecret: 'x' })
      .returning()
    const expiresAt = new Date(Date.now() + 3600_000)
    await db().update(sessions).set({ expiresAt, providerId: provider?.id }).where(eq(sessions.userId, user.id))
    expect(await currentOf(browsers[0])).toMatchObject({ expiry: expiresAt.toISOString(), provider: 'Каталог' })
  })
})

describe('ending sessions', () => {
  test('one: its cookie is refused at once, the others stay, and the history records it', async () => {
    const { user, browsers } = await signedInAt(3)
    const [here, there, elsewhere] = browsers as [Browser, Browser, Browser]
    const { id } = await currentOf(there)
    // as Redis caches it for a minute
    expect(await signedInStatus(there)).toBe(200)
    expect(await end(here, id)).toMatchObject({ status: 200, body: { ended: 1, current: false } })
    expect(await signedInStatus(there)).toBe(401)
    expect(await redis().get(`principal:${id}`)).toBe('ended')
    await redis().flushdb()
    expect(await signedInStatus(there)).toBe(401)
    expect([await signedInStatus(here), await signedInStatus(elsewhere)]).toEqual([200, 200])
    const rows = await db().select().from(history).where(eq(history.entityId, id)).orderBy(history.id)
    expect(rows).toMatchObject([
      { type: 'delete', entity: 'sessions', field: 'browser', previous: 'Chrome 140', changerId: user.id },
      { field: 'system' },
      { field: 'ip', previous: there.ip },
    ])
    expect(await end(here, id)).toMatchObject({ status: 404 })
  })

  test('this one: the cookie is removed too', async () => {
    const { browsers } = await signedInAt(1)
    const [here] = browsers
    const before = here.copy()
    const { id } = await currentOf(here)
    expect(await end(here, id)).toMatchObject({ status: 200, body: { ended: 1, current: true } })
    expect(here.cookies.has('platform-session')).toBe(false)
    expect(await signedInStatus(before)).toBe(401)
  })

  test('another person’s or an unknown one: 404, and nothing changes', async () => {
    const { browsers } = await signedInAt(1)
    const { browsers: others } = await signedInAt(1)
    const { id } = await currentOf(others[0])
    for (const sessionId of [id, crypto.randomUUID()])
      expect(await end(browsers[0], sessionId)).toMatchObject({ status: 404, body: { code: 'notFound' } })
    expect(await signedInStatus(others[0])).toBe(200)
  })

  test('all others: this one stays; all: this one ends too', async () => {
    const { user, browsers } = await signedInAt(3)
    const { browsers: strangers } = await signedInAt(1)
    const [here, ...others] = browsers
    const before = here.copy()
    expect(await here.send(endAll, 'DELETE', { query: { current: 'false' } })).toMatchObject({
      body: { ended: 2, current: false },
    })
    for (const other of others) expect(await signedInStatus(other)).toBe(401)
    expect(await signedInStatus(here)).toBe(200)
    await signInByPassword(others[0] as Browser, user.login, password)
    expect(await here.send(endAll, 'DELETE')).toMatchObject({ status: 200, body: { ended: 2, current: true } })
    expect(here.cookies.has('platform-session')).toBe(false)
    expect([await signedInStatus(before), await signedInStatus(others[0] as Browser)]).toEqual([401, 401])
    expect(await signedInStatus(strangers[0])).toBe(200)
  })

  test('an expired one: 404, and no row in the history', async () => {
    const { browsers } = await signedInAt(2)
    const [desk, other] = browsers
    const { id } = await currentOf(other)
    await db()
      .update(sessions)
      .set({ expiresAt: new Date(Date.now() - 1000) })
      .where(eq(sessions.id, id))
    expect((await end(desk, id)).status).toBe(404)
    expect(await db().select().from(history).where(eq(history.entityId, id))).toEqual([])
  })

  test('one by many at once: it ends once', async () => {
    const { browsers } = await signedInAt(2)
    const { id } = await currentOf(browsers[1])
    const answers = await Promise.all(Array.from({ length: 10 }, () => end(browsers[0].copy(), id)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(404)])
  })
})

describe('the screen of a session', () => {
  const display = { displaySize: '1920x1080', displayWindowSize: '1440x900', displayZoom: 1.25 }
  const tell = (browser: Browser, body: object) => browser.send(report, 'POST', { body })

  test('is stored for this session alone, and shown once', async () => {
    const { browsers } = await signedInAt(2)
    const [here, there] = browsers
    expect((await tell(here, display)).status).toBe(200)
    const session = await currentOf(here)
    expect(session.device).toMatchObject(display)
    expect((await currentOf(there)).device).toMatchObject({ displaySize: null, displayZoom: null })
    await tell(here, display)
    expect((await currentOf(here)).update).toBe(session.update)
  })

  test('is refused if it is invalid', async () => {
    const { browsers } = await signedInAt(1)
    for (const [wrong, field] of [
      [{ displaySize: '1920' }, 'displaySize'],
      [{ displaySize: '<b>x1' }, 'displaySize'],
      [{ displayWindowSize: '0x900' }, 'displayWindowSize'],
      [{ displayZoom: 99 }, 'displayZoom'],
      [{ displayZoom: '1' }, 'displayZoom'],
    ] as const)
      expect(await tell(browsers[0], { ...display, ...wrong })).toMatchObject({
        status: 400,
        body: { data: { errorList: [{ field }] } },
      })
  })
})

test('a shorter idle time shortens the end that the list shows', async () => {
  const { browsers } = await signedInAt(1)
  await setSetting('sessionIdleAlive', { value: 30, unit: 'minutes' })
  const { expiry, lastAccess } = await currentOf(browsers[0])
  expect(Date.parse(expiry) - Date.parse(lastAccess)).toBe(30 * 60_000)
})
