import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'drizzle-orm'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { cleanse } from '@/bin/server/inbound'
import { createPageCache } from '@/bin/server/page-cache'
import { newNonce, securityHeaders } from '@/bin/server/security-headers'
import { db } from '@/db/client'
import { cached, dropAllCached, dropCached, invalidate } from '@/lib/base/cache/cache'
import { ensureListening } from '@/lib/base/cache/notifications'
import { issueFormToken } from '@/lib/base/http/form-token'
import { redis } from '@/lib/base/redis/redis'
import { AppError } from '@/lib/base/runtime/errors'
import { formTokenHeader } from '@/lib/request/page-headers'
import { caseNumbers, eachRound } from '../../factories/random-cases'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()
beforeEach(async () => {
  // its beginning drops what is cached
  expect(await ensureListening()).toBe(true)
  dropAllCached()
})

type Render = (req: IncomingMessage, res: ServerResponse) => unknown

/** A server whose pages `render` makes in place of Next. */
async function serverOf(render: Render) {
  const security = securityHeaders({ https: false, dev: false })
  let renders = 0
  const byNext = async (req: IncomingMessage, res: ServerResponse) => {
    renders++
    await render(req, res)
  }
  const answer = createPageCache(byNext, security)
  const failures: unknown[] = []
  const server = createServer((req, res) => {
    cleanse(req.headers)
    const [nonce, token] = [newNonce(), issueFormToken((req.headers['x-browser-of-test'] as string) ?? '', Date.now())]
    res.setHeader('x-token-of-test', token)
    req.headers['content-security-policy'] = security.policy(nonce)
    res.setHeader('x-nonce-of-test', nonce)
    const done = async () => {
      if (await answer(req, res, { nonce, token }, 'request')) return
      res.setHeader('x-next', '1')
      await byNext(req, res)
    }
    done().catch((error) => {
      failures.push(error)
      res.writeHead(error instanceof AppError ? error.status : 500).end()
    })
  }).listen(0)
  onTestFinished(() => void server.close())
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const get = async (headers: Record<string, string> = {}, method = 'GET') => {
    const response = await fetch(`${origin}/platform/login`, { headers, method, redirect: 'manual' })
    return { status: response.status, text: await response.text(), headers: response.headers }
  }
  return { get, renders: () => renders, failures }
}

const nonceOf = ({ headers }: IncomingMessage) =>
  /'nonce-([^']+)'/.exec(String(headers['content-security-policy']))?.[1]

/** A page as Next sends it, in several pieces, with all that it was asked with. */
const page =
  (text: () => unknown): Render =>
  async (req, res) => {
    const written = await text()
    res.setHeader('content-type', 'text/html')
    res.setHeader('link', `</x>; nonce="${nonceOf(req)}"`)
    res.write('<script src="/next.js"></script><link rel="preload" as="script" href="/next.js"/>')
    res.write(`<script data-page-script nonce="${nonceOf(req)}">`)
    await new Promise((resolve) => setImmediate(resolve))
    res.write(`${written}</script><i>${JSON.stringify(req.headers)}</i>`)
    res.end()
  }

