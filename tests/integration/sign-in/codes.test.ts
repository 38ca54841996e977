import { count, eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { dailyCounters, messages, sessions, signInAttempts, users } from '@/db/schema'
import { redis } from '@/lib/base/redis/redis'
import type { FlowId, IdAttribute } from '@/lib/sign-in/attempts/contract'
import { signInStep } from '@/lib/sign-in/attempts/service'
import { codeEnd } from '@/lib/sign-in/codes/redis-code'
import { Browser } from '../../factories/browser'
import { ask, codeUser, enter, passResend, wrong } from '../../factories/codes'
import { contextOf } from '../../factories/invitations'
import { lastCodeTo, lastMessageTo, runJobs } from '../../factories/messages'
import { withoutRedis } from '../../factories/redis-away'
import { askMobileCode, startRegistration } from '../../factories/registration'
import { setSetting } from '../../factories/settings'
import { begin, prove, signedInStatus } from '../../factories/sign-in'
import { createUser, password } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

const sessionsOf = async (userId: string) =>
  (await db().select({ rows: count() }).from(sessions).where(eq(sessions.userId, userId)))[0]?.rows

describe('a code', () => {
  test('by e-mail is requested, received in the receiver’s language and entered', async () => {
    const user = await codeUser()
    await db().update(users).set({ locale: 'en' }).where(eq(users.id, user.id))
    const browser = new Browser()
    expect((await begin(browser, user.login)).body).toEqual({
      flows: ['email_code', 'sms_code', 'credentials'],
      resendIn: 0,
    })
    const asked = await ask(browser, user.login, 'email_code')
    expect(asked).toMatchObject({ status: 200, body: { resendIn: 60, endTime: expect.stringMatching(/Z$/) } })
    const msLeft = Date.parse(String(asked.body.endTime)) - Date.now()
    expect(msLeft).toBeGreaterThan(9 * 60_000)
    expect(msLeft).toBeLessThanOrEqual(10 * 60_000)
    const mail = await lastMessageTo(user.email)
    expect(mail).toMatchObject({ kind: 'email', status: 'sent', locale: 'en', template: 'signInCode' })
    const digits = await lastCodeTo(user.email)
    expect(digits).toMatch(/^\d{4}$/)
    expect(mail?.content).toMatchObject({
      subject: expect.stringContaining(digits),
      html: expect.stringContaining(digits),
    })
    expect((await enter(browser, user.login, digits)).body).toMatchObject({ next: 'done' })
    expect(await signedInStatus(browser)).toBe(200)
  })

  test('by SMS has a last line that binds it to the domain', async () => {
    const user = await codeUser()
    const browser = new Browser()
    await begin(browser, user.login)
    await ask(browser, user.login, 'sms_code')
    const digits = await lastCodeTo(user.mobile)
    expect((await lastMessageTo(user.mobile))?.content.text.split('\n').at(-1)).toBe(`@localhost #${digits}`)
    expect((await enter(browser, user.login, digits, 'sms_code')).body).toMatchObject({ next: 'done' })
  })

  test('is stored in no table as plain text', async () => {
    await setSetting('authCodeDigits', 8)
    const user = await codeUser()
    const browser = new Browser()
    await begin(browser, user.login)
    await ask(browser, user.login, 'email_code')
    const digits = await lastCodeTo(user.email)
    expect(digits).toMatch(/^\d{8}$/)
    const { rows: tables } = await db().execute<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'graphile_worker')`,
    )
    expect(tables.length).toBeGreaterThan(20)
    for (const { name } of tables) {
      const { rows } = await db().execute(`select 1 from ${name} as t where t::text like '%${digits}%'`)
      expect(rows, name).toEqual([])
    }
    for (const key of await redis().keys('*'))
      if ((await redis().type(key)) === 'hash') expect(JSON.stringify(await redis().hgetall(key))).not.toContain(digits)
    await setSetting('authCodeDigits', 4)
  })

  test('dies exactly at its limit of wrong entries, also with parallel ones', async () => {
    const user = await codeUser()
    const browser = new Browser()
    await begin(browser, user.login)
    await ask(browser, user.login, 'email_code')
    const digits = await lastCodeTo(user.email)
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => enter(browser.copy(), user.login, wrong(digits))),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(400))
    const codes = answers.map(({ body }) => body.code)
    expect(codes.filter((each) => each === 'errorCode')).toHaveLength(4)
    expect(codes.filter((each) => each === 'errorCodeAttempts')).toHaveLength(46)
    expect((await enter(browser, user.login, digits)).body.code).toBe('errorCodeAttempts')
    // when the page is rendered again, it doesn't show the dead code as valid
    const [attempt] = await db().select().from(signInAttempts).where(eq(signInAttempts.userId, user.id))
    const slot = { purpose: 'email_code', owner: attempt?.id ?? '', recipient: user.email } as const
    expect(await codeEnd(slot)).toBeNull()
    expect(await sessionsOf(user.id)).toBe(0)
  })

  test('signs in once when 50 right entries come in parallel', async () => {
    const user = await codeUser()
    const browser = new Browser()
    await begin(browser, user.login)
    await ask(browser, user.login, 'email_code')
    const digits = await lastCodeTo(user.email)
    const answers = await Promise.all(Array.from({ length: 50 }, () => enter(browser.copy(), user.login, digits)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.every(({ status }) => [200, 400, 409].includes(status))).toBe(true)
    expect(await sessionsOf(user.id)).toBe(1)
  })

  test('is refused in another flow, browser or attempt, for another person, when used, and when expired', async () => {
    const [anna, boris] = [await codeUser(), await codeUser()]
    const [browser, other] = [new Browser(), new Browser()]
    await begin(browser, anna.login)
    await ask(browser, anna.login, 'email_code')
    await ask(browser, anna.login, 'sms_code')
    const [mail, sms] = [await lastCodeTo(anna.email), await lastCodeTo(anna.mobile)]
    if (mail !== sms) expect((await enter(browser, anna.login, mail, 'sms_code')).body.code).toBe('errorCode')
    await begin(other, anna.login)
    expect((await enter(other, anna.login, mail)).body).toMatchObject({
      code: 'errorCodeExpired',
      data: { expired: true },
    })
    await begin(other, boris.login)
    await ask(other, boris.login, 'email_code')
    const borisCode = await lastCodeTo(boris.email)
    if (borisCode !== mail) expect((await enter(other, boris.login, mail)).body.code).toBe('errorCode')

    const before = browser.copy()
    expect((await enter(browser, anna.login, mail)).status).toBe(200)
    expect((await enter(before, anna.login, mail)).body).toMatchObject({ data: { expired: true } })

    const late = new Browser()
    await passResend()
    await begin(late, anna.login)
    await ask(late, anna.login, 'email_code')
    const digits = await lastCodeTo(anna.email)
    await redis().del(await redis().keys('code:*'))
    expect((await enter(late, anna.login, digits)).body).toMatchObject({
      code: 'errorCodeExpired',
      data: { expired: true },
    })
  })

  test('requested again within the resend time sends nothing and returns the remaining time', async () => {
    const user = await codeUser()
    const browser = new Browser()
    await begin(browser, user.login)
    const first = await ask(browser, user.login, 'email_code')
    const digits = await lastCodeTo(user.email)
    const again = await Promise.all([1, 2, 3].map(() => ask(browser, user.login, 'email_code')))
    for (const { body } of again) {
      expect(body.endTime).toBe(first.body.endTime)
      expect(body.resendIn).toBeGreaterThan(50)
    }
    // entering the same identifier again continues the attempt, so its code stays valid
    expect((await begin(browser, user.login)).body.resendIn).toBeGreaterThan(50)
    await runJobs()
    expect(await db().select().from(messages).where(eq(messages.recipient, user.email))).toHaveLength(1)
    expect((await enter(browser, user.login, digits)).status).toBe(200)
  })

  test('is replaced by a new one', async () => {
    const user = await codeUser()
    const browser = new Browser()
    await begin(browser, user.login)
    await ask(browser, user.login, 'email_code')
    const old = await lastCodeTo(user.email)
    await passResend()
    await ask(browser, user.login, 'email_code')
    const fresh = await lastCodeTo(user.email)
    if (old !== fresh) expect((await enter(browser, user.login, old)).body.code).toBe('errorCode')
    expect((await enter(browser, user.login, fresh)).status).toBe(200)
  })
})

describe('the daily limit', () => {
  test('blocks the typed identifier for 24 hours, and survives a flush', async () => {
    await setSetting('authCodeDailyLimit', 3)
    const user = await codeUser()
    const answers = []
    for (let n = 0; n < 4; n++) {
      const browser = new Browser()
      await begin(browser, user.login)
      answers.push(await ask(browser, user.login, 'email_code'))
      await redis().flushdb()
    }
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429])
    expect(answers[3]).toMatchObject({ body: { code: 'codeDailyLimit' } })
    expect(Number(answers[3]?.headers.get('retry-after'))).toBeGreaterThan(23 * 3600)

    const browser = new Browser()
    await begin(browser, user.login)
    expect((await ask(browser, user.login, 'email_code')).status).toBe(429)
    expect((await ask(browser, user.login, 'sms_code')).status).toBe(200)
    await db()
      .update(dailyCounters)
      .set({ blockedUntil: new Date(Date.now() - 1000), day: '2020-01-01' })
    expect((await ask(browser, user.login, 'email_code')).status).toBe(200)
    await setSetting('authCodeDailyLimit', 10)
  })

  test('silently sends no more to a recipient, whatever identifier, address or purpose is used', async () => {
    await setSetting('authCodeDailyLimit', 3)
    const user = await codeUser()
    const asked = async (kind: IdAttribute) => {
      const browser = new Browser()
      await begin(browser, user[kind], kind)
      const { status, body } = await ask(browser, user[kind], 'sms_code', kind)
      await runJobs()
      await redis().flushdb()
      return { status, resendIn: body.resendIn }
    }
    const kinds: IdAttribute[] = ['login', 'email', 'mobile', 'login', 'email', 'mobile']
    for (const kind of kinds) expect(await asked(kind)).toEqual({ status: 200, resendIn: 60 })
    expect(await db().select().from(messages).where(eq(messages.recipient, user.mobile))).toHaveLength(3)

    // codes of registrations count too
    await db().delete(dailyCounters)
    const { secret } = await startRegistration(new Browser())
    for (let n = 0; n < 3; n++) {
      expect((await askMobileCode(new Browser(), secret, user.mobile)).status).toBe(200)
      await redis().flushdb()
    }
    expect(await asked('login')).toEqual({ status: 200, resendIn: 60 })
    expect(await db().select().from(messages).where(eq(messages.recipient, user.mobile))).toHaveLength(6)
    await setSetting('authCodeDailyLimit', 10)
  })
})

describe('an account that can’t sign in', () => {
  test('answers alike for an unknown and a blocked identifier, and nothing is sent', async () => {
    const existing = await codeUser()
    const blocked = await createUser({ enabled: false })
    await runJobs()
    await db().delete(messages)
    const shape = async (login: string) => {
      const browser = new Browser()
      const started = await begin(browser, login)
      const flow = (started.body.flows as FlowId[]).find((each) => each === 'email_code') ?? 'email_code'
      const asked = await ask(browser, login, flow)
      const again = await ask(browser, login, flow)
      const failed = await enter(browser, login, '0000')
      const { requestId: _, ...body } = failed.body
      return {
        started: started.status,
        asked: { status: asked.status, keys: Object.keys(asked.body), resendIn: asked.body.resendIn },
        again: { status: again.status, same: again.body.endTime === asked.body.endTime },
        failed: { status: failed.status, body },
      }
    }
    const expected = await shape(existing.login)
    expect(expected).toMatchObject({ asked: { status: 200, resendIn: 60 }, failed: { body: { code: 'errorCode' } } })
    expect(await shape('nobody.knows.me')).toEqual(expected)
    expect(await shape(blocked.login)).toEqual(expected)
    await runJobs()
    expect((await db().select().from(messages)).map(({ recipient }) => recipient)).toEqual([existing.email])
  })
})

describe('two factors', () => {
  test('require the password, then a code; neither alone, nor in the other order', async () => {
    const user = await codeUser(['credentials'], ['email_code', 'sms_code'])
    const browser = new Browser()
    await begin(browser, user.login)
    expect((await ask(browser, user.login, 'email_code')).body).toMatchObject({
      data: { errorList: [{ field: 'flow', code: 'errorFlow' }] },
    })
    expect((await prove(browser, user.login, { password })).body).toEqual({
      next: 'second_factor',
      flows: ['email_code', 'sms_code'],
    })
    expect(await sessionsOf(user.id)).toBe(0)
    expect(await signedInStatus(browser)).toBe(401)
    expect((await prove(browser, user.login, { password })).body).toMatchObject({
      data: { errorList: [{ field: 'flow' }] },
    })
    await ask(browser, user.login, 'email_code')
    expect((await enter(browser, user.login, await lastCodeTo(user.email))).body).toMatchObject({ next: 'done' })
    expect(await sessionsOf(user.id)).toBe(1)
  })

  test('skip a code that the account can’t receive', async () => {
    const user = await codeUser(['credentials'], ['sms_code', 'email_code'])
    await db().update(users).set({ mobile: null }).where(eq(users.id, user.id))
    const browser = new Browser()
    await begin(browser, user.login)
    expect((await prove(browser, user.login, { password })).body).toEqual({
      next: 'second_factor',
      flows: ['email_code'],
    })
  })
})

describe('a Redis', () => {
  test('that is flushed, and one that is away, are told apart by the page that asks for the code', async () => {
    const user = await codeUser()
    const browser = new Browser()
    await begin(browser, user.login)
    await ask(browser, user.login, 'email_code')
    await redis().flushdb()
    const ctx = await contextOf(browser)
    for (const address of [undefined, 'email_code']) {
      const step = { step: 'email_code', code: { resendIn: 0, endTime: null } }
      expect(await signInStep(ctx, address)).toMatchObject(step)
      expect(await withoutRedis(() => signInStep(ctx, address))).toMatchObject({ ...step, code: null })
    }
  })

  test('that is flushed in between makes the code expire, and a new one works', async () => {
    const user = await codeUser()
    const browser = new Browser()
    await begin(browser, user.login)
    await ask(browser, user.login, 'email_code')
    const digits = await lastCodeTo(user.email)
    await redis().flushdb()
    expect((await enter(browser, user.login, digits)).body).toMatchObject({
      code: 'errorCodeExpired',
      data: { expired: true },
    })
    expect((await ask(browser, user.login, 'email_code')).body.resendIn).toBe(60)
    expect((await enter(browser, user.login, await lastCodeTo(user.email))).status).toBe(200)
  })
})
