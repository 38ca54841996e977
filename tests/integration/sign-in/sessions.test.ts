import { and, eq } from 'drizzle-orm'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { db } from '@/db/client'
import { history, sessions, users } from '@/db/schema'
import { setUserEnabled } from '@/lib/accounts/users/enable'
import { redis } from '@/lib/base/redis/redis'
import { log } from '@/lib/base/runtime/log'
import { getUserSettings, patchUserSettings } from '@/lib/my-account/settings/contract'
import { buildContext } from '@/lib/request/build'
import { cookieJar } from '@/lib/request/cookies'
import { authLogout } from '@/lib/sign-in/attempts/contract'
import { Browser } from '../../factories/browser'
import { handlerOf } from '../../factories/routes'
import { begin, prove, signedInStatus, signInByPassword, signOut } from '../../factories/sign-in'
import { createUser, password } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

const logout = handlerOf(authLogout)
const changeSettings = handlerOf(patchUserSettings)
const settings = handlerOf(getUserSettings)

useTestDatabase()
afterEach(() => vi.restoreAllMocks())

const contextOf = async (browser: Browser) => {
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const headers = new Headers({ host: browser.host, cookie, 'x-platform-ip': browser.ip })
  return (await buildContext(headers, cookieJar(cookie).cookies)).ctx
}

describe('a session', () => {
  test('gets a new id at each sign-in; the previous one in that browser ends', async () => {
    const user = await createUser()
    const browser = new Browser()
    await signInByPassword(browser, user.login, password)
    const before = browser.copy()
    await signInByPassword(browser, user.login, password)
    expect(browser.cookies.get('platform-session')).not.toBe(before.cookies.get('platform-session'))
    expect(await signedInStatus(browser)).toBe(200)
    expect(await signedInStatus(before)).toBe(401)
  })

  test('ends with sign-out, which may be repeated', async () => {
    const user = await createUser()
    const browser = new Browser()
    await signInByPassword(browser, user.login, password)
    expect(await signedInStatus(browser)).toBe(200)
    const before = browser.copy()
    expect((await signOut(browser)).status).toBe(200)
    expect(browser.cookies.has('platform-session')).toBe(false)
    expect(await signedInStatus(before)).toBe(401)
    expect((await signOut(browser)).status).toBe(200)
    expect(await db().select().from(sessions).where(eq(sessions.userId, user.id))).toMatchObject([
      { endReason: 'signedOut' },
    ])
    const ofSession = and(eq(history.entity, 'sessions'), eq(history.changerId, user.id), eq(history.field, 'ip'))
    expect(await db().select().from(history).where(ofSession)).toMatchObject([{ type: 'delete', previous: before.ip }])
  })

  test('ends at once when the account is disabled', async () => {
    const admin = new Browser()
    await signInByPassword(admin, (await createUser({ roles: ['administrator'] })).login, password)
    const user = await createUser()
    const browser = new Browser()
    await signInByPassword(browser, user.login, password)
    expect(await signedInStatus(browser)).toBe(200)
    await setUserEnabled(await contextOf(admin), { userId: user.id, enabled: false })
    expect(await signedInStatus(browser)).toBe(401)
    const rows = await db().select().from(history).where(eq(history.entityId, user.id))
    expect(rows).toContainEqual(
      expect.objectContaining({ type: 'update', field: 'enabled', previous: true, current: false }),
    )
  })

  test('expires after its idle time and after its lifetime', async () => {
    const user = await createUser()
    for (const changes of [
      { lastAccessAt: new Date(Date.now() - 25 * 3600_000) },
      { expiresAt: new Date(Date.now() - 1000) },
    ]) {
      const browser = new Browser()
      await signInByPassword(browser, user.login, password)
      await db().update(sessions).set(changes).where(eq(sessions.userId, user.id))
      expect(await signedInStatus(browser)).toBe(401)
    }
  })

  test('survives a flushed Redis, and an ended one stays ended', async () => {
    const user = await createUser()
    const [keptBrowser, ended] = [new Browser(), new Browser()]
    await signInByPassword(keptBrowser, user.login, password)
    await signInByPassword(ended, user.login, password)
    const before = ended.copy()
    await signOut(ended)
    await redis().flushdb()
    expect(await signedInStatus(keptBrowser)).toBe(200)
    expect(await signedInStatus(before)).toBe(401)
  })

  test('isn’t given to a forged, foreign or broken cookie', async () => {
    const browser = new Browser()
    for (const value of ['x', 'eyJhbGciOiJub25lIn0..', 'a'.repeat(5000), '%', '']) {
      browser.cookies.set('platform-session', value)
      expect(await signedInStatus(browser)).toBe(401)
    }
  })
})

