import { eq, sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { users } from '@/db/schema'
import { redis } from '@/lib/base/redis/redis'
import { tidySignIn } from '@/lib/sign-in/attempts/housekeeping'
import { failuresInRow } from '@/lib/sign-in/factors/queries'
import { Browser } from '../../factories/browser'
import { askedBy, codeUser, enter } from '../../factories/codes'
import { lastMessageTo } from '../../factories/messages'
import { eachRound } from '../../factories/random-cases'
import { recoveryLink, setByLink } from '../../factories/recovery'
import { withoutRedis } from '../../factories/redis-away'
import { signedInStatus, signInByPassword, signOut } from '../../factories/sign-in'
import { createUser, password } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

beforeEach(() => redis().flushdb())

type Kind = 'login' | 'email' | 'mobile'
const kinds: Kind[] = ['login', 'email', 'mobile']
const fail = (identifier: string, kind: Kind = 'login', browser = new Browser()) =>
  signInByPassword(browser, identifier, 'wrong', kind)
const wrongPassword = { status: 400, body: { code: 'signInFailed', data: { errorList: [{ field: 'password' }] } } }
const failures = async (userId: string) =>
  (
    await db().execute<{ count: number }>(
      sql`select count from password_failures where user_id = ${userId} order by key`,
    )
  ).rows.map(({ count }) => count)
const setFailures = (userId: string, count: number) =>
  db().execute(sql`update password_failures set count = ${count} where user_id = ${userId}`)

describe('wrong passwords are counted for the typed identifier', () => {
  test('four by login and one by e-mail are answered alike for one account, two, and none', async () => {
    const [one, two] = [await createUser(), await createUser()]
    const answers = []
    for (const [login, email] of [
      [one.login, one.email],
      [one.login, two.email],
      ['nobody.of.this.name', 'nobody.of.this.name@polaris.example'],
    ] as const) {
      await redis().flushdb()
      const statuses = []
      for (let n = 0; n < 4; n++) statuses.push((await fail(login)).status)
      statuses.push((await fail(email, 'email')).status, (await fail(login)).status)
      answers.push(statuses)
    }
    expect(answers).toEqual(Array(3).fill([400, 400, 400, 400, 400, 429]))
  })
})

describe('and silently for the account', () => {
  test('a slowed account answers as to a wrong password under any identifier, also to the right one', async () => {
    const user = await createUser()
    for (let n = 0; n < 4; n++) await fail(user.login)
    const browser = new Browser()
    expect(await signInByPassword(browser, user.email, password, 'email')).toMatchObject(wrongPassword)
    expect(await signedInStatus(browser)).toBe(401)
    expect((await signInByPassword(new Browser(), (await createUser()).login, password)).status).toBe(200)
  })

  test('of 30 guesses at once by all identifiers, no more are checked than the account allows', async () => {
    const user = await createUser()
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, n) => {
        const kind = kinds[n % 3] ?? 'login'
        return fail(user[kind], kind)
      }),
    )
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(12)
    expect(await failures(user.id)).toEqual([4])
  })

  test('a try that came too early isn’t counted', async () => {
    const user = await createUser()
    for (let n = 0; n < 30; n++) await fail(user.login)
    expect(await failures(user.id)).toEqual([4])
    // ten seconds pass
    await redis().del(await redis().keys('limit:password-*:0:*'))
    const statuses = []
    for (let n = 0; n < 4; n++) statuses.push((await fail(user.login)).status)
    expect(statuses).toEqual([400, 400, 400, 429])
    expect(await failures(user.id)).toEqual([7])
  })
})

