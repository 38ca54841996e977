import { request } from 'node:http'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import { and, eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { domainLocales } from '@/db/schema'
import { partnersId } from '@/db/seed/demo/domains'
import { invalidate } from '@/lib/base/cache/cache'
import { randomToken } from '@/lib/base/crypto/encryption'
import { partnersHost } from '../factories/demo'
import { randomNumbers } from '../factories/random'
import { rounds, seedOf } from '../setup/scope'
import { leavesNothing } from './nothing-left'
import { ownPerson } from './own-people'
import { cookiesOf } from './signed-in'
import { expect, test } from './turn'

// Next renders each visitor’s page too
test.setTimeout(180_000)
leavesNothing()

type Answer = { status: number; headers: Record<string, string | string[] | undefined>; body: string }
type Ask = { path?: string; headers?: Record<string, string>; method?: string; address?: string }

const decoders: Record<string, (bytes: Buffer) => Buffer> = {
  gzip: gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
}

/** Sends headers unchanged, and decodes the body. */
const ask = ({ path = '/platform/login', headers = {}, method = 'GET', address = process.env.PUBLIC_URL ?? '' }: Ask) =>
  new Promise<Answer>((resolve, reject) => {
    const { port } = new URL(address)
    request({ hostname: '127.0.0.1', port, path, method, headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const bytes = Buffer.concat(chunks)
        const decode = bytes.length > 0 && decoders[String(response.headers['content-encoding'])]
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: (decode ? decode(bytes) : bytes).toString(),
        })
      })
    })
      .on('error', reject)
      .end()
  })

/** A cookie that nobody knows: the page comes from Next, which doesn't read it. */
const fromNext = (headers: Record<string, string> = {}) => ({
  ...headers,
  cookie: [headers.cookie, 'unheard=1'].filter(Boolean).join('; '),
})
const isCached = ({ headers }: Answer) => 'content-length' in headers

/** The tokens of the forms of a page. */
const tokensIn = ({ body }: Answer) =>
  new Set([...body.matchAll(/name="token" value="([^"]+)"/g)].map(([, token]) => token))
const browserIn = ({ headers }: Answer) => /platform-browser=([\w-]+)/.exec(String(headers['set-cookie']))?.[1]

const nonceIn = ({ headers }: Answer) => /'nonce-([^']+)'/.exec(String(headers['content-security-policy']))?.[1] ?? ''

/** What holds the place of parts that come later. */
const scaffold = /^(?:<!--.*|<template .*|<\/template>|<div hidden.*|<\/div>)$/

/**
 * What a browser gets of an answer, without what is new each time. Next writes the parts of a page in the order in which
 * they are ready: metadata may come in the head or later, files that are loaded early in any number.
 */
function contentOf(answer: Answer) {
  let plain = answer.body.replaceAll(nonceIn(answer), 'NONCE')
  for (const token of tokensIn(answer)) plain = plain.replaceAll(token ?? '', 'TOKEN')
  return (plain.replace(/<link rel="preload"[^>]*>/g, '').match(/<[^>]*>|[^<]+/g) ?? [])
    .filter((piece) => !scaffold.test(piece))
    .toSorted()
}

/** The headers of an answer, without those of sending it and what is new each time. */
function headersOf(answer: Answer) {
  const each = [
    'date',
    'x-request-id',
    'content-length',
    'transfer-encoding',
    'content-encoding',
    'connection',
    'keep-alive',
  ]
  // Next lists there what it knew before the page began
  const entries = Object.entries(answer.headers).filter(([name]) => !each.includes(name) && name !== 'link')
  return Object.fromEntries(
    entries.map(([name, value]) => [
      name,
      name === 'vary'
        ? String(value).toLowerCase().split(/,\s*/).toSorted()
        : String(value)
            .replaceAll(nonceIn(answer), 'NONCE')
            .replace(browserIn(answer) ?? /^$/, 'BROWSER'),
    ]),
  )
}

const phone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1'

