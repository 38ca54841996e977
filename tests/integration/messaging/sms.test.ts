import { createServer, type Server } from 'node:http'
import { type AddressInfo, createServer as createSocketServer, type Server as SocketServer } from 'node:net'
import { eq, sql } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { dailyCounters, messages } from '@/db/schema'
import { sendQueuedMessage } from '@/lib/base/mail-and-sms/send-message'
import { redis } from '@/lib/base/redis/redis'
import { sendSms } from '@/lib/messaging/sender/service'
import { authCode } from '@/lib/sign-in/attempts/contract'
import { mobileCodeState, proveMobile, sendMobileCode } from '@/lib/sign-in/codes/mobile-code'
import { Browser } from '../../factories/browser'
import { plantInvitation } from '../../factories/companies'
import { createContext } from '../../factories/context'
import { askCode as askInvitationCode } from '../../factories/invitation-calls'
import { lastCodeTo, runJobs } from '../../factories/messages'
import { askMobileCode, newMobile, startRegistration } from '../../factories/registration'
import { handlerOf } from '../../factories/routes'
import { begin, prove } from '../../factories/sign-in'
import { createRole, createUser } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

const code = handlerOf(authCode)

type Got = { method: string; path: string; type: string; key: string; body: string }
/** What the gateway does with a request; a number is a status with the body of a success. */
type Behaviour = number | { status?: number; body?: string; headers?: Record<string, string> } | 'silence'

let got: Got[] = []
let behaviour: Behaviour = 200
const gateway = createServer((req, res) => {
  const chunks: Buffer[] = []
  req.on('data', (chunk: Buffer) => chunks.push(chunk))
  req.on('end', () => {
    const { method = '', url = '', headers } = req
    const body = Buffer.concat(chunks).toString('utf8')
    got.push({ method, path: url, type: headers['content-type'] ?? '', key: String(headers['x-key']), body })
    if (behaviour === 'silence') return
    const answer = typeof behaviour === 'number' ? { status: behaviour } : behaviour
    res.writeHead(answer.status ?? 200, { 'content-type': 'application/json', ...answer.headers })
    res.end(answer.body ?? '{"result":"accepted"}')
  })
})
const listen = (server: Server | SocketServer, port = 0) =>
  new Promise<number>((resolve) =>
    server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)),
  )
const close = (server: Server | SocketServer) => {
  if ('closeAllConnections' in server) server.closeAllConnections()
  return new Promise<void>((resolve) => server.close(() => resolve()))
}

// must run before the configuration is read for the first time
const port = await listen(gateway)
process.env.SMS_URL = `http://127.0.0.1:${port}/send?to={{to}}&id={{id}}`
process.env.SMS_HEADERS = '{"X-Key":"gateway-secret"}'
process.env.SMS_BODY = '{"phone":"{{to}}","message":"{{text}}","reference":"{{id}}"}'
process.env.SMS_ACCEPTED = '"result":\\s?"accepted"'
process.env.SMS_TIMEOUT = '1'
useTestDatabase()

beforeEach(async () => {
  got = []
  behaviour = 200
  if (!gateway.listening) await listen(gateway, port)
  await redis().flushdb()
  await db().delete(messages)
  await db().delete(dailyCounters)
})
afterEach(async () => {
  await db().execute(sql`delete from graphile_worker._private_jobs`)
})

let made = 0
const newProof = () => {
  made++
  const mobile = `+7900555${String(1000 + made)}`
  return { purpose: 'registration' as const, owner: `00000000-0000-4000-8000-00000000${1000 + made}`, mobile }
}
/** Returns the counters: by the typed identifier, and by the receiver. */
async function counts() {
  const rows = await db().select().from(dailyCounters)
  const countsOf = (kind: string) => rows.filter((row) => row.kind === kind).map(({ count }) => count)
  return { asked: countsOf('code-asked'), received: countsOf('code') }
}
const times = (count: number) => ({ asked: [count], received: [count] })
const rowTo = async (to: string) => (await db().select().from(messages).where(eq(messages.recipient, to)))[0]

