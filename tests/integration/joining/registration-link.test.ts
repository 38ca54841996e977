import { eq, or, sql } from 'drizzle-orm'
import type { JobHelpers } from 'graphile-worker'
import pg from 'pg'
import { afterEach, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { dailyCounters, links, messages, providers, users } from '@/db/schema'
import { runHousekeeping } from '@/lib/base/jobs/housekeeping'
import type { TaskPayloads } from '@/lib/base/jobs/jobs'
import { redis } from '@/lib/base/redis/redis'
import { platformHousekeeping } from '@/lib/wiring/housekeeping'
import { taskList } from '@/lib/wiring/tasks'
import { Browser } from '../../factories/browser'
import { lastMessageTo, runJobs } from '../../factories/messages'
import { createProvider } from '../../factories/recovery'
import { takeRedisAway } from '../../factories/redis-away'
import {
  askLink,
  askMobileCode,
  finish,
  linkStatus,
  newEmail,
  newMobile,
  passResend,
  proveMobileOf,
  startRegistration,
  verifyMobile,
} from '../../factories/registration'
import { setSetting } from '../../factories/settings'
import { signedInStatus, signInByPassword } from '../../factories/sign-in'
import { createUser } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

const accountOf = async (email: string) => (await db().select().from(users).where(eq(users.email, email)))[0]
const messagesTo = (recipient: string) => db().select().from(messages).where(eq(messages.recipient, recipient))

describe('the first step', () => {
  test.each([
    '"quoted"@polaris.example',
    'one@polaris.example,two@polaris.example',
    'name＠polaris.example',
    'name@polaris.example\r\nBcc: x@polaris.example',
    `${'x'.repeat(300)}@polaris.example`,
  ])('refuses the e-mail %j (docs/quality.md#s8)', async (email) => {
    const { status, body } = await askLink(new Browser(), email)
    expect({ status, body }).toMatchObject({ status: 400, body: { data: { errorList: [{ field: 'email' }] } } })
  })

  test('puts no forged host into the mail (docs/quality.md#s8)', async () => {
    const browser = new Browser('evil.example')
    const email = newEmail()
    const headers = { 'x-forwarded-host': 'evil.example', origin: 'http://localhost:3000' }
    expect((await askLink(browser, email, {}, headers)).status).toBe(200)
    const mail = await lastMessageTo(email)
    expect(mail?.content.text).toContain('http://localhost:3000/platform/registration/')
    expect(JSON.stringify(mail?.content)).not.toContain('evil.example')
  })

  test.each([
    ['<img src=x onerror=alert(1)>', '<img src=x onerror=alert(1)>'],
    ['Выиграйте http://evil.example', 'Выиграйте http://evil.example'],
    ['evil.example', 'evil.example'],
    ['\u202eанна', 'анна'],
    ['Ваш счёт закрыт срочно позвоните нам', 'Ваш счёт закрыт срочно позвоните нам'],
  ])('makes the hostile name %j harmless', async (fio, stored) => {
    const browser = new Browser()
    const { email, secret } = await startRegistration(browser, newEmail(), { fio })
    const mail = await lastMessageTo(email)
    const content = JSON.stringify(mail?.content)
    for (const word of ['<img', 'evil.example', '\u202e', 'срочно']) expect(content).not.toContain(word)
    expect((await finish(browser, secret)).status).toBe(200)
    expect(await accountOf(email)).toMatchObject({ fio: stored })
  })

  test('refuses names with control characters and of 10 KB', async () => {
    for (const fio of ['Анна\u0000', 'я'.repeat(10_240)])
      expect((await askLink(new Browser(), newEmail(), { fio })).body).toMatchObject({
        data: { errorList: [{ field: 'fio' }] },
      })
  })
})

describe('a known e-mail', () => {
  const kinds = {
    unknown: async () => newEmail(),
    known: async () => (await createUser()).email,
    disabled: async () => (await createUser({ enabled: false })).email,
    directory: async () => {
      const provider = {
        type: 'keycloak' as const,
        name: `directory ${newEmail()}`,
        url: '',
        clientId: '',
        clientSecret: '',
      }
      const [row] = await db().insert(providers).values(provider).returning()
      return (await createUser({ providerId: row?.id, externalId: newEmail() })).email
    },
  }

  test('gets the answer of an unknown one by the same statements and commands (docs/quality.md#s1)', async () => {
    const original = pg.Client.prototype.query
    const send = redis().sendCommand
    const seen: Record<string, { answer: unknown; did: string[] }> = {}
    await askLink(new Browser(), newEmail())
    for (const [kind, make] of Object.entries(kinds)) {
      const email = await make()
      await runJobs()
      const did: string[] = []
      pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
        const [query] = args as [string | { text: string }]
        did.push(typeof query === 'string' ? query : query.text)
        return (original as (...all: unknown[]) => unknown).apply(this, args)
      } as typeof original
      redis().sendCommand = function (command, stream) {
        did.push(command.name)
        return send.call(this, command, stream)
      }
      const { status, body, headers } = await askLink(new Browser(), email)
      pg.Client.prototype.query = original
      redis().sendCommand = send
      const names = [...headers.keys()]
      seen[kind] = { answer: { status, body, names }, did }
    }
    expect(seen.unknown?.answer).toMatchObject({ status: 200, body: { resendIn: 60 } })
    expect(seen.unknown?.did.length).toBeGreaterThan(4)
    for (const kind of Object.keys(kinds)) expect(seen[kind], kind).toEqual(seen.unknown)
  })

  test('is reported to its owner in their language, with a link to recover access', async () => {
    const user = await createUser({ locale: 'en' })
    await askLink(new Browser(), user.email.toUpperCase())
    const mail = await lastMessageTo(user.email)
    expect(mail).toMatchObject({ template: 'registrationKnown', userId: user.id, locale: 'en' })
    expect(mail?.content.text).toMatch(/http:\/\/localhost:3000\/platform\/new-password\/[0-9a-f-]{36}/)
    expect(await db().select().from(links).where(eq(links.userId, user.id))).toMatchObject([{ kind: 'recovery' }])
    expect(await db().select().from(links).where(eq(links.email, user.email))).toEqual([])
  })

  test('of a directory account leads to the directory, of a disabled one sends nothing', async () => {
    const email = await kinds.directory()
    await askLink(new Browser(), email)
    expect(await lastMessageTo(email)).toMatchObject({ template: 'registrationDirectory' })
    const disabled = await kinds.disabled()
    expect((await askLink(new Browser(), disabled)).status).toBe(200)
    expect(await lastMessageTo(disabled)).toBeNull()
    expect(
      await db()
        .select()
        .from(links)
        .where(or(eq(links.email, email), eq(links.email, disabled))),
    ).toEqual([])
  })

  test('in a mail domain that a provider claims is refused, with or without an account', async () => {
    const claimed = {
      type: 'keycloak' as const,
      name: 'claims',
      url: '',
      clientId: '',
      clientSecret: '',
      emailDomains: ['Corp.example'],
    }
    await db()
      .insert(providers)
      .values({ ...claimed, enabled: true })
    const existing = await createUser({ email: 'anna@corp.example' })
    for (const email of [existing.email, 'Nobody@CORP.example'])
      expect(await askLink(new Browser(), email)).toMatchObject({ status: 405, body: { code: 'directoryAccount' } })
    expect((await askLink(new Browser(), 'x@sub.corp.example')).status).toBe(200)
    await db().update(providers).set({ enabled: false }).where(eq(providers.name, 'claims'))
    expect((await askLink(new Browser(), 'nobody@corp.example')).status).toBe(200)
  })

  test('in a mail domain that a provider claims after the link was sent gets no account', async () => {
    const browser = new Browser()
    const { email, secret } = await startRegistration(browser, `${crypto.randomUUID()}@late.example`)
    const claims = await createProvider({ emailDomains: ['Late.example'] })
    expect(await finish(browser, secret)).toMatchObject({ status: 405, body: { code: 'directoryAccount' } })
    expect(await db().$count(users, eq(users.email, email))).toBe(0)
    await db().delete(providers).where(eq(providers.id, claims.id))
    const mobile = await proveMobileOf(browser, secret)
    expect(await finish(browser, secret, { mobile })).toMatchObject({ status: 200 })
  })

  test('that got an account meanwhile gets a message at the second step', async () => {
    const browser = new Browser()
    const { email, secret } = await startRegistration(browser)
    await createUser({ email })
    expect(await finish(browser, secret)).toMatchObject({ status: 409, body: { code: 'errorEmailRegistered' } })
    expect(await db().select().from(users).where(eq(users.email, email))).toHaveLength(1)
    expect(await signedInStatus(browser)).toBe(401)
  })
})

