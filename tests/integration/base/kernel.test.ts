import { count, eq, inArray, sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { db } from '@/db/client'
import { containing, selectPage } from '@/db/list'
import { idempotencyKeys, roles } from '@/db/schema'
import { cached, dropAllCached, dropCached, invalidate } from '@/lib/base/cache/cache'
import { isListening } from '@/lib/base/cache/notifications'
import { contract, line } from '@/lib/base/contracts/contract'
import { createRoute } from '@/lib/base/http/route'
import { listQuery } from '@/lib/base/lists/lists'
import { AppError } from '@/lib/base/runtime/errors'
import { buildContext } from '@/lib/request/build'
import { cookieJar } from '@/lib/request/cookies'
import { Browser } from '../../factories/browser'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

const contextOf = async (request: Request) => {
  const jar = cookieJar(request.headers.get('cookie'))
  const { ctx } = await buildContext(request.headers, jar.cookies)
  return { ctx, cookieHeaders: jar.headers }
}
const route = createRoute(contextOf)

describe('idempotency keys', () => {
  let runs = 0
  const call = contract({
    name: 'count',
    method: 'POST',
    path: '/count',
    summary: '',
    tag: 'test',
    access: 'public',
    body: z.strictObject({ wait: z.number().optional(), fail: z.boolean().optional(), end: z.string().optional() }),
    response: z.strictObject({ run: z.number() }),
  })
  const handler = route(call, async (_, { body }) => {
    runs++
    if (body.wait) await new Promise((resolve) => setTimeout(resolve, body.wait))
    if (body.fail) throw new AppError(409)
    // a process that dies at the end of a transaction, before it or after it
    if (body.end)
      await db().transaction(async (tx) => {
        await tx.execute(sql`select 1`)
        if (body.end === 'before') throw new Error('died')
      })
    if (body.end) throw new Error('died')
    return { run: runs }
  })
  const post = (browser: Browser, key: string | undefined, body: object = {}) =>
    browser.send(handler, 'POST', { body, headers: key ? { 'idempotency-key': key } : {} })

  test('a repeated request gets the first answer, without a second run', async () => {
    const browser = new Browser()
    const first = await post(browser, 'a')
    expect(await post(browser, 'a')).toMatchObject({ status: 200, body: first.body })
    expect((await post(browser, 'b')).body).not.toEqual(first.body)
    expect((await post(browser, undefined)).body).not.toEqual((await post(browser, undefined)).body)
  })
  test('another request with the same key is refused; another caller has other keys', async () => {
    const browser = new Browser()
    const first = await post(browser, 'c')
    expect(await post(browser, 'c', { wait: 1 })).toMatchObject({ status: 400, body: { code: 'idempotencyKeyReused' } })
    expect((await post(new Browser(), 'c')).body).not.toEqual(first.body)
    expect(await post(browser, 'x'.repeat(300))).toMatchObject({ status: 400 })
  })
  test('of parallel requests one runs', async () => {
    const browser = new Browser()
    const before = runs
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => post(browser.copy(), 'd', { wait: 50 })))
    expect(runs - before).toBe(1)
    // a repeated call gets the stored answer; one that comes before the answer must wait
    const answered = answers.filter(({ status }) => status === 200)
    expect(answered.length).toBeGreaterThan(0)
    for (const { body } of answered) expect(body).toEqual({ run: runs })
    for (const { status, body } of answers.filter((each) => each.status !== 200))
      expect([status, body.code]).toEqual([409, 'idempotencyKeyRunning'])
  })
  test('a run that died is repeated only if it had committed nothing', async () => {
    const browser = new Browser()
    for (const [end, statuses, times] of [
      ['before', [500, 500], 2],
      ['after', [500, 409], 1],
    ] as const) {
      const before = runs
      const [one, other] = [await post(browser, end, { end }), await post(browser, end, { end })]
      expect([one.status, other.status, runs - before]).toEqual([...statuses, times])
    }
    // after a minute nobody can be running any more
    const ofKey = eq(idempotencyKeys.key, 'after')
    await db()
      .update(idempotencyKeys)
      .set({ createdAt: new Date(Date.now() - 120_000) })
      .where(ofKey)
    const before = runs
    expect(await post(browser, 'after', { end: 'after' })).toMatchObject({
      status: 409,
      body: { code: 'idempotencyKeyDone' },
    })
    expect(runs).toBe(before)
    // a day later it is another request
    await db()
      .update(idempotencyKeys)
      .set({ createdAt: new Date(Date.now() - 25 * 3_600_000) })
      .where(ofKey)
    expect((await post(browser, 'after', { end: 'after' })).status).toBe(500)
    expect(runs).toBe(before + 1)
  })
  test('a failed run frees the key, and answers are stored encrypted', async () => {
    const browser = new Browser()
    expect((await post(browser, 'e', { fail: true })).status).toBe(409)
    expect((await post(browser, 'e', { fail: false })).status).toBe(200)
    const rows = await db().select().from(idempotencyKeys).where(eq(idempotencyKeys.key, 'e'))
    expect(rows).toHaveLength(1)
    expect(rows[0]?.answer).not.toContain('run')
  })
})

