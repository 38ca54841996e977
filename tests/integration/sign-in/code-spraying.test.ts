import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { siteFactor } from '@/lib/base/limits/address-limits'
import { redis } from '@/lib/base/redis/redis'
import { tidySignIn } from '@/lib/sign-in/attempts/housekeeping'
import { requestsByAddress, wrongByAccount, wrongByAddress } from '@/lib/sign-in/codes/limits'
import { Browser } from '../../factories/browser'
import {
  ask,
  askedBy,
  codeUser,
  enter,
  forgetAsked,
  passHours,
  passResend,
  passSeconds,
  wrong,
  wrongEntries,
} from '../../factories/codes'
import { plantInvitation } from '../../factories/companies'
import { askCode as askInvited, enterCode as enterInvited } from '../../factories/invitation-calls'
import { lastCodeTo } from '../../factories/messages'
import { caseNumbers, eachRound } from '../../factories/random-cases'
import { askMobileCode, newMobile, startRegistration, verifyMobile } from '../../factories/registration'
import { begin, prove, signedInStatus, signInByPassword, signOut } from '../../factories/sign-in'
import { createUser, password } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

beforeEach(async () => {
  await redis().flushdb()
  await db().execute(sql`delete from wrong_codes`)
  await forgetAsked()
})

type User = Awaited<ReturnType<typeof codeUser>>
const random = caseNumbers(4)
const pick = <T>(list: readonly [T, ...T[]]): T => list[random(list.length)] ?? list[0]

/** Enters wrong codes as a stranger, each for another code, until so many are accepted as tries. */
async function guess(user: User, times: number) {
  for (let n = 0; n < times; n++) {
    await forgetAsked()
    const stranger = new Browser()
    const answer = await enter(stranger, user.login, wrong(await askedBy(stranger, user)))
    expect(answer).toMatchObject({ status: 400, body: { code: 'errorCode' } })
  }
}

/** Returns whether a stranger with the right code can sign in. */
async function rightCodeSignsIn(user: User, browser = new Browser()) {
  await forgetAsked()
  const answer = await enter(browser, user.login, await askedBy(browser, user))
  if (answer.status === 200) return true
  // the answer is the same as for a wrong code
  expect(answer).toMatchObject({ status: 400, body: { code: 'errorCode', data: { errorList: [{ field: 'code' }] } } })
  expect(answer.body.data).not.toHaveProperty('expired')
  expect(await signedInStatus(browser)).toBe(401)
  return false
}

