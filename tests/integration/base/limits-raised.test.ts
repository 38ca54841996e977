import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { settings } from '@/db/schema'
import { dropCached } from '@/lib/base/cache/cache'
import { redis } from '@/lib/base/redis/redis'
import { Browser } from '../../factories/browser'
import { ask, askedBy, codeUser, enter, forgetAsked, passResend, wrong } from '../../factories/codes'
import { caseNumbers, eachRound } from '../../factories/random-cases'
import { askForLink } from '../../factories/recovery'
import { askLink, newEmail } from '../../factories/registration'
import { setSetting } from '../../factories/settings'
import { begin } from '../../factories/sign-in'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

beforeEach(() => forgetAsked())
afterEach(async () => {
  await db().delete(settings)
  dropCached('settings')
})

const random = caseNumbers(31)

const setResend = (seconds: number) => setSetting('authCodeResendAlive', { value: seconds, unit: 'seconds' })

/** What is asked for until a daily limit stops it, how often that is by a setting, and the code of the refusal. */
const kinds = [
  {
    setting: 'authCodeDailyLimit',
    refusal: 'codeDailyLimit',
    asking: async () => {
      const { login } = await codeUser()
      const browser = new Browser()
      await begin(browser, login)
      return () => ask(browser, login)
    },
  },
  {
    setting: 'passwordRefreshAttempts',
    refusal: 'recoveryDailyLimit',
    asking: async () => {
      const email = newEmail()
      return () => askForLink(new Browser(), email)
    },
  },
  {
    setting: 'authCodeDailyLimit',
    refusal: 'registrationEmailLimit',
    asking: async () => {
      const email = newEmail()
      return () => askLink(new Browser('localhost:3000', `10.7.${random(250)}.${random(250)}`), email)
    },
  },
  {
    setting: 'registrationsPerIp',
    refusal: 'registrationDailyLimit',
    asking: async () => {
      const browser = new Browser('localhost:3000', `2001:db8:${random(0xffff).toString(16)}::1`)
      return () => askLink(browser, newEmail())
    },
  },
] as const

describe('a limit that is raised counts at once, also for who is stopped already', () => {
  test.each(kinds)('$refusal by $setting', async ({ setting, refusal, asking }) => {
    for (const _ of eachRound(5)) {
      await forgetAsked()
      const once = await asking()
      let limit = 1 + random(3)
      let sent = 0
      for (let raise = 0; raise < 3; raise++) {
        await setSetting(setting, limit)
        for (let n = 0; n < 10; n++) {
          await passResend()
          const { status, body } = await once()
          if (status === 200) sent++
          else expect([status, body.code]).toEqual([429, refusal])
        }
        expect(sent).toBe(limit)
        limit += 1 + random(3)
      }
      // one that is lowered again stops at once
      await setSetting(setting, sent)
      await passResend()
      expect((await once()).status).toBe(429)
    }
  })

  test('authCodeResendAlive, when it is shortened: in the answer, on the page, and for the next code', async () => {
    await setResend(540)
    const { login } = await codeUser()
    const browser = new Browser()
    await begin(browser, login)
    expect((await ask(browser, login)).body.resendIn).toBe(540)
    expect((await ask(browser, login)).body.resendIn).toBeGreaterThan(530)
    await setResend(300)
    const half = Number((await ask(browser, login)).body.resendIn)
    expect(half).toBeLessThanOrEqual(300)
    expect(half).toBeGreaterThan(290)
    // a longer one is for the next code
    await setResend(580)
    expect((await ask(browser, login)).body.resendIn).toBeLessThanOrEqual(540)
    for (const key of await redis().keys('code-resend:*')) await redis().expire(key, 500)
    await setResend(30)
    expect((await begin(browser, login)).body.resendIn).toBe(0)
    expect((await ask(browser, login)).body.resendIn).toBe(30)
  })

  test('authCodeAttempts, for a code that was entered wrongly too often', async () => {
    await setSetting('authCodeAttempts', 2)
    const user = await codeUser()
    const browser = new Browser()
    const right = await askedBy(browser, user)
    for (let n = 0; n < 5; n++) await enter(browser, user.login, wrong(right))
    expect((await enter(browser, user.login, right)).body.code).toBe('errorCodeAttempts')
    await setSetting('authCodeAttempts', 3)
    expect((await enter(browser, user.login, right)).status).toBe(200)
  })
})