test('thirty visitors at once are answered by one rendering, each with a nonce of their own in every place', async () => {
  const { get, renders } = await serverOf(page(() => cached('settings', async () => 'text')))
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, n) => get({ 'accept-encoding': n % 2 ? 'gzip' : '' })),
  )
  expect(renders()).toBe(1)
  const nonces = answers.map(({ headers }) => headers.get('x-nonce-of-test') ?? '')
  expect(new Set(nonces).size).toBe(30)
  for (const [at, { text, headers }] of answers.entries()) {
    expect(text).toContain(`<script data-page-script nonce="${nonces[at]}">text`)
    expect(text).toContain(`"${formTokenHeader}":"${headers.get('x-token-of-test')}"`)
    expect(text).not.toContain('next.js')
    expect(headers.get('link')).toBe(`</x>; nonce="${nonces[at]}"`)
    // neither another visitor's nonce nor the placeholder
    expect(text.match(/nonce[="-]+[^"' ]+/g)?.filter((each) => !each.includes(nonces[at] ?? '?'))).toEqual([])
  }
  expect(
    new Set(
      answers.map(({ text }, at) =>
        text.replaceAll(nonces[at] ?? '', '').replaceAll(answers[at]?.headers.get('x-token-of-test') ?? '', ''),
      ),
    ).size,
  ).toBe(1)
})

test('a page is rendered again as soon as a part of it was invalidated, whenever that was', async () => {
  let stored = 1
  let rendering = () => {}
  let goOn = Promise.resolve()
  const { get, renders } = await serverOf(
    page(async () => {
      const value = await cached('settings-like', async () => `value ${stored}`)
      rendering()
      await goOn
      return value
    }),
  )
  expect((await get()).text).toContain('value 1')
  stored++
  expect((await get()).text).toContain('value 1')
  await db().transaction((tx) => invalidate(tx, 'settings-like'))
  await expect.poll(async () => (await get()).text).toContain('value 2')
  expect(renders()).toBe(2)

  // a change while it is rendered: who asks afterwards gets the new text, although the old one is still on its way
  dropAllCached()
  const begun = new Promise<void>((resolve) => (rendering = resolve))
  let end = () => {}
  goOn = new Promise((resolve) => (end = resolve))
  const before = get()
  await begun
  stored++
  dropCached('settings-like')
  const after = get()
  // their request has come in before the rendering goes on
  await expect.poll(renders).toBe(3)
  end()
  expect((await before).text).toContain('value 2')
  expect((await after).text).toContain('value 3')
  expect((await get()).text).toContain('value 3')
})

test('what must not be stored goes to Next, each time', async () => {
  const others: [string, Render][] = [
    ['a page that sets a cookie', (_, res) => void res.setHeader('set-cookie', 'a=b').end('x')],
    ['a redirect', (_, res) => void res.writeHead(307, { location: '/x' }).end()],
    ['a missing page', (_, res) => void res.writeHead(404).end('x')],
    ['a failure', (_, res) => void res.writeHead(500).end('x')],
    ['a page that reads the database itself', page(() => db().execute(sql`select 1`))],
    ['a page that reads Redis itself', page(() => redis().get('x'))],
  ]
  for (const [name, render] of others) {
    const { get, renders } = await serverOf(render)
    const first = await get()
    for (let n = 0; n < 3; n++) {
      const { status, headers, text } = await get()
      expect([status, headers.get('x-next')], name).toEqual([first.status, '1'])
      expect(text, name).not.toMatch(/nonce="[0-9a-f]{32}"/)
    }
    // once to see it, then for each
    expect(renders(), name).toBeLessThanOrEqual(5)
  }
})

test('a store that is unavailable is reported as such, and nothing of it stays', async () => {
  let away = true
  const outage = new AppError(503, 'unavailable')
  const { get, failures } = await serverOf((req, res) => {
    if (!away) return page(() => 'back')(req, res)
    console.error(outage)
    res.writeHead(500).end()
  })
  const { captureConsole } = await import('@/bin/last-words')
  const methods = { ...console }
  captureConsole()
  try {
    expect((await Promise.all([get(), get()])).map(({ status }) => status)).toEqual([503, 503])
  } finally {
    Object.assign(console, methods)
  }
  expect(failures).toEqual([outage, outage])
  away = false
  expect((await get()).text).toContain('back')
})

test('a rendering that breaks off or never ends keeps nobody waiting who comes later', async () => {
  let broken = true
  const { get } = await serverOf((req, res) => (broken ? void res.destroy() : page(() => 'whole')(req, res)))
  expect((await get().catch(() => ({ status: 0 }))).status).not.toBe(200)
  broken = false
  expect((await get()).text).toContain('whole')

  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  let hangs = true
  const slow = await serverOf((req, res) => (hangs ? undefined : page(() => 'whole')(req, res)))
  slow.get().catch(() => {})
  await expect.poll(slow.renders).toBe(1)
  hangs = false
  vi.advanceTimersByTime(10_001)
  expect((await slow.get()).text).toContain('whole')
})

test('pages of one process have a bound of bytes, and those that are asked for stay', async () => {
  const { get, renders } = await serverOf(page(() => 'x'.repeat(1_000_000)))
  expect((await get()).status).toBe(200)
  const zones = Intl.supportedValuesOf('timeZone').slice(0, 40)
  for (const zone of zones) {
    await get({ cookie: `timeZone=${encodeURIComponent(zone)}` }, 'HEAD')
    await get({}, 'HEAD')
  }
  expect(renders()).toBe(zones.length + 1)
  // 32 MiB have room for a part of the zones: the first ones were dropped, the last one wasn't
  await get({ cookie: `timeZone=${encodeURIComponent(zones.at(-1) ?? '')}` }, 'HEAD')
  expect(renders()).toBe(zones.length + 1)
  await get({ cookie: `timeZone=${encodeURIComponent(zones[0] ?? '')}` }, 'HEAD')
  expect(renders()).toBe(zones.length + 2)
})

const random = caseNumbers(8)
const pick = <T>(values: readonly T[]): T => values[random(values.length)] as T

test('random visitors: what reaches the page has nothing of any of them, and is as new as its parts', async () => {
  const versions = new Map<string, number>()
  // the page shows each header that reaches it
  const { get } = await serverOf(page(() => cached('random-part', async () => versions.get('random-part') ?? 0)))
  let last = ''
  for (const _ of eachRound(300)) {
    const mark = `mark${random(10 ** 9)}`
    const cookie = [
      ...(random(2) ? [`locale=${pick(['ru', 'en', mark])}`] : []),
      ...(random(2) ? [`theme=${pick(['dark', 'light', mark])}`] : []),
      ...(random(2) ? [`timeZone=${pick(['Europe%2FMoscow', 'Asia%2FTokyo', mark])}`] : []),
      ...(random(2) ? [`cookieConsent=${pick(['1', mark])}`] : []),
      ...(random(2) ? [`deviceType=${mark}`] : []),
    ].join('; ')
    const headers = {
      'user-agent': `${pick(['Mozilla/5.0 (X11)', 'iPhone', 'iPad'])} ${mark}`,
      'accept-language': pick(['ru', 'en', mark]),
      ...(cookie ? { cookie } : {}),
      ...Object.fromEntries(
        [
          'referer',
          'x-nonce',
          'x-forwarded-host',
          'x-platform-now',
          'x-middleware-rewrite',
          'x-custom',
          'if-none-match',
          'range',
        ]
          .filter(() => random(2))
          .map((name) => [name, mark]),
      ),
    }
    if (random(10) === 0) {
      versions.set('random-part', (versions.get('random-part') ?? 0) + 1)
      dropCached('random-part')
    }
    const { text, status, headers: answered } = await get(headers)
    const about = JSON.stringify(headers)
    expect([status, answered.get('x-next')], about).toEqual([200, null])
    expect(text, about).not.toMatch(/mark\d/)
    expect(text, about).toContain(`">${versions.get('random-part') ?? 0}<`)
    const nonce = answered.get('x-nonce-of-test') ?? ''
    expect(nonce).not.toBe(last)
    if (last) expect(text).not.toContain(last)
    last = nonce
    const body = await get(headers, 'HEAD')
    expect([body.status, body.text, body.headers.get('content-type')], about).toEqual([200, '', 'text/html'])
  }
})