describe('wrong codes of one account', () => {
  test('after ten in a day its codes are blocked for a day, with the answer of a wrong code', async () => {
    const user = await codeUser()
    await guess(user, wrongByAccount.perDay - 1)
    expect(await rightCodeSignsIn(user)).toBe(true)
    await guess(user, 1)
    expect(await rightCodeSignsIn(user)).toBe(false)
    await passHours(23)
    expect(await rightCodeSignsIn(user)).toBe(false)
    await passHours(1)
    expect(await rightCodeSignsIn(user)).toBe(true)
  })

  test('after fifty in 30 days its codes are blocked too; housekeeping keeps what counts', async () => {
    const user = await codeUser()
    for (let day = 0; day < 5; day++) {
      await guess(user, wrongByAccount.perDay)
      await passHours(24)
      await tidySignIn(new Date())
    }
    expect(await rightCodeSignsIn(user)).toBe(false)
    await passHours(24 * 24)
    await tidySignIn(new Date())
    expect(await rightCodeSignsIn(user)).toBe(false)
    await passHours(24)
    expect(await rightCodeSignsIn(user)).toBe(true)
    await passHours(24 * 30)
    await tidySignIn(new Date())
    expect(await wrongEntries()).toEqual([])
  })

  test('are counted over all names, flows, factors, browsers, addresses and attempts, in bursts, and after Redis was flushed', async () => {
    for (const round of eachRound(4)) {
      const user = await codeUser(
        ['credentials', 'email_code', 'sms_code'],
        round % 2 ? ['email_code', 'sms_code'] : [],
      )
      await db().execute(sql`delete from wrong_codes`)
      for (let n = 0; n < 12; n++) {
        await forgetAsked()
        if (random(3) === 0) await redis().flushdb()
        const browser = new Browser()
        const kind = pick(['login', 'email', 'mobile'] as const)
        const flow = pick(['email_code', 'sms_code'] as const)
        await passResend()
        await begin(browser, user[kind], kind)
        if (round % 2 && random(2) === 0) {
          // Redis is emptied, so that the limit on passwords doesn't stop it
          await prove(browser, user[kind], { password }, kind)
          const keys = await redis().keys('limit:*')
          if (keys.length > 0) await redis().del(keys)
        }
        expect((await ask(browser, user[kind], flow, kind)).status).toBe(200)
        const digits = await lastCodeTo(flow === 'email_code' ? user.email : user.mobile)
        await Promise.all(
          Array.from({ length: pick([1, 3, 30]) }, () => enter(browser.copy(), user[kind], wrong(digits), flow, kind)),
        )
      }
      expect(await wrongEntries()).toEqual([wrongByAccount.perDay])
      if (round % 2 === 0) expect(await rightCodeSignsIn(user)).toBe(false)
    }
  })

  test('of 100 guesses at once over 20 codes, no more are checked than the limit allows', async () => {
    const user = await codeUser()
    const browsers: { browser: Browser; digits: string }[] = []
    for (let n = 0; n < 20; n++) {
      await forgetAsked()
      const browser = new Browser()
      browsers.push({ browser, digits: await askedBy(browser, user) })
    }
    const answers = await Promise.all(
      browsers.flatMap(({ browser, digits }) =>
        Array.from({ length: 5 }, () => enter(browser.copy(), user.login, wrong(digits))),
      ),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([400]))
    expect(await wrongEntries()).toEqual([wrongByAccount.perDay])
    expect(await rightCodeSignsIn(user)).toBe(false)
  })

  test('a right code among as many guesses as are left signs in, and isn’t counted', async () => {
    const user = await codeUser()
    await guess(user, wrongByAccount.perDay - 1)
    await forgetAsked()
    const browser = new Browser()
    const digits = await askedBy(browser, user)
    const answers = await Promise.all(Array.from({ length: 30 }, () => enter(browser.copy(), user.login, digits)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await wrongEntries()).toEqual([wrongByAccount.perDay - 1])
  })

  test('a code that expired or died isn’t counted as a guess', async () => {
    const user = await codeUser()
    const browser = new Browser()
    await begin(browser, user.login)
    for (let n = 0; n < 20; n++) expect((await enter(browser, user.login, '0000')).body.code).toBe('errorCodeExpired')
    expect(await wrongEntries()).toEqual([])
  })

  test('the real person can still sign in: by a code in a known browser, by password anywhere (docs/quality.md#s5)', async () => {
    const user = await codeUser()
    const ownBrowser = new Browser()
    expect(await rightCodeSignsIn(user, ownBrowser)).toBe(true)
    await signOut(ownBrowser)
    await guess(user, wrongByAccount.perDay)
    // strangers have also used up today's requests, and request more all the time
    for (let n = 0; n < 11; n++) {
      await passResend()
      const stranger = new Browser()
      await begin(stranger, user.login)
      await ask(stranger, user.login)
    }
    const stranger = new Browser()
    await begin(stranger, user.login)
    expect((await ask(stranger, user.login)).status).toBe(429)

    expect((await begin(ownBrowser, user.login)).body.resendIn).toBe(0)
    expect((await ask(ownBrowser, user.login)).status).toBe(200)
    expect((await enter(ownBrowser, user.login, await lastCodeTo(user.email))).body).toMatchObject({ next: 'done' })
    expect(await rightCodeSignsIn(user)).toBe(false)
    expect((await signInByPassword(new Browser(), user.login, password)).status).toBe(200)
  })

  test('a known browser has its own count', async () => {
    const user = await codeUser()
    const ownBrowser = new Browser()
    expect(await rightCodeSignsIn(user, ownBrowser)).toBe(true)
    await signOut(ownBrowser)
    for (let n = 0; n < wrongByAccount.perDay; n++) {
      await forgetAsked()
      await enter(ownBrowser, user.login, wrong(await askedBy(ownBrowser, user)))
    }
    expect(await rightCodeSignsIn(user, ownBrowser)).toBe(false)
    expect(await rightCodeSignsIn(user)).toBe(true)
  })

  test('an unknown identifier is counted the same way', async () => {
    const browser = new Browser()
    await begin(browser, 'nobody.has.this')
    await ask(browser, 'nobody.has.this')
    for (let n = 0; n < 3; n++) await enter(browser, 'nobody.has.this', '0000')
    expect(await wrongEntries()).toEqual([3])
  })
})

describe('codes of a registration and an invitation', () => {
  test('are counted for the mobile over all links, and for the account that has it', async () => {
    for (const mobile of [newMobile(), (await createUser()).mobile]) {
      await db().execute(sql`delete from wrong_codes`)
      for (let n = 0; n < wrongByAccount.perDay; n++) {
        await forgetAsked()
        await passResend()
        const browser = new Browser()
        if (n % 2) {
          const { guid } = await plantInvitation()
          await askInvited(browser, guid, mobile)
          expect((await enterInvited(browser, guid, mobile, wrong(await lastCodeTo(mobile)))).status).toBe(400)
        } else {
          const { secret } = await startRegistration(browser)
          await askMobileCode(browser, secret, mobile)
          expect((await verifyMobile(browser, secret, mobile, wrong(await lastCodeTo(mobile)))).status).toBe(400)
        }
      }
      expect(await wrongEntries()).toEqual([wrongByAccount.perDay])
      await forgetAsked()
      await passResend()
      const browser = new Browser()
      const { secret } = await startRegistration(browser)
      await askMobileCode(browser, secret, mobile)
      expect(await verifyMobile(browser, secret, mobile, await lastCodeTo(mobile))).toMatchObject({
        status: 400,
        body: { code: 'errorCode' },
      })
    }
  })

  test('are limited by address together with all others', async () => {
    const ip = '198.51.100.99'
    const at = () => new Browser('localhost:3000', ip)
    const [first] = wrongByAddress
    const answers = []
    for (let n = 0; n <= (first?.points ?? 0); n++) {
      const mobile = newMobile()
      const { secret } = await startRegistration(new Browser())
      await askMobileCode(at(), secret, mobile)
      answers.push((await verifyMobile(at(), secret, mobile, wrong(await lastCodeTo(mobile)))).status)
    }
    expect(answers).toEqual([...Array(first?.points).fill(400), 429])
    const user = await codeUser()
    const browser = at()
    const digits = await askedBy(browser, user)
    expect((await enter(browser, user.login, digits)).status).toBe(429)
  })
})

describe('wrong codes of one address', () => {
  const inTenMinutes = wrongByAddress[0]?.points ?? 0
  const perDay = wrongByAddress[1]?.points ?? 0

  let sprayed = 0
  /** Guesses codes of many accounts from many addresses. Returns how many guesses were checked. */
  async function spray(accounts: number, ipOf: (n: number) => string) {
    let looked = 0
    let refused: Awaited<ReturnType<typeof enter>> | undefined
    for (let n = 0; n < accounts; n++) {
      const browser = new Browser('localhost:3000', ipOf(n))
      const login = `sprayed.${++sprayed}`
      await begin(browser, login)
      await ask(browser, login)
      for (let tries = 0; tries < 4; tries++) {
        const answer = await enter(browser, login, '0000')
        if (answer.status === 429) refused = answer
        else if (answer.body.code !== 'errorCodeExpired') looked++
      }
    }
    return { looked, refused }
  }

  const passMinutes = () => passSeconds(600)

  test('over 110 accounts no more guesses are checked than the address has; other addresses aren’t affected', async () => {
    const ip = '198.51.100.77'
    const { looked, refused } = await spray(110, () => ip)
    expect(looked).toBe(inTenMinutes)
    expect(refused).toMatchObject({ body: { code: 'tooManyAttempts' } })
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0)
    await passMinutes()
    expect((await spray(10, () => ip)).looked).toBe(perDay - inTenMinutes)
    await passMinutes()
    expect((await spray(3, () => ip)).looked).toBe(0)

    const user = await codeUser()
    const browser = new Browser('localhost:3000', ip)
    const digits = await askedBy(browser, user)
    expect((await enter(browser, user.login, digits)).status).toBe(429)
    expect(await rightCodeSignsIn(user)).toBe(true)
    // refused guesses didn't use up tries of the code
    await redis().del(await redis().keys('limit:code-wrong*'))
    expect((await enter(browser, user.login, digits)).status).toBe(200)
  })

  test('an IPv6 network counts as one address, and its /48 too, with a higher limit', async () => {
    const hex = (n: number) => n.toString(16)
    expect((await spray(20, (n) => `2001:db8:1:1::${hex(n + 1)}`)).looked).toBe(inTenMinutes)
    expect((await spray(40, (n) => `2001:db8:2:${hex(n + 1)}::1`)).looked).toBe(inTenMinutes * siteFactor)
    expect((await spray(2, (n) => `2001:db8:3:${hex(n + 1)}::1`)).looked).toBe(8)
  })

  test('of 60 at once no more are checked', async () => {
    const ip = '198.51.100.78'
    const browsers = []
    for (let n = 0; n < 20; n++) {
      const browser = new Browser('localhost:3000', ip)
      await begin(browser, `burst.${n}`)
      await ask(browser, `burst.${n}`)
      browsers.push({ browser, login: `burst.${n}` })
    }
    const answers = await Promise.all(
      browsers.flatMap(({ browser, login }) => [1, 2, 3].map(() => enter(browser.copy(), login, '0000'))),
    )
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(inTenMinutes)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(60 - inTenMinutes)
  })

  test('an office behind one gateway can work: 60 new browsers, with a wrong code now and then', async () => {
    const ip = '198.51.100.79'
    const statuses: number[] = []
    for (let n = 0; n < 60; n++) {
      const user = await codeUser()
      const browser = new Browser('localhost:3000', ip)
      const digits = await askedBy(browser, user)
      if (n % 25 === 0) statuses.push((await enter(browser, user.login, wrong(digits))).status)
      statuses.push((await enter(browser, user.login, digits)).status)
    }
    expect(statuses.filter((status) => status === 200)).toHaveLength(60)
    expect(statuses.filter((status) => status === 400)).toHaveLength(3)
  })
})

describe('requests for codes', () => {
  test('are limited by address, for known and unknown identifiers alike, also within the resend time', async () => {
    const ip = '198.51.100.80'
    const most = requestsByAddress[0]?.points ?? 0
    const key = (await (async () => {
      const browser = new Browser('localhost:3000', ip)
      await begin(browser, 'somebody.there')
      expect((await ask(browser, 'somebody.there')).status).toBe(200)
      expect((await ask(browser, 'somebody.there')).status).toBe(200)
      return redis().keys('limit:code-asked:0:*')
    })()) as [string]
    expect(await redis().get(key[0])).toBe('2')
    await redis().set(key[0], most, 'KEEPTTL')
    const user = await codeUser()
    for (const login of [user.login, 'somebody.else']) {
      const browser = new Browser('localhost:3000', ip)
      await begin(browser, login)
      const answer = await ask(browser, login)
      expect(answer).toMatchObject({ status: 429, body: { code: 'tooManyAttempts' } })
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    }
    expect(await rightCodeSignsIn(user)).toBe(true)
  })
})
