import type { IncomingMessage } from 'node:http'
import { describe, expect, test } from 'vitest'
import { cleanse, isKeyed, loggable, refusalOf, routeClass } from '@/bin/server/inbound'

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

describe('methods', () => {
  test('pages are only read', () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'])
      expect(refusalOf(request('/platform/login', method), false)).toEqual({ status: 405, allow: 'GET, HEAD' })
    expect(statusOf('/platform/login', 'HEAD')).toBeUndefined()
  })
  test('calls and the OpenID Provider take writes', () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
      for (const url of ['/api/v1/platform/auth/logout', '/oidc/token']) expect(statusOf(url, method)).toBeUndefined()
  })
})

test('headers that only our side writes are dropped, others stay', () => {
  const headers: Record<string, string> = {
    host: 'id.example.com',
    cookie: 'session=1',
    rsc: '1',
    'next-router-state-tree': '[]',
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

test('a log line holds neither the query nor the GUID of a link', () => {
  const guid = '3F0D0C5A-7a1e-4f3e-9a53-0d7f6b1c2e4d'
  expect(loggable(`/platform/password/${guid}/x?code=1234`)).toBe('/platform/password/{id}/x')
})

test('an address that holds a link’s GUID is a key, in its path or behind it', () => {
  const guid = '7D444840-9dc0-11d1-b245-5ffdce74fad2'
  for (const each of [`/platform/new-password/${guid}`, `/platform/login?path=%2Fplatform%2Finvitation%2F${guid}`])
    expect([isKeyed(each), isKeyed(each)]).toEqual([true, true])
  for (const each of ['/platform/login', '/platform/law/cookies', `/platform/help?search=${guid.slice(1)}`])
    expect(isKeyed(each)).toBe(false)
})
