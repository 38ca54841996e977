import { count, sql } from 'drizzle-orm'
import pg from 'pg'
import { afterEach, expect, test, vi } from 'vitest'
import { db } from '@/db/client'
import { dailyCounters } from '@/db/schema'
import { redis } from '@/lib/base/redis/redis'
import { thirty } from '../../factories/at-once'
import { Browser } from '../../factories/browser'
import { ask, codeUser, enter, forgetAsked, passResend, wrong } from '../../factories/codes'
import { lastCodeTo } from '../../factories/messages'
import { keysWithoutEnd } from '../../factories/redis-keys'
import { setSetting } from '../../factories/settings'
import { begin } from '../../factories/sign-in'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

afterEach(async () => {
  vi.restoreAllMocks()
  await setSetting('authCodeDailyLimit', 10)
})

/** Makes the statement that counts a request fail in PostgreSQL. */
function failCounting() {
  const prototype = pg.Client.prototype as unknown as { query: (...args: unknown[]) => unknown }
  const { query } = prototype
  vi.spyOn(prototype, 'query').mockImplementation(function (this: unknown, ...args) {
    const [config, , ...rest] = args as [{ text?: string }, ...unknown[]]
    const counts = config.text?.includes('insert into "daily_counters"')
    return counts ? query.call(this, { text: 'select 1 / 0' }, [], ...rest) : query.apply(this, args)
  })
}

type Person = Awaited<ReturnType<typeof codeUser>>

async function sent(browser: Browser, { login, email }: Person) {
  await passResend()
  expect((await ask(browser, login)).status).toBe(200)
  return lastCodeTo(email)
}

async function started() {
  const person = await codeUser()
  const browser = new Browser()
  await begin(browser, person.login)
  return { person, browser }
}

const jobs = async () =>
  (await db().execute(sql`select 1 from graphile_worker.jobs where task_identifier = 'signInCode'`)).rowCount

/** What can go wrong with a request after its code was stored, and with which status it answers. */
const failures: [string, number, (request: () => Promise<{ status: number }>) => Promise<{ status: number }>][] = [
  [
    'the daily limit refuses',
    429,
    async (request) => {
      await setSetting('authCodeDailyLimit', 2)
      return request()
    },
  ],
  [
    'the database fails',
    500,
    (request) => {
      failCounting()
      return request()
    },
  ],
  [
    'Redis stores it and its answer is lost',
    503,
    async (request) => {
      const client = redis()
      const run = client.eval.bind(client) as (...args: unknown[]) => Promise<unknown>
      vi.spyOn(client, 'eval').mockImplementationOnce((async (...args: unknown[]) => {
        await run(...args)
        throw new Error('Command timed out')
      }) as never)
      return request()
    },
  ],
]

test.each(failures)(
  'if %s, the code from before stays with its entries, and none from before that returns',
  async (_, status, failing) => {
    await forgetAsked()
    const { person, browser } = await started()
    const replaced = await sent(browser, person)
    const current = await sent(browser, person)
    expect((await enter(browser, person.login, wrong(current))).status).toBe(400)
    await passResend()
    const key = (await redis().keys('code:email_code:*')).find((name) => !name.endsWith(':before')) ?? ''
    const before = await redis().hgetall(key)
    const waiting = await jobs()
    expect((await failing(() => ask(browser, person.login))).status).toBe(status)
    vi.restoreAllMocks()
    expect(await redis().hgetall(key)).toEqual(before)
    expect(await redis().keys('code-resend:*')).toEqual([])
    expect(await jobs()).toBe(waiting)
    expect(await keysWithoutEnd()).toEqual([])
    if (replaced !== current) expect((await enter(browser, person.login, replaced)).status).toBe(400)
    expect((await enter(browser, person.login, current)).body).toMatchObject({ next: 'done' })
    await redis().flushdb()
  },
)

test('if the first request fails, there is no code, and another may be requested at once', async () => {
  await forgetAsked()
  const { person, browser } = await started()
  failCounting()
  expect((await ask(browser, person.login)).status).toBe(500)
  vi.restoreAllMocks()
  expect(await redis().keys('code:email_code:*')).toEqual([])
  expect(await ask(browser, person.login)).toMatchObject({ status: 200, body: { resendIn: 60 } })
})

test('of thirty requests at once one is counted and sends', async () => {
  await forgetAsked()
  const { person, browser } = await started()
  const waiting = (await jobs()) ?? 0
  const answers = await thirty(() => ask(browser, person.login))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  expect(await jobs()).toBe(waiting + 1)
  expect((await db().select({ rows: count() }).from(dailyCounters))[0]?.rows).toBe(1)
  expect((await db().select({ times: dailyCounters.count }).from(dailyCounters))[0]?.times).toBe(1)
})

test('of thirty requests beside the daily limit, each in another attempt, as many send as it allows', async () => {
  await forgetAsked()
  await setSetting('authCodeDailyLimit', 3)
  const person = await codeUser()
  const browsers = await thirty(async () => {
    const browser = new Browser()
    await begin(browser, person.login)
    return browser
  })
  const waiting = (await jobs()) ?? 0
  const statuses: number[] = []
  for (let sending = 0; sending < 30; sending += 6) {
    const group = browsers.slice(sending, sending + 6)
    const answers = await Promise.all(
      group.map(async (browser) => {
        await passResend()
        return ask(browser, person.login)
      }),
    )
    statuses.push(...answers.map(({ status }) => status))
  }
  expect(await jobs()).toBe(waiting + 3)
  expect(statuses).toContain(429)
})
