import { type IncomingMessage, METHODS } from 'node:http'
import { describe, expect, test } from 'vitest'
import { cleanse, isHealth, loggable, nearest, refusalOf, routeClass, withoutLastSlash } from '@/bin/server/inbound'
import { securityHeaders } from '@/bin/server/security-headers'
import { counterAddress } from '@/lib/base/navigation/counter'
import { contracts } from '@/lib/wiring/contracts'

const request = (url: string, method = 'GET', headers: Record<string, string> = { host: 'id.example.com' }) =>
  ({ url, method, headers }) as unknown as IncomingMessage
const statusOf = (url: string, method?: string) => refusalOf(request(url, method), false)?.status

describe('targets', () => {
  test.each([
    '/',
    '/platform/login',
    '/platform/login?path=%2Fplatform%2Fprofile&x=%zz',
    '/platform/law/%D1%83%D1%81%D0%BB%D0%BE%D0%B2%D0%B8%D1%8F',
    '/api/v1/platform/auth/config/login?login=a%2Fb',
    '/_next/static/chunks/a.b_c~1.js',
    '/platform/...',
  ])('%s passes', (url) => expect(statusOf(url)).toBeUndefined())

  test.each([
    'http://id.example.com/platform/login',
    '//evil.example/platform/login',
    '/platform//login',
    '*',
    'platform/login',
    '',
    '/platform/../api',
    '/platform/./login',
    '/platform/%2e%2e/api',
    '/platform/%2E%2e/api',
    '/platform/..',
    '/platform%2flogin',
    '/platform%5Clogin',
    '/platform\\login',
    '/platform%00',
    '/platform/%zz',
    '/platform/%c0%af',
    '/platform/%',
  ])('%s is refused', (url) => expect(statusOf(url)).toBe(400))

  test.each(['', 'a b', 'user@host', 'host/path', 'host:port', 'host:123456', '[::1', 'хост'])(
    'the host %j is refused',
    (host) => expect(refusalOf(request('/', 'GET', { host }), false)).toEqual({ status: 400 }),
  )
  test.each(['localhost', 'localhost:3000', 'id.example.com', '127.0.0.1:80', '[::1]:3000', 'under_score.example'])(
    'the host %s passes',
    (host) => expect(refusalOf(request('/', 'GET', { host }), false)).toBeUndefined(),
  )
})

test('a slash at the end of an address of the REST API is left out, and no other one', () => {
  for (const [target, tidy] of [
    ['/api/v1/platform/notify/personal-account/', '/api/v1/platform/notify/personal-account'],
    ['/api/v1/platform/setting/license/?x=/', '/api/v1/platform/setting/license?x=/'],
    ['/api/v1/platform/setting/license?x=/', '/api/v1/platform/setting/license?x=/'],
    ['/api/v1/platform/setting/license//', '/api/v1/platform/setting/license//'],
    ['/api/', '/api/'],
    ['/platform/login/', '/platform/login/'],
    ['/oidc/token/', '/oidc/token/'],
    ['/apiary/x/', '/apiary/x/'],
  ] as const)
    expect(withoutLastSlash(target)).toBe(tidy)
  for (const { path, method } of contracts) {
    const address = `/api/v1/platform${path.replace(/\{\w+\}/g, 'x')}`
    expect(statusOf(withoutLastSlash(`${address}/`), method), address).toBeUndefined()
  }
})

test.each([
  '/_next/image?url=%2Fapi%2Fv1%2Fplatform%2Fpictures%2F1&w=64&q=75',
  '/_next/image',
  '/_next/data/x/platform/login.json',
  '/_next/webpack-hmr',
  '/_next/postponed/resume',
  '/_next/',
  '/__nextjs_original-stack-frames',
])('%s of Next serves nothing', (url) => {
  expect(refusalOf(request(url), false)).toEqual({ status: 404 })
  expect(refusalOf(request(url), true)).toBeUndefined()
})

test('several Host headers are refused: a proxy may have read another one', () => {
  const rawHeaders = ['Host', 'id.example.com', 'Accept', 'host', 'HOST', 'evil.example']
  expect(refusalOf({ ...request('/platform/login'), rawHeaders } as IncomingMessage, false)).toEqual({ status: 400 })
  expect(
    refusalOf({ ...request('/platform/login'), rawHeaders: rawHeaders.slice(0, 4) } as IncomingMessage, false),
  ).toBeUndefined()
})