describe('a route', () => {
  const declared = contract({
    name: 'declared',
    method: 'GET',
    path: '/declared',
    summary: '',
    tag: 'test',
    access: 'public',
    response: z.strictObject({ name: z.string() }),
  })
  test('returns no undeclared fields, and reveals nothing about internal errors', async () => {
    const leaking = route(declared, async () => ({ name: 'x', passwordHash: 'secret' }) as { name: string })
    const throwing = route(declared, async () => {
      throw new Error('select secret from users')
    })
    for (const handler of [leaking, throwing]) {
      const { status, body } = await new Browser().send(handler, 'GET')
      expect(status).toBe(500)
      expect(JSON.stringify(body)).not.toMatch(/secret|select/)
      expect(body).toMatchObject({ code: 'errorUnknown', requestId: expect.any(String), data: {} })
    }
  })
  test('answers 503 with Retry-After when the database can’t be reached', async () => {
    const away = route(declared, async () => {
      throw new Error('Failed query', { cause: Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }) })
    })
    const { status, headers } = await new Browser().send(away, 'GET')
    expect(status).toBe(503)
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  })
  test('checks access before anything else', async () => {
    for (const [access, expected] of [
      ['user', 401],
      [{ area: 'settings' }, 401],
      [{ method: 'monitoringNotifyAccess' }, 401],
    ] as const) {
      const handler = route({ ...declared, access }, async () => ({ name: 'x' }))
      expect((await new Browser().send(handler, 'GET', { query: { surprise: '1' } })).status).toBe(expected)
    }
  })
  test('every answer carries its request id and is not stored', async () => {
    const { headers } = await new Browser().send(
      route(declared, async () => ({ name: 'x' })),
      'GET',
      {
        headers: { 'x-platform-request-id': 'abc' },
      },
    )
    expect(headers.get('x-request-id')).toBe('abc')
    expect(headers.get('cache-control')).toBe('no-store')
  })
})

describe('lists', () => {
  const Query = listQuery({
    filters: { search: line().optional() },
    sorts: ['name', 'code'],
    defaultSort: { by: 'name', order: 'asc' },
  })
  const page = (query: unknown, perPage?: number) =>
    selectPage(
      Query.parse(query),
      perPage,
      {
        sorts: { name: roles.name, code: roles.code },
        filters: {
          search: (text) => inArray(roles.id, db().select({ id: roles.id }).from(roles).where(eq(roles.comment, text))),
        },
        tie: roles.id,
      },
      {
        rows: ({ where, orderBy, limit, offset }) =>
          db()
            .select({ id: roles.id, name: roles.name })
            .from(roles)
            .where(where)
            .orderBy(...orderBy)
            .limit(limit)
            .offset(offset),
        count: async (where) => (await db().select({ total: count() }).from(roles).where(where))[0]?.total ?? 0,
      },
    )

  test('pages don’t overlap even if the sort has ties, and together they are complete', async () => {
    await db()
      .insert(roles)
      .values(Array.from({ length: 45 }, () => ({ name: 'tied', comment: 'tied', roleType: 'contractor' as const })))
    const filter = { search: 'tied' }
    const first = await page({ filter, meta: { perPage: '20' } })
    expect(first.meta).toEqual({ page: 1, perPage: 20, total: 45, pages: 3 })
    expect((await page({ filter, meta: { page: '3' } })).rows).toHaveLength(5)
    expect((await page({ filter }, 50)).rows).toHaveLength(45)
    expect((await page({ filter, meta: { page: '9' } })).rows).toEqual([])
  })
  test.each(['asc', 'desc'] as const)('far pages continue where the previous ones end, %s', async (sort) => {
    const comment = `deep ${sort}`
    const values = Array.from({ length: 2_937 }, (_, n) => ({
      name: `deep ${String(n >> 4).padStart(4, '0')}`,
      comment,
      roleType: 'contractor' as const,
    }))
    await db().insert(roles).values(values)
    const read = (number: number) =>
      page({ filter: { search: comment }, sort, meta: { page: String(number), perPage: '100' } })
    const rows = (await Promise.all(Array.from({ length: 31 }, (_, n) => read(n + 1)))).flatMap((each) => each.rows)
    expect(new Set(rows.map(({ id }) => id)).size).toBe(2_937)
    const names = values.map(({ name }) => name)
    expect(rows.map(({ name }) => name)).toEqual(sort === 'asc' ? names : names.reverse())
    expect((await read(30)).meta).toEqual({ page: 30, perPage: 100, total: 2_937, pages: 30 })
  })
  test.each([
    { sortBy: 'password' },
    { sort: 'up' },
    { filter: { secret: '1' } },
    { meta: { perPage: '7' } },
    { meta: { page: '0' } },
    { meta: { page: 'x' } },
    { other: '1' },
  ])('%j is refused', (query) => expect(Query.safeParse(query).success).toBe(false))
  test('wildcards in a search are plain characters', () => expect(containing('50%_\\')).toBe('%50\\%\\_\\\\%'))
})