describe('after 100 failures in a row', () => {
  /** An account one failure before its password flow closes. */
  async function almostClosed(user: Awaited<ReturnType<typeof createUser>>) {
    await fail(user.login)
    await setFailures(user.id, failuresInRow - 1)
    await redis().flushdb()
    return user
  }
  async function closed(user: Awaited<ReturnType<typeof createUser>>) {
    await almostClosed(user)
    await fail(user.login)
    await redis().flushdb()
    expect(await signInByPassword(new Browser(), user.login, password)).toMatchObject(wrongPassword)
    return user
  }

  test('the password flow stays closed, also when Redis is flushed and days pass', async () => {
    const user = await closed(await createUser())
    await fail('nobody.of.old')
    await db().execute(sql`update password_failures set last_at = last_at - interval '90 days'`)
    await tidySignIn(new Date())
    const { rows } = await db().execute(sql`select user_id from password_failures where user_id is null`)
    expect(rows).toEqual([])
    await redis().flushdb()
    expect(await signInByPassword(new Browser(), user.email, password, 'email')).toMatchObject(wrongPassword)
  })

  test('but not after 99, and the right password resets the count', async () => {
    const user = await almostClosed(await createUser())
    expect((await signInByPassword(new Browser(), user.login, password)).status).toBe(200)
    expect(await failures(user.id)).toEqual([])
  })

  test('a right password together with the hundredth failure signs in first or not at all', async () => {
    for (const _ of eachRound(10)) {
      const user = await almostClosed(await createUser())
      const [right] = await Promise.all([
        signInByPassword(new Browser(), user.login, password),
        fail(user.email, 'email'),
        fail(user.mobile, 'mobile'),
      ])
      const [count = 0] = await failures(user.id)
      if (right.status === 200) expect(count).toBeLessThan(failuresInRow)
      else expect(right).toMatchObject(wrongPassword)
    }
  })

  test('a code opens the flow', async () => {
    const user = await closed(await codeUser(['credentials', 'email_code']))
    const browser = new Browser()
    expect((await enter(browser, user.login, await askedBy(browser, user))).status).toBe(200)
    expect((await signInByPassword(new Browser(), user.login, password)).status).toBe(200)
  })

  test('a recovery opens the flow', async () => {
    const user = await closed(await createUser())
    await fail(user.login)
    const browser = new Browser()
    await setByLink(browser, await recoveryLink(browser, user), 'Severnyj-veter-41')
    expect((await signInByPassword(new Browser(), user.login, 'Severnyj-veter-41')).status).toBe(200)
  })

  test('the flow stays open in a known browser, whose failures are counted separately', async () => {
    const user = await createUser()
    const ownBrowser = new Browser()
    await signInByPassword(ownBrowser, user.login, password)
    await signOut(ownBrowser)
    await closed(user)
    for (let n = 0; n < 6; n++) await fail(user.login)
    expect((await fail(user.login, 'login', ownBrowser)).status).toBe(400)
    expect(await failures(user.id)).toEqual([failuresInRow, 1])
    expect((await signInByPassword(ownBrowser, user.login, password)).status).toBe(200)
    await signOut(ownBrowser)
    // for strangers it stays closed
    await redis().flushdb()
    expect(await signInByPassword(new Browser(), user.login, password)).toMatchObject(wrongPassword)
    expect((await signInByPassword(ownBrowser, user.login, password)).status).toBe(200)
  })

  test('a failure does the same work for an unknown identifier', async () => {
    for (let n = 0; n < 3; n++) await fail('nobody.fails.here')
    const { rows } = await db().execute(sql`select count, user_id from password_failures where user_id is null`)
    expect(rows).toContainEqual({ count: 3, user_id: null })
  })
})

test('without Redis the account is still counted silently, with half the limit', async () => {
  const user = await createUser()
  await withoutRedis(async () => {
    expect((await fail(user.login)).status).toBe(400)
    expect((await fail(user.email, 'email')).status).toBe(400)
    expect(await signInByPassword(new Browser(), user.mobile, password, 'mobile')).toMatchObject(wrongPassword)
  })
  expect(await failures(user.id)).toEqual([2])
})

test('the real person, attacked by every identifier, can sign in by a code, by each of them after recovery, and in a known browser (docs/quality.md#s5)', async () => {
  const user = await codeUser(['credentials', 'email_code'])
  const ownBrowser = new Browser()
  await signInByPassword(ownBrowser, user.login, password)
  await signOut(ownBrowser)
  await db().update(users).set({ passwordHash: user.passwordHash }).where(eq(users.id, user.id))
  for (let n = 0; n < 18; n++) {
    const kind = kinds[n % 3] ?? 'login'
    await fail(user[kind], kind)
  }
  expect((await signInByPassword(new Browser(), user.login, password)).status).not.toBe(200)
  expect((await signInByPassword(ownBrowser, user.login, password)).status).toBe(200)
  const elsewhere = new Browser()
  expect((await enter(elsewhere, user.login, await askedBy(elsewhere, user))).status).toBe(200)
  await setByLink(new Browser(), await recoveryLink(new Browser(), user), 'Severnyj-veter-41')
  expect((await lastMessageTo(user.email))?.template).toBe('passwordChanged')
  for (const kind of kinds)
    expect((await signInByPassword(new Browser(), user[kind], 'Severnyj-veter-41', kind)).status, kind).toBe(200)
  expect((await signInByPassword(new Browser(), user.email, password, 'email')).status).toBe(400)
})