describe('limits', () => {
  afterEach(async () => {
    await setSetting('registrationsPerIp', 20)
    await setSetting('authCodeDailyLimit', 10)
    await setSetting('registrationEnabled', true)
  })

  test('a double submit sends one mail and returns the remaining time (docs/quality.md#r11)', async () => {
    const email = newEmail()
    const browser = new Browser()
    const answers = await Promise.all([1, 2, 3, 4].map(() => askLink(browser.copy(), email)))
    for (const { status, body } of answers) {
      expect(status).toBe(200)
      expect(body.resendIn).toBeGreaterThan(50)
    }
    await runJobs()
    expect(await messagesTo(email)).toHaveLength(1)
    expect(await db().select().from(links).where(eq(links.email, email))).toHaveLength(1)
  })

  test('a repeated job, whose worker died after the mail, sends no second one', async () => {
    const existing = await createUser()
    for (const email of [newEmail(), existing.email]) {
      await askLink(new Browser(), email)
      const { rows } = await db().execute<{ payload: TaskPayloads['registrationMail']; created_at: Date }>(
        sql`select payload, created_at from graphile_worker._private_jobs order by id desc limit 1`,
      )
      await runJobs()
      const [job] = rows
      if (!job) throw new Error('there is no job')
      const again = { job: { attempts: 2, created_at: new Date(job.created_at) } }
      await taskList.registrationMail(job.payload, again as unknown as JobHelpers)
      await runJobs()
      expect(await messagesTo(email)).toHaveLength(1)
      const [link] = await db()
        .select()
        .from(links)
        .where(email === existing.email ? eq(links.userId, existing.id) : eq(links.email, email))
      expect(link?.canceledAt).toBeNull()
    }
  })

  test('an address may request a limited number of links per day, whatever the e-mail', async () => {
    await setSetting('registrationsPerIp', 3)
    const ask = (ip: string) => askLink(new Browser('localhost:3000', ip), newEmail())
    // for IPv6 the network is counted
    const addressOf = (n: number) => `2001:db8:77::${n}`
    for (let n = 0; n < 3; n++) expect((await ask(addressOf(n))).status).toBe(200)
    const refused = await ask(addressOf(9))
    expect(refused).toMatchObject({ status: 429, body: { code: 'registrationDailyLimit' } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(86_000)
    expect((await ask('2001:db8:78::1')).status).toBe(200)
    // and the site too, with twice the limit
    const site = []
    for (let n = 1; n <= 7; n++) site.push((await ask(`2001:db8:79:${n}::1`)).status)
    expect(site).toEqual([...Array(6).fill(200), 429])
  })

  test('an address over its limit of links doesn’t use up the limit of other people’s e-mails', async () => {
    await setSetting('registrationsPerIp', 1)
    await setSetting('authCodeDailyLimit', 2)
    const browser = new Browser()
    expect((await askLink(browser, newEmail())).status).toBe(200)
    const email = newEmail()
    for (let n = 0; n < 4; n++)
      expect(await askLink(browser, email)).toMatchObject({ status: 429, body: { code: 'registrationDailyLimit' } })
    expect((await askLink(new Browser(), email)).status).toBe(200)
  })

  test('an e-mail gets a limited number of links per day, and a refused one may be requested again at once', async () => {
    await setSetting('authCodeDailyLimit', 2)
    const email = newEmail()
    const ask = async () => {
      await passResend()
      return askLink(new Browser(), email)
    }
    for (let n = 0; n < 2; n++) expect((await ask()).status).toBe(200)
    expect(await ask()).toMatchObject({ status: 429, body: { code: 'registrationEmailLimit' } })
    expect(await askLink(new Browser(), email)).toMatchObject({ status: 429 })
    // the counters survive the loss of Redis and contain no addresses
    await redis().flushdb()
    expect((await ask()).status).toBe(429)
    const rows = await db().select().from(dailyCounters)
    expect(JSON.stringify(rows)).not.toContain(email)
  })

  test('while registration is disabled, every call says so', async () => {
    const browser = new Browser()
    const { email, secret } = await startRegistration(browser)
    await setSetting('registrationEnabled', false)
    const answers = [
      await askLink(browser, newEmail()),
      await linkStatus(browser, secret),
      await askMobileCode(browser, secret, newMobile()),
      await verifyMobile(browser, secret, newMobile(), '1234'),
      await finish(browser, secret),
    ]
    for (const answer of answers) expect(answer).toMatchObject({ status: 403, body: { code: 'registrationDisabled' } })
    expect(await accountOf(email)).toBeUndefined()
    await setSetting('registrationEnabled', true)
    expect((await finish(browser, secret)).status).toBe(200)
  })
})

describe('without Redis', () => {
  test('no link and no code can be requested, and a person with a link can still finish (docs/quality.md#r5)', async () => {
    const browser = new Browser()
    const { email, secret } = await startRegistration(browser)
    const bringBack = takeRedisAway()
    const refused = newEmail()
    expect((await askLink(browser, refused)).status).toBe(503)
    expect((await askMobileCode(browser, secret, newMobile())).status).toBe(503)
    expect((await finish(browser, secret)).status).toBe(200)
    bringBack()
    expect(await accountOf(email)).toBeDefined()
    expect(await lastMessageTo(refused)).toBeNull()
    expect((await askLink(browser, refused)).status).toBe(200)
  })
})

describe('a link', () => {
  test('that is unknown, expired, of another kind or opened with another account says so', async () => {
    const browser = new Browser()
    expect(await linkStatus(browser, crypto.randomUUID())).toMatchObject({ status: 404 })
    expect(await linkStatus(browser, 'no-guid')).toMatchObject({ status: 400 })
    const { email, secret } = await startRegistration(browser)
    // in capitals it is the same GUID
    expect((await linkStatus(browser, secret.toUpperCase())).status).toBe(200)
    const signedIn = new Browser()
    const user = await createUser()
    await signInByPassword(signedIn, user.login, 'Correct-horse-7')
    for (const answer of [
      await linkStatus(signedIn, secret),
      await askMobileCode(signedIn, secret, newMobile()),
      await verifyMobile(signedIn, secret, newMobile(), '1234'),
      await finish(signedIn, secret),
    ])
      expect(answer).toMatchObject({ status: 403, body: { code: 'accessError' } })
    const past = new Date(Date.now() - 1000)
    await db().update(links).set({ expiresAt: past }).where(eq(links.email, email))
    for (const answer of [await linkStatus(browser, secret), await finish(browser, secret)])
      expect(answer).toMatchObject({ status: 403, body: { code: 'canceledError', data: { expired: true } } })
    expect(await accountOf(email)).toBeUndefined()

    await askLink(browser, user.email)
    const recovery = /new-password\/([0-9a-f-]{36})/.exec((await lastMessageTo(user.email))?.content.text ?? '')?.[1]
    expect((await linkStatus(browser, recovery ?? '')).status).toBe(404)
  })

  test('is kept for a month after its end, so that late visitors learn why, and then deleted', async () => {
    const browser = new Browser()
    const [old, late] = [await startRegistration(browser), await startRegistration(browser)]
    const days = (n: number) => new Date(Date.now() - n * 86_400_000)
    await db()
      .update(links)
      .set({ expiresAt: days(31) })
      .where(eq(links.email, old.email))
    await db()
      .update(links)
      .set({ expiresAt: days(29) })
      .where(eq(links.email, late.email))
    await runHousekeeping(platformHousekeeping, null)
    expect((await linkStatus(browser, old.secret)).status).toBe(404)
    expect((await linkStatus(browser, late.secret)).status).toBe(403)
  })
})
