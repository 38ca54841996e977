import { count, eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { dailyCounters, messages, sessions } from '@/db/schema'
import { authCode } from '@/lib/sign-in/attempts/contract'
import { Browser } from '../../factories/browser'
import { runJobs } from '../../factories/messages'
import { takeRedisAway } from '../../factories/redis-away'
import { handlerOf } from '../../factories/routes'
import { begin, prove, signedInStatus, signInByPassword, signOut } from '../../factories/sign-in'
import { createRole, createUser, password } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

const code = handlerOf(authCode)

useTestDatabase()

let bringBack: () => void

/** People who signed in before Redis became unavailable. */
const before = new Browser()
let user: Awaited<ReturnType<typeof createUser>>

beforeAll(async () => {
  user = await createUser()
  await signInByPassword(before, user.login, password)
  bringBack = takeRedisAway()
})
afterAll(() => bringBack())

describe('without Redis', () => {
  test('people stay signed in, and signing out works', async () => {
    expect(await signedInStatus(before)).toBe(200)
    const copy = before.copy()
    expect((await signOut(before)).status).toBe(200)
    expect(await signedInStatus(copy)).toBe(401)
  })

  test('people who sign out while it is unavailable stay signed out', async () => {
    const browser = new Browser()
    bringBack()
    await signInByPassword(browser, (await createUser()).login, password)
    // stored in Redis from here on
    expect(await signedInStatus(browser)).toBe(200)
    bringBack = takeRedisAway()
    const copy = browser.copy()
    expect((await signOut(browser)).status).toBe(200)
    bringBack()
    expect(await signedInStatus(copy)).toBe(401)
    bringBack = takeRedisAway()
  })

  test('passwords sign in', async () => {
    const browser = new Browser()
    expect((await signInByPassword(browser, user.login, password)).status).toBe(200)
    expect(await signedInStatus(browser)).toBe(200)
    expect((await db().select({ rows: count() }).from(sessions).where(eq(sessions.userId, user.id)))[0]?.rows).toBe(2)
  })

  test('limits apply, more strictly', async () => {
    const target = await createUser()
    const statuses = []
    for (let n = 0; n < 3; n++) statuses.push((await signInByPassword(new Browser(), target.login, 'wrong')).status)
    expect(statuses).toEqual([400, 400, 429])
  })

  test('codes answer 503 and aren’t counted; the other flows work', async () => {
    const role = await createRole({ firstFactor: ['email_code', 'credentials'] })
    const coded = await createUser({ roles: [role] })
    const browser = new Browser()
    expect((await begin(browser, coded.login)).body).toEqual({ flows: ['email_code', 'credentials'], resendIn: 0 })
    const body = { flow: 'email_code', login: coded.login }
    const asked = await browser.send(code, 'POST', { params: { idAttribute: 'login' }, body })
    expect(asked).toMatchObject({ status: 503, body: { code: 'unavailable' } })
    expect(Number(asked.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await prove(browser, coded.login, { flow: 'email_code', code: '1234' })).status).toBe(503)
    await runJobs()
    expect(await db().select().from(messages).where(eq(messages.recipient, coded.email))).toEqual([])
    expect(await db().select().from(dailyCounters)).toEqual([])
    expect((await prove(browser, coded.login, { password })).status).toBe(200)
  })
})
