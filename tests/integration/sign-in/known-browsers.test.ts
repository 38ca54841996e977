import { eq } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { db } from '@/db/client'
import { sessions, users } from '@/db/schema'
import { redis } from '@/lib/base/redis/redis'
import { wrongByAccount } from '@/lib/sign-in/codes/limits'
import { Browser } from '../../factories/browser'
import { askedBy, codeUser, enter, forgetAsked, wrong } from '../../factories/codes'
import { signInByPassword, signOut } from '../../factories/sign-in'
import { password } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

beforeEach(async () => {
  await redis().flushdb()
})

type User = Awaited<ReturnType<typeof codeUser>>

/** An account whose codes are blocked for all browsers but those that it knows. */
async function resting(): Promise<User> {
  const user = await codeUser()
  for (let n = 0; n < wrongByAccount.perDay; n++) {
    await forgetAsked()
    const stranger = new Browser()
    await enter(stranger, user.login, wrong(await askedBy(stranger, user)))
  }
  return user
}

/** A browser in which the account signed in and out. */
async function browserOf(user: User) {
  const browser = new Browser()
  expect((await signInByPassword(browser, user.login, password)).status).toBe(200)
  await signOut(browser)
  return browser
}

async function isKnown(user: User, browser: Browser) {
  await forgetAsked()
  const { status } = await enter(browser, user.login, await askedBy(browser, user))
  if (status === 200) await signOut(browser)
  return status === 200
}

test('limits of an account don’t apply in a browser that has signed in to it', async () => {
  const user = await resting()
  const ownBrowser = await browserOf(user)
  expect(await isKnown(user, ownBrowser)).toBe(true)
  expect(await isKnown(user, new Browser())).toBe(false)
})

test('a new password makes all browsers unknown, so a former attacker keeps no advantage', async () => {
  const user = await resting()
  const stolenBrowser = await browserOf(user)
  await db().update(users).set({ passwordChangedAt: new Date() }).where(eq(users.id, user.id))
  expect(await isKnown(user, stolenBrowser)).toBe(false)
  expect(await isKnown(user, await browserOf(user))).toBe(true)
})

test.each(['endedByUser', 'passwordChanged', 'disabled'])(
  'a browser whose session was ended from elsewhere (%s) becomes unknown',
  async (endReason) => {
    const user = await resting()
    const stolenBrowser = await browserOf(user)
    await db().update(sessions).set({ endReason }).where(eq(sessions.userId, user.id))
    expect(await isKnown(user, stolenBrowser)).toBe(false)
  },
)

test('only the last ten browsers are known', async () => {
  const user = await resting()
  const browsers: Browser[] = []
  for (let n = 0; n < 12; n++) browsers.push(await browserOf(user))
  expect(await isKnown(user, browsers[0] as Browser)).toBe(false)
  expect(await isKnown(user, browsers[1] as Browser)).toBe(false)
  expect(await isKnown(user, browsers[2] as Browser)).toBe(true)
  expect(await isKnown(user, browsers[11] as Browser)).toBe(true)
})