/** Writes an SMS and returns the result of one try. */
async function tried(lastTry = false) {
  const ctx = await createContext()
  const { mobile } = newProof()
  const id = await db().transaction((tx) =>
    sendSms(tx, ctx, {
      template: 'accessApproved',
      to: mobile,
      userId: null,
      values: { company: 'ООО «Ветер» {{to}}' },
    }),
  )
  const thrown = await sendQueuedMessage(id, { lastTry }).then(
    () => null,
    (error: Error) => error.message,
  )
  const row = await rowTo(mobile)
  return { id, mobile, thrown, status: row?.status, error: row?.error ?? null }
}

describe('the gateway', () => {
  test('gets address, headers and body by template, each value encoded for its place', async () => {
    const { id, mobile, status } = await tried()
    expect(status).toBe('sent')
    expect(got).toHaveLength(1)
    expect(got[0]).toMatchObject({ method: 'POST', key: 'gateway-secret', type: 'application/json' })
    expect(got[0]?.path).toBe(`/send?to=${encodeURIComponent(mobile)}&id=${id}`)
    const { phone, message, reference } = JSON.parse(got[0]?.body ?? '')
    expect([phone, reference]).toEqual([mobile, id])
    // a placeholder inside a value isn't replaced
    expect(message).toContain('ООО «Ветер» {{to}}')
  })

  test.each<[string, Behaviour, RegExp]>([
    ['fails', 503, /failed \(503\)/],
    ['is too busy', 429, /refused \(429\)/],
    ['runs out of time itself', 408, /refused \(408\)/],
    ['says nothing', 'silence', /did not answer in time/],
    ['says something else', { body: '<html>Welcome</html>' }, /not what SMS_ACCEPTED asks for/],
    ['answers 200 with an error inside', { body: '{"result":"error"}' }, /not what SMS_ACCEPTED asks for/],
    ['redirects', { status: 302, headers: { location: `http://127.0.0.1:${port}/elsewhere` } }, /redirects \(302\)/],
  ])('%s: the message waits for another try, and after the last one is given up', async (_, does, error) => {
    behaviour = does
    expect(await tried()).toMatchObject({
      status: 'queued',
      error: expect.stringMatching(error),
      thrown: expect.stringMatching(error),
    })
    expect(got).toHaveLength(1)
    expect(await tried(true)).toMatchObject({ status: 'failed', thrown: null })
    behaviour = 200
    expect(await tried()).toMatchObject({ status: 'sent', error: null })
  })

  test.each([400, 401, 403, 404, 422])('refuses with %i: the message is given up at once', async (status) => {
    behaviour = status
    expect(await tried()).toMatchObject({
      status: 'failed',
      thrown: null,
      error: `the SMS gateway refused (${status})`,
    })
  })

  test('is down, or doesn’t speak HTTP: the message is tried again, and no secret is stored', async () => {
    await close(gateway)
    const down = await tried()
    expect(down).toMatchObject({ status: 'queued', error: 'the SMS gateway is away (ECONNREFUSED)' })
    const babbler = createSocketServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', () => socket.end('220 this is a mail server\r\n', () => socket.destroy()))
    })
    await listen(babbler, port)
    const babbled = await tried()
    await close(babbler)
    expect(babbled).toMatchObject({ status: 'queued', error: expect.stringMatching(/gateway is away/) })
    for (const { error, mobile } of [down, babbled]) {
      expect(error).not.toContain(mobile)
      expect(error).not.toMatch(/gateway-secret|127\.0\.0\.1/)
    }
  })
})