describe('writes by cookie', () => {
  test('a foreign, cross-site or missing origin is refused and changes nothing', async () => {
    const user = await createUser()
    const browser = new Browser()
    await signInByPassword(browser, user.login, password)
    const foreign: Record<string, string>[] = [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': '' },
      { 'sec-fetch-site': '', origin: 'https://evil.example' },
    ]
    for (const headers of foreign)
      expect(await browser.send(logout, 'POST', { headers })).toMatchObject({
        status: 403,
        body: { code: 'forbiddenOrigin' },
      })
    expect(await signedInStatus(browser)).toBe(200)
    const sameOrigin = { 'sec-fetch-site': '', origin: `http://${browser.host}` }
    expect((await browser.send(logout, 'POST', { headers: sameOrigin })).status).toBe(200)
  })
})

describe('own settings', () => {
  test('keep a consent to cookies that the browser gave before somebody signed in', async () => {
    const consentOf = async (given: boolean) => {
      const user = await createUser()
      const browser = new Browser()
      if (given) browser.cookies.set('cookieConsent', '1')
      await signInByPassword(browser, user.login, password)
      return (await browser.send(settings, 'GET')).body
    }
    expect(await consentOf(true)).toMatchObject({ settings: { cookie: true } })
    expect(await consentOf(false)).toMatchObject({ settings: { cookie: null } })
  })

  test('have the language that somebody chose in the header before they signed in, once', async () => {
    const langOf = async (browser: Browser, chosen?: string) => {
      const user = await createUser()
      if (chosen) browser.cookies.set('chosenLocale', chosen)
      await signInByPassword(browser, user.login, password)
      return ((await browser.send(settings, 'GET')).body.settings as { lang: string | null }).lang
    }
    const browser = new Browser()
    browser.cookies.set('cookieConsent', '1')
    expect(await langOf(browser, 'en')).toBe('en')
    expect(browser.cookies.has('chosenLocale')).toBe(false)
    // the next person in this browser has chosen nothing, and a language that the domain lacks is none
    expect(await langOf(browser)).toBeNull()
    expect(await langOf(new Browser(), 'de')).toBeNull()
    expect(await langOf(new Browser(), "en'; drop table users; --")).toBeNull()
  })

  test('are stored, can be changed in part, and are all refused if one is wrong', async () => {
    const user = await createUser()
    const browser = new Browser()
    await signInByPassword(browser, user.login, password)
    const change = (values: object) => browser.send(changeSettings, 'PATCH', { body: { settings: values } })
    expect((await change({ lang: 'en', pagination: 50 })).body).toEqual({
      settings: {
        lang: 'en',
        navMini: null,
        pagination: 50,
        cookie: null,
        timeZone: null,
        chosenTimeZone: null,
        columns: {},
      },
    })
    await change({ cookie: true })
    for (const [values, field] of [
      [{ pagination: 7, navMini: true }, 'settings.pagination'],
      [{ lang: 'de', navMini: true }, 'settings.lang'],
      [{ userId: user.id, navMini: true }, 'settings.userId'],
    ] as const)
      expect(await change(values)).toMatchObject({ status: 400, body: { data: { errorList: [{ field }] } } })
    expect((await browser.send(settings, 'GET')).body).toEqual({
      settings: {
        lang: 'en',
        navMini: null,
        pagination: 50,
        cookie: true,
        timeZone: null,
        chosenTimeZone: null,
        columns: {},
      },
    })
    expect((await contextOf(browser)).locale).toBe('en')
  })
})

test('no password, hash or token is in an answer, a log line or the history', async () => {
  const lines: unknown[] = []
  for (const level of ['debug', 'info', 'warn', 'error'] as const)
    vi.spyOn(log, level).mockImplementation((...args: unknown[]) => void lines.push(args))
  const user = await createUser()
  const browser = new Browser()
  const answers = [
    await begin(browser, user.login),
    await prove(browser, user.login, { password: `${password}!` }),
    await prove(browser, user.login, { password }),
  ]
  const [row] = await db().select().from(users).where(eq(users.id, user.id))
  const everything = JSON.stringify([answers.map(({ body }) => body), lines, await db().select().from(history)])
  for (const secret of [password, row?.passwordHash ?? '', ...browser.cookies.values()]) {
    expect(secret.length).toBeGreaterThan(8)
    expect(everything).not.toContain(secret)
  }
  expect(lines.length).toBeGreaterThan(0)
  expect(JSON.stringify(lines)).not.toContain(user.login)
})