test('a cached value is dropped when the transaction that changed it commits, not before, and not after a rollback', async () => {
  let loads = 0
  const read = () => cached('test-value', async () => ++loads)
  expect([await read(), await read()]).toEqual([1, 1])
  await db()
    .transaction(async (tx) => {
      await invalidate(tx, 'test-value')
      throw new Error('no')
    })
    .catch(() => {})
  expect(await read()).toBe(1)
  await db().transaction((tx) => invalidate(tx, 'test-value'))
  await expect.poll(read).toBe(2)
})

describe('the cache of a process', () => {
  const { entries } = (globalThis as unknown as { platformCache: { entries: Map<string, unknown> } }).platformCache
  const loads = new Map<string, number>()
  const read = (key: string, value: unknown = '') =>
    cached(key, async () => {
      loads.set(key, (loads.get(key) ?? 0) + 1)
      return value
    })
  beforeEach(() => {
    dropAllCached()
    loads.clear()
  })

  test('keeps what is read often when many others come, and drops what wasn’t read for longest', async () => {
    for (let n = 0; n < 12_000; n++) {
      await read(`strange:${n}`)
      if (n % 1_000 === 0) await read('settings-like')
    }
    expect(loads.get('settings-like')).toBe(1)
    expect(entries.size).toBe(5_000)
    await Promise.all(['strange:11999', 'strange:0'].map((key) => read(key)))
    expect([loads.get('strange:11999'), loads.get('strange:0')]).toEqual([1, 2])
  })

  test('has a bound of bytes, and keeps nothing that is larger alone', async () => {
    for (let n = 0; n < 100; n++) {
      await read(`large:${n}`, new Map([[n, { texts: ['x'.repeat(1024 ** 2)] }]]))
      await read('settings-like')
    }
    expect(loads.get('settings-like')).toBe(1)
    expect([...entries.keys()].filter((key) => key.startsWith('large:'))).toHaveLength(31)
    await read('enormous', 'x'.repeat(40 * 1024 ** 2))
    expect({
      enormous: entries.has('enormous'),
      settingsLike: entries.has('settings-like'),
      lastLarge: entries.has('large:99'),
    }).toEqual({ enormous: false, settingsLike: true, lastLarge: true })
    dropCached('large')
    for (let n = 0; n < 31; n++) await read(`again:${n}`, 'x'.repeat(1024 ** 2))
    expect(entries.has('again:0')).toBe(true)
  })

  test('drops what has expired', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    try {
      dropAllCached()
      for (let n = 0; n < 100; n++) await read(`strange:${n}`)
      vi.advanceTimersByTime(30_001)
      await read('settings-like')
      expect([...entries.keys()]).toEqual(['settings-like'])
    } finally {
      vi.useRealTimers()
    }
  })
})

test('a value that nobody invalidates is read again after 30 seconds at most, also as a part of another value', async () => {
  await expect.poll(() => isListening()).toBe(true)
  let stored = 'old'
  const part = () => cached('aging:part', async () => stored)
  const whole = () => cached('aging-whole', async () => `made of ${await part()}`)
  vi.useFakeTimers({ toFake: ['performance'] })
  try {
    expect(await part()).toBe('old')
    vi.advanceTimersByTime(20_000)
    expect(await whole()).toBe('made of old')
    // a change without a notification
    stored = 'new'
    vi.advanceTimersByTime(9_000)
    expect(await whole()).toBe('made of old')
    vi.advanceTimersByTime(1_001)
    expect([await whole(), await part()]).toEqual(['made of new', 'new'])
  } finally {
    vi.useRealTimers()
  }
})
