import type { IncomingHttpHeaders } from 'node:http'
import { beforeAll, expect, test } from 'vitest'
import { anonymousVisit, headersOf, isExact, type Visit } from '@/bin/server/anonymous-request'
import { cleanse } from '@/bin/server/inbound'
import { db } from '@/db/client'
import { deviceTypes } from '@/db/schema'
import { dropCached } from '@/lib/base/cache/cache'
import { timeZoneFrom } from '@/lib/base/text/time-zone'
import { cookieName } from '@/lib/request/cookies'
import { servedDomains } from '@/lib/site/domains/service'
import { createDomain } from '../../factories/domains'
import { caseNumbers, eachRound } from '../../factories/random-cases'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

const phone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1'
const tablet =
  'Mozilla/5.0 (iPad; CPU OS 16_0 like Mac OS X) AppleWebKit/605.1.15 Version/16.0 Mobile/15E148 Safari/604.1'

let hosts: string[]
beforeAll(async () => {
  hosts = ['localhost', await createDomain(), await createDomain()]
  await db().insert(deviceTypes).values({ name: 'Касса', nameEn: 'Till', code: 'till' })
  dropCached('device-types')
})

const visitFor = (headers: IncomingHttpHeaders, url = '/platform/login', method = 'GET') => {
  const given = { host: 'localhost', ...headers }
  // as the server process does before
  cleanse(given)
  const written = { 'content-security-policy': "script-src 'nonce-bm9uY2U='", 'x-platform-ip': '203.0.113.1' }
  return anonymousVisit({ method, url, headers: { ...given, ...written } })
}

test('only whole public pages are read for everybody, without a query and in one spelling', async () => {
  for (const path of ['/platform/login', '/platform/registration', '/platform/forgot-password', '/platform/help'])
    for (const method of ['GET', 'HEAD']) expect(await visitFor({}, path, method), path).toMatchObject({ path })
  for (const path of [
    '/',
    '/platform/login?',
    '/platform/login?ref=%2Fplatform',
    '/platform/login?path=%2Foidc%2Fauth%2Fx',
    '/platform/login/',
    '/platform/Login',
    '/platform/%6cogin',
    '/platform/login#x',
    '/platform/login;x',
    '/platform/profile',
    '/platform/setting',
    '/platform/404',
    '/platform/no-access',
    '/platform/provider',
    '/platform/law/cookies',
    '/platform/new-password/3f2b8c1e-5a4d-4c8e-9b7a-1d2e3f4a5b6c',
  ])
    expect(await visitFor({}, path), path).toBeNull()
  for (const method of ['POST', 'get', 'OPTIONS', '']) expect(await visitFor({}, '/platform/login', method)).toBeNull()
})

test('a request for something else than a whole page goes to Next', async () => {
  for (const header of [
    'rsc',
    'next-router-prefetch',
    'next-router-segment-prefetch',
    'next-url',
    'next-hmr-refresh',
    'purpose',
    'sec-purpose',
    'authorization',
    'content-length',
    'content-type',
    'transfer-encoding',
  ])
    expect(await visitFor({ [header]: '1' }), header).toBeNull()
  for (const agent of ['Mozilla/5.0 (compatible; Googlebot/2.1)', 'Twitterbot/1.0', 'yandex', 'Chrome-Lighthouse'])
    expect(await visitFor({ 'user-agent': agent }), agent).toBeNull()
})

test('a cookie of a person, one that nobody knows, and a header that two programs read differently go to Next', async () => {
  const personal = ['session', 'attempt', 'backLink', 'onward', 'account', 'interactions', 'provider-sign-in'].map(
    cookieName,
  )
  for (const name of [...personal, 'x', '__prerender_bypass', '__next_preview_data', 'next-auth.session-token', '_ga'])
    for (const header of [`${name}=1`, `theme=dark; ${name}=1`, `${name}=1; theme=dark`])
      expect(await visitFor({ cookie: header }), header).toBeNull()
  for (const header of [
    '',
    ' ',
    ';',
    'theme',
    'theme=dark;',
    '; theme=dark',
    'theme=dark;locale=en',
    'theme=dark;  locale=en',
    'theme = dark',
    'Theme=dark',
    'THEME=dark',
    'theme=dark; theme=light',
    'theme=dark; theme=dark',
    'theme="dark"',
    'theme=dark, locale=en',
    'theme=%zz',
    'theme=%',
    'theme=da rk',
    'theme=дark',
    'theme=dark\u0000',
    'theme=a=b',
    `session=1`,
    `${cookieName('device')}=1; ${cookieName('device')}=2`,
    `x=${'a'.repeat(12_000)}`,
  ])
    expect(await visitFor({ cookie: header }), JSON.stringify(header)).toBeNull()
})