describe('a code that proves a mobile', () => {
  test('was sent when the answer comes; its job sends no second one', async () => {
    const proof = newProof()
    const ctx = await createContext()
    const state = await sendMobileCode(ctx, proof)
    expect(state.resendIn).toBe(60)
    expect(got).toHaveLength(1)
    expect(await rowTo(proof.mobile)).toMatchObject({ status: 'sent', attempts: 1 })
    await db().execute(sql`update graphile_worker._private_jobs set run_at = now()`)
    const digits = await lastCodeTo(proof.mobile)
    expect(got).toHaveLength(1)
    await proveMobile(ctx, proof, digits)
  })

  test('is sent by its job if the process died before it could be sent', async () => {
    const ctx = await createContext()
    const { mobile } = newProof()
    await db().transaction((tx) =>
      sendSms(tx, ctx, {
        template: 'mobileCode',
        to: mobile,
        userId: null,
        values: { code: '1234' },
        triedFirst: true,
      }),
    )
    await runJobs()
    expect(got).toHaveLength(0)
    await db().execute(sql`update graphile_worker._private_jobs set run_at = now()`)
    await runJobs()
    expect(got).toHaveLength(1)
    expect(await rowTo(mobile)).toMatchObject({ status: 'sent' })
  })

  test.each<[string, Behaviour]>([
    ['failing', 500],
    ['refusing', 400],
    ['silent', 'silence'],
    ['answering nonsense', { body: 'ok?' }],
  ])('and a gateway %s: 503, nothing is counted, and another may be requested at once', async (_, does) => {
    const proof = newProof()
    const ctx = await createContext()
    behaviour = does
    await expect(sendMobileCode(ctx, proof)).rejects.toMatchObject({
      status: 503,
      code: 'smsUnavailable',
      retryAfter: 30,
    })
    expect(await counts()).toEqual(times(0))
    expect(await mobileCodeState(proof)).toEqual({ resendIn: 0, endTime: null })
    expect(await rowTo(proof.mobile)).toMatchObject({ status: 'failed', error: expect.stringContaining('SMS gateway') })

    // while it is known to be unavailable no request is sent, and nothing is counted
    await redis().set('sms-gateway-down', '1', 'EX', 30)
    await expect(sendMobileCode(ctx, proof)).rejects.toMatchObject({ status: 503, code: 'smsUnavailable' })
    expect(got).toHaveLength(1)
    expect(await counts()).toEqual(times(0))

    await redis().del('sms-gateway-down')
    behaviour = 200
    expect((await sendMobileCode(ctx, proof)).resendIn).toBe(60)
    expect(await counts()).toEqual(times(1))
  })

  test('for a number that the gateway refuses doesn’t stop codes to others; an unavailable gateway does', async () => {
    const ctx = await createContext()
    for (const [does, shuts] of [
      [400, false],
      [{ body: '{"result":"unknown number"}' }, false],
      [500, true],
    ] as const) {
      behaviour = does
      await expect(sendMobileCode(ctx, newProof())).rejects.toMatchObject({ code: 'smsUnavailable' })
      expect((await redis().ttl('sms-gateway-down')) > 0).toBe(shuts)
    }
  })

  test('that reached the daily limit because of one that was never sent lifts the block', async () => {
    const ctx = await createContext()
    const proof = newProof()
    const codes = 10
    for (let n = 0; n < codes; n++) {
      await redis().flushdb()
      await sendMobileCode(ctx, proof)
    }
    await redis().flushdb()
    await expect(sendMobileCode(ctx, proof)).rejects.toMatchObject({ status: 429, code: 'codeDailyLimit' })
    // it turns out that one of the ten was not sent
    const [row] = await db().select().from(messages).where(eq(messages.recipient, proof.mobile)).limit(1)
    await db()
      .update(messages)
      .set({ status: 'queued' })
      .where(eq(messages.id, row?.id ?? ''))
    behaviour = 400
    await sendQueuedMessage(row?.id ?? '', { lastTry: false })
    await sendQueuedMessage(row?.id ?? '', { lastTry: false })
    expect(await counts()).toEqual(times(codes - 1))
    behaviour = 200
    await redis().flushdb()
    await sendMobileCode(ctx, proof)
    await redis().flushdb()
    await expect(sendMobileCode(ctx, proof)).rejects.toMatchObject({ code: 'codeDailyLimit' })
  })
})