test('the analytics counter is told the page and the place before it, but no address with a secret', () => {
  const guid = '7d444840-9dc0-11d1-b245-5ffdce74fad2'
  const countedAddress = (page: string, before: string) => {
    const address = counterAddress(`https://id.example${page}`, before)
    return address && Object.fromEntries(new URL(address, 'https://id.example').searchParams)
  }
  expect(countedAddress('/platform/help?search=a', 'https://elsewhere.example/x?y=1')).toEqual({
    page: 'https://id.example/platform/help?search=a',
    referrer: 'https://elsewhere.example/x?y=1',
  })
  expect(countedAddress('/platform/law/cookies', '')).toMatchObject({ referrer: '' })
  for (const page of [`/platform/law/${guid}`, `/platform/help?search=${guid.toUpperCase()}`])
    expect(countedAddress(page, '')).toBeNull()
  const before = `https://id.example/platform/new-password/${guid}?x=1`
  expect(countedAddress('/platform/help', before)).toMatchObject({ referrer: 'https://id.example' })
})

test('the policy of a page names no other host', () => {
  const { policy } = securityHeaders({ https: true, dev: false })
  for (const each of [policy('bm9uY2U='), policy('bm9uY2U=', true)]) expect(each).not.toMatch(/https?:|\*/)
})

describe('methods', () => {
  test('pages are only read, and take forms where they have some', () => {
    for (const method of ['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']) {
      expect(refusalOf(request('/platform/profile', method), false)).toEqual({ status: 405, allow: 'GET, HEAD' })
      expect(refusalOf(request('/platform/login', method), false)).toEqual({ status: 405, allow: 'GET, HEAD, POST' })
    }
    expect(refusalOf(request('/platform/profile', 'POST'), false)).toEqual({ status: 405, allow: 'GET, HEAD' })
    expect(statusOf('/platform/login', 'POST')).toBeUndefined()
    expect(statusOf('/platform/login', 'HEAD')).toBeUndefined()
  })
  test('the OpenID Provider refuses methods itself, in OAuth’s form', () => {
    for (const method of ['GET', 'POST', 'OPTIONS', 'PUT', 'TRACE', 'PROPFIND'])
      expect(statusOf('/oidc/token', method)).toBeUndefined()
  })

  const address = (path: string) =>
    `/api/v1/platform${path.replace(/\{id\}|\{\w+Id\}/g, '3f0d0c5a-7a1e-4f3e-9a53-0d7f6b1c2e4d').replace(/\{\w+\}/g, 'login')}`
  test('each address of the REST API accepts its own methods, and lists them if another is used', () => {
    const methodsByPath = new Map<string, Set<string>>()
    for (const { path, method } of contracts)
      methodsByPath.set(
        path,
        (methodsByPath.get(path) ?? new Set()).add(method).add(method === 'GET' ? 'HEAD' : method),
      )
    for (const [path, ownMethods] of methodsByPath)
      for (const method of METHODS) {
        const refusal = refusalOf(request(address(path), method), false)
        if (ownMethods.has(method)) expect(refusal, `${method} ${path}`).toBeUndefined()
        else {
          expect(refusal?.status, `${method} ${path}`).toBe(405)
          expect(new Set(refusal?.allow?.split(', ')), `${method} ${path}`).toEqual(ownMethods)
        }
      }
  })
  test('a fixed address is not read as the id of another', () => {
    expect(refusalOf(request('/api/v1/platform/invitation/accept'), false)).toEqual({ status: 405, allow: 'POST' })
    expect(refusalOf(request('/api/v1/platform/password/link', 'PUT'), false)).toEqual({ status: 405, allow: 'POST' })
  })
  test.each([
    '/api',
    '/api/',
    '/api/v1',
    '/api/v1/platform',
    '/api/v1/platform/nothing',
    '/api/v1/platform/auth/logout/',
    '/api/v1/platform/auth/logout/x',
    '/api/v1/platform/auth/config',
    '/api/v1/platform/auth/config/login/x',
    '/api/v1/platform/auth/config/{idAttribute}',
    '/api/v1/platform/password/{id}',
    '/api/v1/openapi_json',
    '/api/v2/platform/auth/logout',
    '/api/v1/platform/constructor',
    '/api/v1/platform/__proto__',
  ])('%s is an unknown address, with any method', (url) => {
    for (const method of ['GET', 'HEAD', 'POST', 'DELETE', 'TRACE']) expect(statusOf(url, method), method).toBe(404)
  })
  test('an address that is no call is only read', () => {
    for (const url of ['/api/v1/openapi.json', '/api/v1/docs', '/api/v1/docs/viewer.js']) {
      expect(statusOf(url)).toBeUndefined()
      expect(refusalOf(request(url, 'POST'), false)).toEqual({ status: 405, allow: 'GET, HEAD' })
    }
  })
})

