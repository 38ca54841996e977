import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { dailyCounters, history, messages, wrongCodes } from '@/db/schema'
import { siteFactor } from '@/lib/base/limits/address-limits'
import { takePoints } from '@/lib/base/limits/limits'
import { redis } from '@/lib/base/redis/redis'
import { providerLimits, providersOpenAt } from '@/lib/directory-sync/provider-sign-in/service'
import { completeLimits } from '@/lib/joining/registration/limits'
import { liftUserLimits, readUserLimits, type UserLimits } from '@/lib/operations/account-limits/contract'
import { liftAddressLimits, readAddressLimits } from '@/lib/operations/address-limits/contract'
import { beginLimits } from '@/lib/sign-in/attempts/begin-limits'
import { counterOf } from '@/lib/sign-in/codes/daily-limit'
import { requestLimits } from '@/lib/sign-in/codes/enter-code'
import { wrongByAccount, wrongByAddress } from '@/lib/sign-in/codes/limits'
import { requestSubject } from '@/lib/sign-in/codes/subjects'
import { passkeyLimits } from '@/lib/sign-in/factors/passkey/prove'
import { addressLimit } from '@/lib/sign-in/factors/password/throttle'
import { appCodeLimits } from '@/lib/sign-in/factors/totp/entry'
import { linkRequestLimits, newPasswordLimits } from '@/lib/sign-in/passwords/recovery-limits'
import { definitions } from '@/lib/site/settings/definitions'
import { createRoleWith, signedInWith } from '../../factories/access'
import { Browser } from '../../factories/browser'
import { Caller } from '../../factories/caller'
import { addWrong, ask, askedBy, codeUser, enter, forgetAsked, passResend } from '../../factories/codes'
import { lastCodeTo, runJobs } from '../../factories/messages'
import { caseNumbers, eachRound } from '../../factories/random-cases'
import { askForLink } from '../../factories/recovery'
import { askLink, newEmail } from '../../factories/registration'
import { begin, signedInStatus, signInByPassword, signOut } from '../../factories/sign-in'
import { createUser, password } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

beforeEach(async () => {
  await redis().flushdb()
  await forgetAsked()
})

const random = caseNumbers(51)
type Person = Awaited<ReturnType<typeof codeUser>>
const daily = definitions.authCodeDailyLimit.default
const at = (ip: string) => new Browser('localhost:3000', ip)

const helper = async () => new Caller((await signedInWith(['users.write'])).browser)
const limitsOf = (caller: Caller, { id }: { id: string }) => caller.call(readUserLimits, { params: { id } })

/** Signs in by a code in a browser; returns whether that succeeds. */
async function signsIn(person: Person, browser = new Browser(), flow: 'email_code' | 'sms_code' = 'email_code') {
  await passResend()
  await begin(browser, person.login)
  const asked = await ask(browser, person.login, flow)
  if (asked.status !== 200) return false
  const digits = await lastCodeTo(flow === 'email_code' ? person.email : person.mobile)
  return (await enter(browser, person.login, digits, flow)).status === 200
}

/** What stops somebody, whether it does, and what the card says of it. */
const stops: Record<
  string,
  {
    stop: (person: Person, ownBrowser: Browser) => Promise<unknown>
    stopped: (person: Person, ownBrowser: Browser) => Promise<boolean>
    said: (limits: UserLimits) => unknown
  }
