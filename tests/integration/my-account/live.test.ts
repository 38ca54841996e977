import { eq } from 'drizzle-orm'
import pg from 'pg'
import { afterEach, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { sessions } from '@/db/schema'
import { setUserEnabled } from '@/lib/accounts/users/enable'
import { subscribe } from '@/lib/base/cache/live-events'
import { redis } from '@/lib/base/redis/redis'
import { readNotices as readNoticesCall } from '@/lib/news/notifications/contract'
import { noticeWriter } from '@/lib/news/notifications/write'
import { buildContext } from '@/lib/request/build'
import { cookieJar } from '@/lib/request/cookies'
import { liveRoute as live } from '@/lib/request/live'
import { endSessions, listSessions } from '@/lib/sign-in/own-sessions/contract'
import { signedInWith } from '../../factories/access'
import { Browser } from '../../factories/browser'
import { handlerOf } from '../../factories/routes'
import { signedInStatus, signInByPassword, signOut } from '../../factories/sign-in'
import { createUser, password } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'
import { eventually } from '../../setup/eventually'

const readNotices = handlerOf(readNoticesCall)
const endAll = handlerOf(endSessions)
const list = handlerOf(listSessions)

useTestDatabase()

const cookieOf = (browser: Browser) => [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
const opened: AbortController[] = []
afterEach(() => {
  for (const page of opened.splice(0)) page.abort()
})

/** Opens a page's stream: the events that it got, the response, and a promise of its end. */
async function open(browser: Browser) {
  const leaving = new AbortController()
  opened.push(leaving)
  const request = new Request(`http://${browser.host}/`, {
    headers: { host: browser.host, cookie: cookieOf(browser), accept: 'text/event-stream' },
    signal: leaving.signal,
  })
  const response = await live(request, { params: Promise.resolve({}) })
  const streamParts: string[] = []
  const read = async () => {
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
      if (done) return
      streamParts.push(...(value ?? '').split('\n\n').filter(Boolean))
    }
  }
  const over = response.status === 200 ? read() : Promise.resolve()
  return { response, told: streamParts, over, leave: () => leaving.abort() }
}
const ended = (reason: string) => `event: session-ended\ndata: {"reason":"${reason}"}`

async function signedIn(count = 1) {
  const user = await createUser()
  const browsers = Array.from({ length: count }, () => new Browser())
  for (const browser of browsers) await signInByPassword(browser, user.login, password)
  return { user, browsers: browsers as [Browser, Browser] }
}

describe('an open page', () => {
  test('gets a greeting without buffering, and one event when its session ends', async () => {
    const { browsers } = await signedIn(2)
    const [here, there] = browsers
    const [page, other] = await Promise.all([open(there), open(here)])
    expect(page.response.status).toBe(200)
    expect(page.response.headers.get('content-type')).toMatch(/^text\/event-stream/)
    expect(page.response.headers.get('cache-control')).toBe('no-store, no-transform')
    await eventually(() => expect(page.told.join()).toContain('event: beat'))
    await here.send(endAll, 'DELETE', { query: { current: 'false' } })
    await page.over
    expect(page.told.filter((line) => line.includes('session-ended'))).toEqual([ended('endedByUser')])
    expect(other.told.join()).not.toContain('session-ended')
  })

  test('gets an event for every way in which a session ends', async () => {
    const ways: [string, (browser: Browser, userId: string, login: string) => Promise<unknown>][] = [
      ['signedOut', (browser) => signOut(browser.copy())],
      ['replaced', (browser, _, login) => signInByPassword(browser.copy(), login, password)],
      [
        'disabled',
        async (_, userId) => {
          const { browser: admin } = await signedInWith(['users.read', 'users.write'])
          const headers = new Headers({ host: admin.host, cookie: cookieOf(admin) })
          const { ctx } = await buildContext(headers, cookieJar(cookieOf(admin)).cookies)
          await setUserEnabled(ctx, { userId, enabled: false })
        },
      ],
      [
        'expired',
        async (browser, userId) => {
          await db()
            .update(sessions)
            .set({ expiresAt: new Date(0) })
            .where(eq(sessions.userId, userId))
          await redis().flushdb()
          await signedInStatus(browser)
        },
      ],
    ]
    for (const [reason, end] of ways) {
      const { user, browsers } = await signedIn()
      const page = await open(browsers[0])
      await end(browsers[0], user.id, user.login)
      await page.over
      expect(page.told.at(-1), reason).toBe(ended(reason))
    }
  })

  test('hears once that the person has a notice, and once that it was read; another person’s page hears nothing', async () => {
    const { user, browsers } = await signedIn(2)
    const stranger = await signedIn()
    const pages = await Promise.all([...browsers, stranger.browsers[0]].map(open))
    const heard = () => pages.map(({ told }) => told.filter((line) => line.includes('notices-changed')).length)
    const data = { userId: user.id, device: '', ip: '' }
    const event = { name: 'deviceUsed' as const, data, changerId: null, requestId: 'test', date: new Date() }
    const info = { id: 1, attempt: 1, signal: new AbortController().signal }
    // the second delivery of the same event says nothing
    for (const _ of [1, 2]) await noticeWriter('deviceUsed')(event, info)
    await eventually(() => expect(heard()).toEqual([1, 1, 0]))
    for (const _ of [1, 2]) await browsers[0].send(readNotices, 'POST', { body: {} })
    await eventually(() => expect(heard()).toEqual([2, 2, 0]))
  })

  test('whose session ended before it could listen is notified at once', async () => {
    const { browsers } = await signedIn()
    // Redis still caches it as valid, because it was checked a moment ago
    await signedInStatus(browsers[0])
    await db().update(sessions).set({ endedAt: new Date() })
    const page = await open(browsers[0])
    await page.over
    expect(page.told.at(-1)).toBe(ended('ended'))
  })

  test('leaves nothing behind, and a session can have only a limited number of streams', async () => {
    const { browsers } = await signedIn()
    const pages = await Promise.all(Array.from({ length: 8 }, () => open(browsers[0])))
    expect(pages.map(({ response }) => response.status)).toEqual(Array(8).fill(200))
    const refused = await open(browsers[0])
    expect(refused.response.status).toBe(503)
    expect(Number(refused.response.headers.get('retry-after'))).toBeGreaterThan(0)
    for (const { leave, over } of pages) {
      leave()
      await over
    }
    expect((await open(browsers[0])).response.status).toBe(200)
  })

  test('of one person takes no more places than theirs, with however many sessions', async () => {
    const { user } = await signedIn()
    const subscriptions: ((() => void) | null)[] = []
    for (let session = 0; session < 12; session++)
      for (let stream = 0; stream < 4; stream++)
        subscriptions.push(
          await subscribe({ userId: user.id, sessionId: `s${session}`, send: () => {}, close: () => {} }),
        )
    expect(subscriptions.map(Boolean)).toEqual([...Array(40).fill(true), ...Array(8).fill(false)])
    const other = await signedIn()
    expect((await open(other.browsers[0])).response.status).toBe(200)
    subscriptions[0]?.()
    const again = await subscribe({ userId: user.id, sessionId: 's99', send: () => {}, close: () => {} })
    expect(again).not.toBeNull()
    for (const leave of [...subscriptions, again]) leave?.()
  })

  test('recovers when the connection for events is lost', async () => {
    const { browsers } = await signedIn()
    const page = await open(browsers[0])
    await db().execute(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'platform notifications' and datname = current_database()`,
    )
    await page.over
    const again = await open(browsers[0])
    expect(again.response.status).toBe(200)
    await signOut(browsers[0].copy())
    await again.over
    expect(again.told.at(-1)).toBe(ended('signedOut'))
  })

  test('receives events of another process', async () => {
    const { browsers } = await signedIn()
    const page = await open(browsers[0])
    const [{ id = '', userId = '' } = {}] = (await db().select().from(sessions).orderBy(sessions.createdAt)).slice(-1)
    const client = new pg.Client(process.env.DATABASE_URL)
    await client.connect()
    await client.query(`select pg_notify('platform_live', $1)`, [
      JSON.stringify({ userId, sessionId: id, event: 'session-ended', data: { reason: 'endedByUser' } }),
    ])
    await client.end()
    await page.over
    expect(page.told.at(-1)).toBe(ended('endedByUser'))
  })
})

describe('a page that asks the server from time to time', () => {
  const ask = (browser: Browser) => browser.send(live, 'GET', { headers: { accept: 'application/json' } })

  test('learns that the session is valid, and that it has ended', async () => {
    const { browsers } = await signedIn()
    const before = browsers[0].copy()
    expect(await ask(browsers[0])).toMatchObject({ status: 200, body: {} })
    await signOut(browsers[0])
    expect(await ask(before)).toMatchObject({ status: 401, body: { code: 'unauthorized' } })
    expect((await open(before)).response.status).toBe(401)
  })

  test('doesn’t prolong the session, and doesn’t count as an access', async () => {
    const { user, browsers } = await signedIn()
    const at = new Date(Date.now() - 2 * 3600_000)
    await db().update(sessions).set({ lastAccessAt: at }).where(eq(sessions.userId, user.id))
    await redis().flushdb()
    expect((await ask(browsers[0])).status).toBe(200)
    await open(browsers[0])
    const lastAccess = async () =>
      (await db().select().from(sessions).where(eq(sessions.userId, user.id)))[0]?.lastAccessAt
    expect(await lastAccess()).toEqual(at)
    // and the forged event doesn't hide a true one
    expect((await browsers[0].send(list, 'GET')).status).toBe(200)
    expect((await lastAccess())?.getTime()).toBeGreaterThan(at.getTime())
  })
})