test('headers that only the platform writes are dropped, others stay', () => {
  const headers: Record<string, string> = {
    host: 'id.example.com',
    cookie: 'session=1',
    rsc: '1',
    'next-router-state-tree': '%5B%22%22%2C%7B%7D%5D',
    'x-requested-with': 'fetch',
    'x-platform-ip': '9.9.9.9',
    'x-platform-request-id': 'mine',
    'x-platform-anything': '1',
    'x-nonce': 'evil',
    'content-security-policy': "script-src 'nonce-evil'",
    'content-security-policy-report-only': "script-src 'nonce-evil'",
    'x-middleware-subrequest': 'middleware:middleware',
    'x-middleware-rewrite': '/api',
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'https',
    'x-forwarded-for': '1.2.3.4, 5.6.7.8',
    forwarded: 'for=1.2.3.4',
    'x-real-ip': '1.2.3.4',
    'x-matched-path': '/admin',
    'next-action': 'abc',
    'x-nextjs-data': '1',
    'x-invoke-path': '/admin',
  }
  expect(cleanse(headers)).toBe('1.2.3.4, 5.6.7.8')
  expect(Object.keys(headers)).toEqual(['host', 'cookie', 'rsc', 'next-router-state-tree', 'x-requested-with'])
})

test('headers of Next that it can’t read are dropped, so that the answer is the whole page', () => {
  const keptHeaders = (headers: Record<string, string>) => {
    cleanse(headers)
    return Object.keys(headers)
  }
  const tree = encodeURIComponent(JSON.stringify(['', { children: ['__PAGE__', {}, null, 'refetch'] }]))
  expect(keptHeaders({ 'next-router-state-tree': tree, 'next-router-prefetch': '1' })).toHaveLength(2)
  for (const broken of [
    '',
    'x',
    '%zz',
    '[]',
    '[1]',
    '["",{}]x',
    '["",{},null,"all"]',
    `["${'x'.repeat(50_000)}",{}]`,
    tree.slice(1),
  ])
    expect(keptHeaders({ 'next-router-state-tree': broken }), broken.slice(0, 40)).toEqual([])
  for (const kind of ['', '0', '2', '3', 'x']) expect(keptHeaders({ 'next-router-prefetch': kind }), kind).toEqual([])
})

test('kinds of address', () => {
  const kinds = Object.fromEntries(
    [
      '/platform/login',
      '/api/v1/docs',
      '/apix',
      '/oidc',
      '/oidc/token',
      '/oidcx',
      '/style/a/logo.svg',
      '/_next/a.js',
      '/health/live',
      '/metrics',
    ].map((path) => [path, routeClass(path)]),
  )
  expect(kinds).toEqual({
    '/platform/login': 'page',
    '/api/v1/docs': 'api',
    '/apix': 'page',
    '/oidc': 'oidc',
    '/oidc/token': 'oidc',
    '/oidcx': 'page',
    '/style/a/logo.svg': 'style',
    '/_next/a.js': 'asset',
    '/health/live': 'service',
    '/metrics': 'service',
  })
})

test('a log line contains neither the query nor the GUID of a link', () => {
  const guid = '3F0D0C5A-7a1e-4f3e-9a53-0d7f6b1c2e4d'
  expect(loggable(`/platform/password/${guid}/x?code=1234`)).toBe('/platform/password/{id}/x')
})

test('health is answered only at its own addresses', () => {
  for (const path of ['/health/live', '/health/ready']) expect(isHealth(path)).toBe(true)
  for (const path of ['/metrics', '/healthy', '/platform/health/live', '/Health/live'])
    expect(isHealth(path)).toBe(false)
})

test('of a long X-Forwarded-For the end is kept, which is read first', () => {
  expect(nearest('1.1.1.1, 2.2.2.2')).toBe('1.1.1.1, 2.2.2.2')
  const long = `${'1.1.1.1,'.repeat(1_500)}2.2.2.2,3.3.3.3`
  expect(nearest(long)).toHaveLength(32 * 8 - 1)
  expect(nearest(long)).toMatch(/2\.2\.2\.2,3\.3\.3\.3$/)
})