test('random visitors: each gets what Next answers, new nonces, and nothing that another one has sent', async () => {
  const random = randomNumbers(seedOf(111))
  const pick = <T>(values: readonly T[]): T => values[random(values.length)] as T
  const some = (all: Record<string, () => string>) =>
    Object.fromEntries(Object.entries(all).flatMap(([name, value]) => (random(2) ? [[name, value()]] : [])))
  const { login } = await ownPerson('employee')
  const session = await cookiesOf(login)
  const nonces = new Set<string>()
  const tokens = new Set<string>()
  const marks: string[] = []
  let [cachedAnswers, others] = [0, 0]
  for (let round = 0; round < rounds(60); round++) {
    const mark = `mark${random(10 ** 9)}`
    marks.push(mark)
    const cookies = some({
      locale: () => pick(['ru', 'en', mark]),
      theme: () => pick(['dark', 'light', mark]),
      timeZone: () => pick(['Europe%2FMoscow', 'Asia%2FTokyo', mark]),
      cookieConsent: () => pick(['1', mark]),
      deviceType: () => pick(['mobile', mark]),
      'platform-browser': () => pick([randomToken(), mark]),
    })
    if (random(5) === 0)
      Object.assign(cookies, { [pick(['Theme', 'LOCALE', 'account', 'platform-attempt', '_ga'])]: mark })
    const lines = Object.entries(cookies).map(([name, value]) => `${name}=${value}`)
    if (random(8) === 0) lines.push('theme=light', 'theme=dark')
    if (random(8) === 0) lines.push(session)
    const headers: Record<string, string> = {
      host: pick(['localhost', partnersHost, `${mark}.evil.example`]),
      ...some({
        'user-agent': () => `${pick([phone, 'Mozilla/5.0 (X11; Linux x86_64)', 'curl/8'])} ${mark}`,
        'accept-language': () => pick(['en', 'ru', `${mark},en;q=0.5`]),
        'accept-encoding': () => pick(['gzip', 'deflate', 'gzip;q=0', 'br, gzip', `${mark}`]),
        referer: () => `https://${mark}.example/`,
        'x-nonce': () => mark,
        'x-platform-now': () => '1',
        'x-forwarded-host': () => `${mark}.example`,
        'x-forwarded-for': () => '203.0.113.9',
        'x-forwarded-proto': () => 'https',
        'x-middleware-rewrite': () => `/${mark}`,
        'x-middleware-override-headers': () => 'host',
        'x-original-url': () => `/${mark}`,
        'content-security-policy': () => `script-src 'nonce-${mark}'`,
        'x-filler': () => mark.padEnd(pick([100, 8_000]), 'x'),
        'if-none-match': () => '*',
        'if-modified-since': () => 'Mon, 30 Nov 2026 00:00:00 GMT',
        range: () => 'bytes=0-10',
      }),
      ...(lines.length > 0 ? { cookie: lines.join('; ') } : {}),
      ...(random(8) === 0 ? { 'next-url': `/${mark}` } : {}),
    }
    const path = pick(['/platform/login', '/platform/registration', '/platform/forgot-password', '/platform/help'])
    const method = random(6) === 0 ? 'HEAD' : 'GET'
    const address = method === 'GET' && random(10) === 0 ? `${path}?search=${mark}` : path
    const about = `${method} ${address} ${JSON.stringify(headers)}`
    // what Next has never rendered it may render in another order
    await ask({ path: address, headers: fromNext(headers) })
    const [first, second, plain] = [
      await ask({ path: address, headers, method }),
      await ask({ path: address, headers, method }),
      await ask({ path: address, headers: fromNext(headers), method }),
    ]
    for (const answer of [first, second]) {
      expect(answer.status, about).toBe(plain.status)
      expect(headersOf(answer), about).toEqual(headersOf(plain))
      const whole = JSON.stringify(answer.headers) + answer.body
      for (const other of marks) if (other !== mark) expect(whole.includes(other), about).toBe(false)
      const nonce = nonceIn(answer)
      expect(nonces.has(nonce), about).toBe(false)
      nonces.add(nonce)
      // one token for all forms of a page, and never again
      const [token, ...more] = tokensIn(answer)
      expect(more, about).toEqual([])
      if (token) {
        expect(tokens.has(token), about).toBe(false)
        tokens.add(token)
      }
      for (const [, used] of whole.matchAll(/nonce[=\\":-]+([\w+/=-]+)/g)) expect(used, about).toBe(nonce)
      if (isCached(answer)) {
        cachedAnswers++
        expect(contentOf(answer), about).toEqual(contentOf(plain))
        expect(whole, about).not.toContain(mark)
        // whoever brings no id of the browser gets one, and nothing else is stored there
        if (headers.cookie?.includes('platform-browser=')) expect(answer.headers).not.toHaveProperty('set-cookie')
        else
          expect(answer.headers['set-cookie'], about).toEqual([expect.stringMatching(/^platform-browser=[\w-]{43};/)])
      } else others++
    }
  }
  // both kinds have been met
  expect(Math.min(cachedAnswers, others)).toBeGreaterThan(rounds(60) / 8)
})

test('the token of a cached page is sent by the browser that got it, once, and by no other', async () => {
  const answers = [await ask({}), await ask({}), await ask({})]
  expect(answers.slice(1).every(isCached)).toBe(true)
  const send = async (from: Answer, browser: string) => {
    const [token = ''] = tokensIn(from)
    const answer = await fetch(`${process.env.PUBLIC_URL}/platform/login`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ token, form: 'identify', username: 'nobody.at.all' }),
      headers: { cookie: `platform-browser=${browser}`, host: 'localhost' },
    })
    return [answer.status, answer.headers.get('location')]
  }
  const [, first, second] = answers as [Answer, Answer, Answer]
  const [theirs, others] = [browserIn(first) ?? '', browserIn(second) ?? '']
  expect(await send(first, others)).toEqual([303, '/platform/login'])
  expect(await send(first, theirs)).toEqual([303, expect.stringMatching(/step=\w+$/)])
  expect(await send(first, theirs)).toEqual([303, '/platform/login'])
})

test('as soon as Next shows a change, no cached page is older, in any process', async ({ second }) => {
  const addresses = [process.env.PUBLIC_URL ?? '', second.address]
  const headers = { host: partnersHost }
  const where = eq(domainLocales.domainId, partnersId)
  const stored = await db().select().from(domainLocales).where(where)
  const name = async (projectName: string) =>
    db().transaction(async (tx) => {
      for (const { localeId, settings } of stored)
        await tx
          .update(domainLocales)
          .set({ settings: { ...settings, projectName } })
          .where(and(where, eq(domainLocales.localeId, localeId)))
      await invalidate(tx, 'project-info')
    })
  try {
    for (const projectName of ['E2E cached one', 'E2E cached two', 'E2E cached three']) {
      for (const address of addresses)
        expect(isCached(await ask({ address, headers: { ...headers } })), address).toBe(true)
      await name(projectName)
      for (const address of addresses) {
        await expect.poll(async () => (await ask({ address, headers: fromNext(headers) })).body).toContain(projectName)
        const answer = await ask({ address, headers })
        expect(answer.body).toContain(projectName)
        expect(isCached(answer)).toBe(true)
      }
    }
  } finally {
    await db().transaction(async (tx) => {
      for (const { localeId, settings } of stored)
        await tx
          .update(domainLocales)
          .set({ settings })
          .where(and(where, eq(domainLocales.localeId, localeId)))
      await invalidate(tx, 'project-info')
    })
  }
})