const random = caseNumbers(11)
const pick = <T>(values: readonly T[]): T => values[random(values.length)] as T

const headersAtRandom = (): IncomingHttpHeaders => {
  const cookies: Record<string, string[]> = {
    locale: ['ru', 'en', 'de', 'EN', '', '__proto__', 'r%75'],
    theme: ['dark', 'light', 'DARK', '', 'd%61rk', 'constructor'],
    timeZone: [
      'Europe/Moscow',
      'Asia%2FTokyo',
      'asia/tokyo',
      'Nowhere/Here',
      'UTC',
      '%2B03:00',
      '..%2F..',
      'a'.repeat(80),
    ],
    cookieConsent: ['1', '0', 'true', ''],
    deviceType: ['till', 'mobile', 'unheard', '', 'toString'],
    chosenLocale: ['1'],
    device: ['0123456789abcdef'],
  }
  const cookie = Object.entries(cookies)
    .filter(() => random(3) > 0)
    .map(([name, values]) => `${cookieName(name)}=${pick(values)}`)
    .join('; ')
  const mark = `mark${random(1_000_000)}`
  return {
    host: pick([...hosts, ...hosts.map((host) => `${host.toUpperCase()}.:81`), `${mark}.evil.example`, mark]),
    'user-agent': pick([phone, tablet, `Mozilla/5.0 (X11; Linux x86_64) ${mark}`, mark, '']),
    ...(cookie ? { cookie } : {}),
    ...(random(2)
      ? { 'accept-language': pick(['en', 'ru', `${mark}, en;q=0.5`, 'de-DE,de;q=0.9', '*', ',;q=x']) }
      : {}),
    ...Object.fromEntries(
      [
        'referer',
        'origin',
        'x-nonce',
        'x-forwarded-host',
        'x-forwarded-proto',
        'x-platform-now',
        'x-platform-ip',
        'x-middleware-subrequest',
        'x-invoke-path',
        'x-original-url',
        'x-rewrite-url',
        'x-host',
        'content-security-policy',
        'if-none-match',
        'range',
        'accept',
        'via',
      ]
        .filter(() => random(3) === 0)
        .map((name) => [name, mark]),
    ),
  }
}

test('of a visitor’s headers nothing remains but one of few values, and a page reads them as the visitor’s own', async () => {
  const domains = await servedDomains()
  const seen = new Set<string>()
  for (const _ of eachRound(2_000)) {
    const headers = headersAtRandom()
    const visit = await visitFor({ ...headers })
    const about = JSON.stringify(headers)
    if (!visit) throw new Error(about)
    seen.add(JSON.stringify(visit))
    const domain = domains.find(({ id }) => id === visit.domainId)
    expect({ ...visit, timeZone: timeZoneFrom(visit.timeZone) }, about).toEqual({
      path: '/platform/login',
      domainId: domain?.id,
      host: new URL(domain?.origin ?? '').host,
      locale: expect.stringMatching(/^(ru|en)$/),
      timeZone: visit.timeZone,
      deviceType: expect.stringMatching(/^(desktop|mobile|tablet|till)$/),
      theme: ['dark', 'light'].includes(visit.theme ?? '') ? visit.theme : null,
      cookieConsent: visit.cookieConsent === true,
    })
    expect(Object.values(headersOf(visit)).join(), about).not.toMatch(/mark\d/)
    expect(await isExact(visit), about).toBe(true)
  }
  // the sequence has met most of what there is
  expect(seen.size).toBeGreaterThan(50)
})

test('a visit that its own headers don’t bring back is left to Next', async () => {
  const visit = (await visitFor({})) as Visit
  expect(await isExact(visit)).toBe(true)
  for (const change of [
    // the address of the platform may be the host of another domain
    { host: hosts[1] },
    { locale: 'de' },
    { timeZone: 'Nowhere/Here' },
    { deviceType: 'unheard' },
  ])
    expect(await isExact({ ...visit, ...change } as Visit), JSON.stringify(change)).toBe(false)
})