describe('a link’s own limit of codes', () => {
  test('of a registration doesn’t count codes that couldn’t be sent (docs/quality.md#r9)', async () => {
    const browser = new Browser()
    const { secret } = await startRegistration(browser)
    const mobile = newMobile()
    for (const down of ['known', 'met']) {
      behaviour = 500
      for (let n = 0; n < 11; n++) {
        if (down === 'known') await redis().set('sms-gateway-down', '1', 'EX', 30)
        else await redis().flushdb()
        const asked = await askMobileCode(browser, secret, mobile)
        expect(asked).toMatchObject({ status: 503, body: { code: 'smsUnavailable' } })
      }
    }
    behaviour = 200
    await redis().flushdb()
    expect((await askMobileCode(browser, secret, mobile)).status).toBe(200)
  })

  test('of an invitation doesn’t count them either, nor requests within the resend time', async () => {
    const { guid } = await plantInvitation()
    const browser = new Browser()
    const mobile = newMobile()
    await redis().set('sms-gateway-down', '1', 'EX', 30)
    for (let n = 0; n < 31; n++) expect((await askInvitationCode(browser, guid, mobile)).status).toBe(503)
    behaviour = 500
    for (let n = 0; n < 31; n++) {
      await redis().del('sms-gateway-down')
      expect((await askInvitationCode(browser, guid, mobile)).status).toBe(503)
    }
    await redis().del('sms-gateway-down')
    behaviour = 200
    for (let n = 0; n < 31; n++) expect((await askInvitationCode(browser, guid, mobile)).status).toBe(200)
    expect(got.filter(({ body }) => body.includes(mobile))).toHaveLength(32)
  })
})

describe('a sign-in code', () => {
  const ask = (browser: Browser, login: string) =>
    browser.send(code, 'POST', { params: { idAttribute: 'login' }, body: { flow: 'sms_code', login } })

  async function codeUser() {
    const role = await createRole({ firstFactor: ['sms_code'] })
    return createUser({ roles: [role] })
  }
  async function begun(login: string) {
    const browser = new Browser()
    await begin(browser, login)
    return browser
  }

  /** An unknown login that is offered an SMS code, as a known one is. */
  async function strangerWithSms() {
    for (let n = 0; n < 200; n++) {
      const login = `nobody.${n}`
      const { body } = await begin(new Browser(), login)
      if ((body.flows as string[]).includes('sms_code')) return login
    }
    throw new Error('no stranger is offered an SMS code')
  }

  test('arrives and signs in', async () => {
    const user = await codeUser()
    const browser = await begun(user.login)
    expect((await ask(browser, user.login)).status).toBe(200)
    const digits = await lastCodeTo(user.mobile)
    expect(JSON.parse(got[0]?.body ?? '{}').message).toMatch(new RegExp(`@localhost #${digits}$`))
    expect((await prove(browser, user.login, { flow: 'sms_code', code: digits })).status).toBe(200)
  })

  test('with an unavailable gateway answers 503 for known and unknown alike, uncounted', async () => {
    const [user, other] = [await codeUser(), await codeUser()]
    const browser = await begun(user.login)
    behaviour = 502
    expect((await ask(browser, user.login)).status).toBe(200)
    await runJobs()
    expect(await rowTo(user.mobile)).toMatchObject({ status: 'queued', attempts: 1 })
    const before = await counts()

    const seconds = []
    for (const login of [user.login, other.login, await strangerWithSms()]) {
      const asked = await ask(await begun(login), login)
      expect(asked).toMatchObject({ status: 503, body: { code: 'smsUnavailable', data: {} } })
      seconds.push(Number(asked.headers.get('retry-after')))
    }
    for (const each of seconds) expect(each > 0 && each <= 30).toBe(true)
    expect(await counts()).toEqual(before)

    // a success ends the pause early
    behaviour = 200
    await tried()
    expect((await ask(await begun(other.login), other.login)).status).toBe(200)
  })

  test('that was not delivered is silently uncounted for its receiver, dropped or given up', async () => {
    const user = await codeUser()
    behaviour = 502
    await ask(await begun(user.login), user.login)
    await runJobs()
    expect(await counts()).toEqual(times(1))
    const row = await rowTo(user.mobile)
    const late = new Date(Date.now() + 3_600_000)
    expect(await sendQueuedMessage(row?.id ?? '', { lastTry: false, now: late })).toBe('dropped')
    // the typed identifier stays counted, so that an unknown one doesn't differ
    expect(await counts()).toEqual({ asked: [1], received: [0] })

    await redis().flushdb()
    await db().delete(messages)
    behaviour = 400
    await ask(await begun(user.login), user.login)
    await runJobs()
    expect(await rowTo(user.mobile)).toMatchObject({ status: 'failed' })
    expect(await counts()).toEqual({ asked: [2], received: [0] })
  })
})