> = {
  'wrong codes of the day': {
    stop: async ({ id }) => {
      const now = new Date()
      const entries = Array<Date>(wrongByAccount.perDay).fill(now)
      await db()
        .insert(wrongCodes)
        .values({ key: `account ${id}`, entries, lastAt: now })
        .onConflictDoUpdate({ target: wrongCodes.key, set: { entries } })
    },
    stopped: async (person) => !(await signsIn(person)),
    said: ({ codes }) => codes.until,
  },
  'codes asked for by a name': {
    stop: async (person) => {
      await begin(new Browser(), person.login)
      for (let n = 0; n <= daily; n++) {
        await passResend()
        const stranger = new Browser()
        await begin(stranger, person.login)
        await ask(stranger, person.login)
      }
      // what waits to be sent counts once it is sent
      await runJobs()
    },
    stopped: async (person) => !(await signsIn(person)),
    said: ({ sent }) => sent.stops.find(({ kind }) => kind === 'email_code')?.until,
  },
  'SMS in a known browser': {
    stop: async (person, ownBrowser) => {
      for (let n = 0; n <= daily; n++) {
        await passResend()
        await begin(ownBrowser, person.mobile, 'mobile')
        await ask(ownBrowser, person.mobile, 'sms_code', 'mobile')
      }
      await runJobs()
    },
    stopped: async (person, ownBrowser) => !(await signsIn(person, ownBrowser, 'sms_code')),
    said: ({ sent }) => sent.stops.find(({ kind }) => kind === 'sms_code')?.until,
  },
  'recovery links': {
    stop: async (person) => {
      for (let n = 0; n <= definitions.passwordRefreshAttempts.default; n++) {
        await passResend()
        await askForLink(new Browser(), person.email)
      }
    },
    stopped: async (person) => (await askForLink(new Browser(), person.email)).status === 429,
    said: ({ sent }) => sent.stops.find(({ kind }) => kind === 'recovery')?.until,
  },
  'the wait after wrong passwords': {
    stop: async (person) => {
      for (let n = 0; n < 4; n++) await signInByPassword(new Browser(), person.login, 'wrong-guess-42')
    },
    stopped: async (person) => (await signInByPassword(new Browser(), person.login, password)).status === 429,
    said: ({ password }) => password.until,
  },
  'that wait in a known browser': {
    stop: async (person, ownBrowser) => {
      for (let n = 0; n < 4; n++) await signInByPassword(ownBrowser, person.login, 'wrong-guess-42')
    },
    stopped: async (person, ownBrowser) => (await signInByPassword(ownBrowser, person.login, password)).status === 429,
    said: ({ password }) => password.until,
  },
}

describe('the card of a person', () => {
  test.each(Object.entries(stops))('says until when it stops and lifts: %s', async (_, { stop, stopped, said }) => {
    const caller = await helper()
    const person = await codeUser()
    const ownBrowser = new Browser()
    expect(await signsIn(person, ownBrowser)).toBe(true)
    await signOut(ownBrowser)
    await forgetAsked()
    expect(said(await limitsOf(caller, person)) ?? null).toBeNull()
    await stop(person, ownBrowser)
    expect(await stopped(person, ownBrowser)).toBe(true)
    const until = Date.parse(String(said(await limitsOf(caller, person))))
    expect(until).toBeGreaterThan(Date.now())
    expect(until).toBeLessThanOrEqual(Date.now() + 86_400_000)
    const mailed = await db().$count(messages)
    await caller.call(liftUserLimits, { params: { id: person.id } })
    expect(await db().$count(messages)).toBe(mailed)
    expect(said(await limitsOf(caller, person)) ?? null).toBeNull()
    expect(await stopped(person, ownBrowser)).toBe(false)
    const rows = await db().select().from(history).where(eq(history.entityId, person.id))
    expect(rows.filter(({ field }) => /^(wrong|codesSent|passwordWaits)/.test(field ?? ''))).not.toEqual([])
  })

  test('says how many were sent today: neither the request that was refused nor one that somebody only made', async () => {
    const caller = await helper()
    for (const kind of ['codes asked for by a name', 'SMS in a known browser', 'recovery links'] as const) {
      const person = await codeUser()
      await stops[kind]?.stop(person, new Browser())
      const { sent } = await limitsOf(caller, person)
      const most = kind === 'recovery links' ? definitions.passwordRefreshAttempts.default : daily
      expect({ kind, wrongEntries: sent.day, stops: sent.stops.length }).toEqual({ kind, wrongEntries: most, stops: 1 })
    }
    const person = await codeUser()
    await begin(new Browser(), person.login)
    const counted = counterOf('code-asked', requestSubject('email_code', 'login', person.login), new Date())
    await db()
      .insert(dailyCounters)
      .values({ ...counted, count: 3 })
    expect((await limitsOf(caller, person)).sent).toEqual({ day: 0, stops: [] })
  })

  test('in whatever order a person was stopped, one release opens everything, and nobody else’s', async () => {
    const caller = await helper()
    for (const _ of eachRound(3)) {
      await redis().flushdb()
      await forgetAsked()
      const [person, other] = [await codeUser(), await codeUser()]
      const [ownBrowser, theirs] = [new Browser(), new Browser()]
      await signsIn(person, ownBrowser)
      await signsIn(other, theirs)
      await Promise.all([signOut(ownBrowser), signOut(theirs)])
      for (const { stop } of Object.values(stops).filter(() => random(2) === 0)) await stop(person, ownBrowser)
      const [mail] = [stops['recovery links']]
      await mail?.stop(other, theirs)
      await caller.call(liftUserLimits, { params: { id: person.id } })
      const { addresses: none, ...after } = await limitsOf(caller, person)
      expect(none).toEqual([])
      expect(after).toEqual({
        password: { failures: 0, closed: false, until: null },
        codes: { day: 0, month: 0, closed: false, until: null },
        sent: { day: 0, stops: [] },
      })
      expect(await mail?.stopped(other, theirs)).toBe(true)
      expect(await signsIn(person)).toBe(true)
    }
  })

  test('isn’t lifted by the person, nor by somebody who holds less, nor without users.write', async () => {
    const { browser, user } = await signedInWith(['users.write'])
    const lift = (caller: Caller, id: string) => caller.send(liftUserLimits, { params: { id } })
    const ownCaller = new Caller(browser)
    expect(await lift(ownCaller, user.id)).toMatchObject({ status: 409, body: { code: 'ownLimits' } })
    const strong = await createUser({ roles: [await createRoleWith(['license.write'])] })
    for (let n = 0; n < 4; n++) await signInByPassword(new Browser(), strong.login, 'wrong-guess-42')
    expect((await lift(ownCaller, strong.id)).status).toBe(403)
    expect((await lift(new Caller((await signedInWith(['users.read'])).browser), strong.id)).status).toBe(403)
    expect((await limitsOf(ownCaller, strong)).password.until).not.toBeNull()
  })
})

describe('an address', () => {
  /** Enters a wrong code, and then as many of the network as it may enter within ten minutes. */
  async function fill(ip: string, set: string, count: number) {
    const browser = at(ip)
    const login = `nobody.${random(1_000_000)}`
    await begin(browser, login)
    await ask(browser, login)
    await enter(browser, login, '0000')
    const [key = ''] = await redis().keys(`limit:${set}:*`)
    await addWrong(key, count - 1)
  }

  test.each([
    ['IPv4', '198.51.100.7', '198.51.100.7', 'code-wrong', 1],
    ['the /64 of IPv6', '2001:db8:77:1::5', '2001:db8:77:1::ffff', 'code-wrong', 1],
    ['the /48 of IPv6', '2001:db8:78:1::5', '2001:db8:78:ffff::1', 'code-wrong-wide', siteFactor],
  ])(
    'that wrong codes have stopped is on the card of who was refused there, and is opened: %s',
    async (_, first, ip, set, factor) => {
      const caller = await helper()
      const person = await codeUser()
      await fill(first, set, (wrongByAddress[0]?.points ?? 0) * factor)
      const refused = at(ip)
      const digits = await askedBy(refused, person)
      expect((await enter(refused, person.login, digits)).status).toBe(429)
      const { addresses } = await limitsOf(caller, person)
      expect(addresses).toMatchObject([{ ip, limits: [{ limit: 'wrongCodes' }] }])
      const until = Date.parse(addresses[0]?.limits[0]?.until ?? '')
      expect(until).toBeGreaterThan(Date.now())
      expect(until).toBeLessThanOrEqual(Date.now() + 600_000)

      const reader = new Caller((await signedInWith(['users.read'])).browser)
      expect((await reader.send(liftAddressLimits, { query: { ip } })).status).toBe(403)
      expect((await enter(refused, person.login, digits)).status).toBe(429)
      await caller.call(liftAddressLimits, { query: { ip } })
      expect((await enter(refused, person.login, digits)).status).toBe(200)
      expect(await signedInStatus(refused)).toBe(200)
      expect((await limitsOf(caller, person)).addresses).toEqual([])
      const network = ip.includes(':') ? `${ip.split(':').slice(0, 4).join(':')}::/64` : ip
      const rows = await db().select().from(history).where(eq(history.entityId, network))
      expect(rows).toMatchObject([
        { entity: 'address-limits', type: 'update', field: 'wrongCodes', previous: true, current: false },
      ])
    },
  )

  test.each([
    ['codesAsked', requestLimits],
    ['passwords', addressLimit],
    ['attempts', beginLimits],
    ['providers', providerLimits],
    ['recovery', linkRequestLimits],
    ['newPasswords', newPasswordLimits],
    ['appCodes', appCodeLimits],
    ['passkeys', passkeyLimits],
    ['registrations', completeLimits],
  ] as const)('is opened whatever tier of whatever network is full: %s', async (limit, limits) => {
    const caller = await helper()
    for (const _ of eachRound(3)) {
      await redis().flushdb()
      const ip = `2001:db8:${random(0xffff).toString(16)}::${random(0xffff).toString(16)}`
      const others = [`10.30.${random(250)}.${random(250)}`, ip.replace('2001', '2002')]
      for (const one of [ip, ...others]) await takePoints(...limits(one))
      const before = new Set(await redis().keys('limit:*'))
      expect((await caller.call(readAddressLimits, { query: { ip } })).limits).toEqual([])
      const all = limits(ip).flatMap(({ name, key, tiers }) => tiers.map((_, tier) => `limit:${name}:${tier}:${key}`))
      await redis().set(all[random(all.length)] ?? '', 100_000, 'KEEPTTL')
      const open = () =>
        takePoints(...limits(ip)).then(
          () => true,
          () => false,
        )
      expect(await open()).toBe(false)
      // the sign-in page names the end of this one, to which a provider's answer leads without a status
      if (limit === 'providers') expect(await providersOpenAt({ ip, now: () => new Date() })).not.toBeNull()
      expect((await caller.call(readAddressLimits, { query: { ip } })).limits).toMatchObject([{ limit }])
      await caller.call(liftAddressLimits, { query: { ip } })
      expect((await caller.call(readAddressLimits, { query: { ip } })).limits).toEqual([])
      // the counts of other addresses stay
      const after = await redis().keys('limit:*')
      expect([...before].filter((key) => !after.includes(key)).toSorted()).toEqual(all.toSorted())
      expect(await open()).toBe(true)
    }
  })

  test('is opened once a day, and five by one person: otherwise whoever opens it could go on guessing', async () => {
    await redis().flushdb()
    const { browser, user } = await signedInWith(['users.write'])
    const [caller, other] = [new Caller(browser), await helper()]
    const close = async (ip: string) => {
      for (const { points } of beginLimits(ip)[0]?.tiers ?? [])
        for (let n = 0; n < points; n++) await takePoints(...beginLimits(ip)).catch(() => undefined)
      return { query: { ip } }
    }
    const ips = Array.from({ length: 6 }, (_, n) => (n % 2 ? `10.40.0.${n}` : `2001:db8:${n}:1::1`))
    for (const ip of ips.slice(0, 5)) await caller.call(liftAddressLimits, await close(ip))
    const enough = await caller.send(liftAddressLimits, await close(ips[5] ?? ''))
    expect(enough).toMatchObject({ status: 429, body: { code: 'liftsUsed' } })
    expect(Number(enough.headers.get('retry-after'))).toBeGreaterThan(86_000)
    await other.call(liftAddressLimits, { query: { ip: ips[5] ?? '' } })
    // another network of the same site is the same
    for (const ip of ['2001:db8:0:2::1', ips[1] ?? ''])
      for (const [by, code] of [
        [caller, 'errorAddressLiftedByYou'],
        [other, 'errorAddressLiftedBy'],
      ] as const) {
        const { status, body } = await by.send(liftAddressLimits, await close(ip))
        expect([ip, status, body]).toMatchObject([
          ip,
          429,
          { code: 'addressLifted', data: { errorList: [{ field: 'ip', code, params: { by: user.fio } }] } },
        ])
        const [fault] = (body.data as { errorList: { params: { at: number; until: number } }[] }).errorList
        expect(fault?.params.at).toBeLessThanOrEqual(Date.now())
        expect(fault?.params.until).toBeGreaterThan(Date.now() + 86_000_000)
      }
    // what is open already costs nothing
    expect((await other.send(liftAddressLimits, { query: { ip: '10.41.0.1' } })).status).toBe(200)
  })

  test('is opened for registration too, and only what stops it begins anew', async () => {
    const caller = await helper()
    const ip = `10.20.${random(250)}.${random(250)}`
    const browser = at(ip)
    await fill(ip, 'code-wrong', 3)
    for (let n = 0; n <= definitions.registrationsPerIp.default; n++) await askLink(browser, newEmail())
    expect(await askLink(browser, newEmail())).toMatchObject({ status: 429, body: { code: 'registrationDailyLimit' } })
    const { limits } = await caller.call(readAddressLimits, { query: { ip } })
    expect(limits).toMatchObject([{ limit: 'registrationLinks' }])
    expect(Date.parse(limits[0]?.until ?? '') - Date.now()).toBeGreaterThan(23 * 3_600_000)
    await caller.call(liftAddressLimits, { query: { ip } })
    expect((await askLink(browser, newEmail())).status).toBe(200)
    const [key = ''] = await redis().keys('limit:code-wrong:*')
    expect(await redis().zcard(key)).toBe(3)
  })
})
