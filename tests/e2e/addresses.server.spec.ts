import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import pg from 'pg'
import { demoClientSecret } from '../../db/seed/demo/oidc-clients'
import { digest } from '../../lib/base/crypto/encryption'
import { demoPrograms } from '../factories/demo'
import { startWire } from '../factories/wire'
import { eachFifth } from '../setup/scope'
import { leavesNothing } from './nothing-left'
import { ownPerson } from './own-people'
import { serverOfFile, serversOfTest } from './own-servers'
import type { ServerProcess } from './server-process'
import { cookiesOf } from './signed-in'
import { expect, test } from './turn'

// several servers start
test.setTimeout(180_000)
leavesNothing()

/** A server behind a proxy on this machine, so that X-Forwarded-For decides where a request comes from. */
const proxied = { REVERSE_PROXY: '127.0.0.1, ::1' }
const common = serverOfFile({ ...proxied, LOG_LEVEL: 'warn' })
const start = serversOfTest(proxied)

const comment = 'E2E addresses'
/** What costs little to answer. */
const style = '/style/default/style.css'
let database: pg.Client
test.beforeAll(async () => {
  database = new pg.Client(process.env.DATABASE_OWNER_URL)
  await database.connect()
})
test.afterAll(() => database.end())
test.afterEach(async () => {
  await database.query('delete from access_list_entries where comment = $1', [comment])
  await database.query(`delete from settings where id = 'whitelistMode'`)
  await tell()
  // the next test may use the same server
  const server = await common()
  await expect.poll(async () => (await ask(server, style, { from: '192.0.2.99' })).status).toBe(200)
})
const tell = () =>
  database.query(`select pg_notify('platform_cache', 'settings'), pg_notify('platform_cache', 'network-aliases')`)
const list = (name: 'whitelist' | 'blacklist', ip: string, dateFrom: Date | null = null) =>
  database.query('insert into access_list_entries (list, ip, date_from, comment) values ($1, $2, $3, $4)', [
    name,
    ip,
    dateFrom,
    comment,
  ])
const deny = async (ip: string, dateFrom: Date | null = null) => {
  await list('blacklist', ip, dateFrom)
  await tell()
}

type Asked = { from?: string; method?: string; headers?: Record<string, string>; body?: string; agent?: Agent }
type Answer = { status: number; headers: IncomingHttpHeaders; body: string }

/** Sends a request target unchanged, from an address. */
const ask = (
  { address }: ServerProcess,
  path: string,
  { from, method = 'GET', headers = {}, body, agent }: Asked = {},
) =>
  new Promise<Answer>((resolve, reject) => {
    const { hostname, port } = new URL(address)
    const forwarded: Record<string, string> = from ? { 'x-forwarded-for': from } : {}
    const asked = request(
      { hostname, port, path, method, agent, headers: { host: `${hostname}:${port}`, ...forwarded, ...headers } },
      (res) => {
        let text = ''
        res.on('data', (chunk) => {
          text += chunk
        })
        res.on('end', () => resolve({ status: res.statusCode ?? 0, headers: res.headers, body: text }))
        res.on('error', reject)
      },
    )
    asked.on('error', reject)
    asked.end(body)
  })

const json = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' }

async function serviceToken(server: ServerProcess, from: string): Promise<string> {
  const secret = demoClientSecret(demoPrograms.warehouse)
  const answer = await ask(server, '/oidc/token', {
    from,
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      authorization: `Basic ${btoa(`${demoPrograms.warehouse}:${encodeURIComponent(secret)}`)}`,
    },
    body: 'grant_type=client_credentials',
  })
  expect(answer.status, answer.body).toBe(200)
  return JSON.parse(answer.body).access_token
}

const refusals = async (key: string) => {
  const { rows } = await database.query(
    `select * from history where entity = 'address-refusals' and entity_id = $1 order by id`,
    [key],
  )
  return rows
}

test('a denied address gets only 403, with any session or token; health checks stay open, and other addresses work', async () => {
  const server = await common()
  const [from, other] = ['203.0.113.66', '203.0.113.67']
  const person = await ownPerson('oneService')
  const cookie = await cookiesOf(person.login)
  const bearer = await serviceToken(server, from)
  const link = randomUUID()
  await database.query(
    `insert into links (kind, id_hash, user_id, expires_at) values ('recovery', $1, $2, now() + interval '1 hour')`,
    [digest(link), person.id],
  )
  const chunk = /\/_next\/static\/[^"]+\.css/.exec((await ask(server, '/platform/login', { from })).body)?.[0] ?? ''
  expect((await ask(server, chunk, { from })).status).toBe(200)
  expect((await ask(server, '/api/v1/platform/user/profile', { from, headers: { cookie } })).status).toBe(200)
  expect((await ask(server, `/api/v1/platform/password/link/status/${link}`, { from })).status).toBe(200)

  await deny('203.0.113.66/32')
  await expect.poll(async () => (await ask(server, '/platform/login', { from })).status).toBe(403)

  const form = { 'content-type': 'application/x-www-form-urlencoded', cookie }
  const newPassword = JSON.stringify({ password: 'Sturdy-anchor-42', repeatPassword: 'Sturdy-anchor-42' })
  const pages: [string, Asked?][] = [
    ['/'],
    ['/platform/login'],
    ['/platform/login', { method: 'HEAD' }],
    ['/platform/profile', { headers: { cookie } }],
    ['/platform/profile', { headers: { cookie, rsc: '1', 'next-router-prefetch': '1' } }],
    ['/platform/profile/personal?_rsc=abcde', { headers: { cookie, rsc: '1' } }],
    ['/platform/setting/network-aliases', { headers: { cookie } }],
    [`/platform/new-password/${link}`],
    [`/platform/registration/${link}`],
    [`/platform/invitation/${link}`],
    ['/platform/law/cookies'],
    ['/no/such/page'],
    ['/healthy'],
  ]
  for (const [path, asked] of pages) {
    const { status, headers, body } = await ask(server, path, { from, ...asked })
    expect({ status, contentType: headers['content-type'], cacheControl: headers['cache-control'] }, path).toEqual({
      status: 403,
      contentType: 'text/html; charset=utf-8',
      cacheControl: 'no-store',
    })
    // the page needs no other file, because it could load none
    expect(body, path).not.toMatch(/<script|<link|src=|href=/)
    expect(headers['content-security-policy'], path).toContain("default-src 'none'")
    expect(headers, path).not.toHaveProperty('set-cookie')
  }
  const calls: [string, Asked?][] = [
    ['user/profile', { headers: { cookie } }],
    [`auth/config/login?login=${person.login}`],
    ['auth/logout', { method: 'POST', headers: { ...json, cookie } }],
    ['live', { headers: { cookie, accept: 'text/event-stream' } }],
    ['setting/devices-types', { headers: { authorization: `Bearer ${bearer}` } }],
    [`password/link/status/${link}`],
    [`password/${link}`, { method: 'PUT', headers: json, body: newPassword }],
    ['password/link', { method: 'POST', headers: json, body: '{"email":"nobody@polaris.example"}' }],
    ['registration/link', { method: 'POST', headers: json, body: '{"email":"nobody@polaris.example"}' }],
    ['no/such/call'],
  ]
  for (const [path, asked] of calls) {
    const { status, headers, body } = await ask(server, `/api/v1/platform/${path}`, { from, ...asked })
    expect([status, JSON.parse(body)], path).toEqual([
      403,
      { code: 'addressDenied', message: 'addressDenied', requestId: headers['x-request-id'], data: {} },
    ])
  }
  const provider: [string, Asked?][] = [
    ['/oidc/.well-known/openid-configuration'],
    ['/.well-known/oauth-authorization-server/oidc'],
    ['/oidc/jwks'],
    ['/oidc/auth?client_id=procurement', { headers: { cookie } }],
    ['/oidc/token', { method: 'POST', headers: form, body: 'grant_type=client_credentials' }],
    ['/oidc/request', { method: 'POST', headers: form, body: 'client_id=procurement' }],
    ['/oidc/device/auth', { method: 'POST', headers: form, body: 'client_id=procurement' }],
    ['/oidc/me', { headers: { authorization: `Bearer ${bearer}` } }],
    ['/oidc/session/end'],
    ['/oidc/device'],
    [`/platform/interaction/${link}`, { headers: { cookie } }],
  ]
  for (const [path, asked] of provider) {
    const answer = await ask(server, path, { from, ...asked })
    expect([answer.status, JSON.parse(answer.body)], path).toEqual([
      403,
      { error: 'access_denied', error_description: expect.stringContaining('network address') },
    ])
    const page = await ask(server, path, { from, ...asked, headers: { ...asked?.headers, accept: 'text/html' } })
    expect([page.status, page.headers['content-type']], path).toEqual([403, 'text/html; charset=utf-8'])
  }
  const rest: [string, Asked?][] = [
    [chunk],
    ['/style/default/logo.svg'],
    ['/favicon.ico'],
    ['/api/v1/openapi.json'],
    ['/metrics'],
    ['//platform/login'],
    ['/platform/%2e%2e/health/live'],
    ['/platform/login', { method: 'POST' }],
    ['/platform/login', { method: 'TRACE' }],
    ['/platform/login', { headers: { connection: 'upgrade', upgrade: 'websocket' } }],
  ]
  for (const [path, asked] of rest) expect((await ask(server, path, { from, ...asked })).status, path).toBe(403)

  // an X-Forwarded-For of the client is ignored
  for (const headers of [
    { 'x-forwarded-for': `${other}, ${from}` },
    { 'x-forwarded-for': from, 'x-real-ip': other, forwarded: `for=${other}`, 'x-platform-ip': other },
    { 'x-forwarded-for': `::ffff:${from}` },
  ] as Record<string, string>[])
    expect((await ask(server, '/platform/login', { headers })).status, JSON.stringify(headers)).toBe(403)

  for (const path of ['/health/live', '/health/ready'])
    expect((await ask(server, path, { from })).status, path).toBe(200)
  expect((await ask(server, '/platform/login', { from: other })).status).toBe(200)
  expect((await ask(server, `/api/v1/platform/password/link/status/${link}`, { from: other })).status).toBe(200)
  const after = await database.query('select password_hash from users where id = $1', [person.id])
  expect(after.rows[0].password_hash).toBe(person.passwordHash)
  await expect.poll(() => refusals(from)).toMatchObject([{ type: 'create', ip: from, changer_id: null }])
})

test('the page is in the person’s language and names their address', async () => {
  const server = await common()
  await deny('2001:db8:66::/48')
  const from = '2001:db8:66:1::5'
  await expect.poll(async () => (await ask(server, '/', { from })).status).toBe(403)
  const page = async (headers: Record<string, string>) => (await ask(server, '/', { from, headers })).body
  expect(await page({})).toContain('lang="ru"')
  expect(await page({})).toContain(from)
  expect(await page({ 'accept-language': 'en-GB,en;q=0.9' })).toContain('lang="en"')
  expect(await page({ 'accept-language': 'en', cookie: 'locale=ru' })).toContain('lang="ru"')
  // networks of one site are counted separately, addresses of one network are not
  await ask(server, '/', { from: '2001:db8:66:1::6' })
  await ask(server, '/', { from: '2001:db8:66:2::6' })
  await expect.poll(async () => (await refusals('2001:db8:66:2::/64')).length).toBe(1)
  expect(await refusals('2001:db8:66:1::/64')).toHaveLength(1)
})

test('a kept connection is refused from the next request on, an open stream ends, and dates take effect on time', async () => {
  const server = await common()
  const from = '198.51.100.9'
  const cookie = await cookiesOf((await ownPerson('oneService')).login)
  const stream = await new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { cookie, accept: 'text/event-stream', 'x-forwarded-for': from }
    request(`${server.address}/api/v1/platform/live`, { headers }, resolve).on('error', reject).end()
  })
  expect(stream.statusCode).toBe(200)
  const over = new Promise<void>((resolve) => {
    stream.on('error', () => resolve())
    stream.on('close', () => resolve())
  })
  stream.resume()
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const status = async () => (await ask(server, '/platform/login', { from, agent })).status
  expect(await status()).toBe(200)
  // no event reports when the entry begins
  await deny('198.51.100.0/24', new Date(Date.now() + 2_000))
  expect(await status()).toBe(200)
  await expect.poll(status).toBe(403)
  await over
  agent.destroy()
})

test('with whitelistMode on only whitelisted addresses pass, until access:open', async () => {
  const server = await common()
  const from = '203.0.113.5'
  const status = async (ip: string) => (await ask(server, '/platform/login', { from: ip })).status
  for (const ip of ['127.0.0.0/8', '198.51.100.0/24', '::1/128']) await list('whitelist', ip)
  await database.query(`insert into settings (id, value) values ('whitelistMode', 'true')`)
  await deny('198.51.100.66')
  await expect.poll(() => status(from)).toBe(403)
  expect({
    whitelisted: await status('198.51.100.1'),
    blacklisted: await status('198.51.100.66'),
    unlisted: await status('2001:db8::1'),
  }).toEqual({ whitelisted: 200, blacklisted: 403, unlisted: 403 })

  const run = (...args: string[]) => {
    const child = spawn(process.execPath, ['dist/platform.js', 'access', 'open', ...args], { env: process.env })
    let printed = ''
    for (const out of [child.stdout, child.stderr]) out.on('data', (chunk) => (printed += chunk))
    return new Promise<{ code: number | null; printed: string }>((resolve) =>
      child.once('close', (code) => resolve({ code, printed })),
    )
  }
  for (const wrong of eachFifth([[], ['--address', 'nowhere'], ['--all', '--address', from], ['--everything']]))
    expect(await run(...wrong), wrong.join()).toMatchObject({
      code: 2,
      printed: expect.stringContaining('platform access open'),
    })
  expect(await status(from)).toBe(403)
  const opened = await run('--address', from)
  expect(opened).toEqual({ code: 0, printed: 'whitelistMode: switched off\n' })
  await expect.poll(() => status(from)).toBe(200)
  expect(await status('198.51.100.66')).toBe(403)
  expect(await run('--all')).toEqual({ code: 0, printed: 'blacklist: switched off 198.51.100.66/32\n' })
  await expect.poll(() => status('198.51.100.66')).toBe(200)
  expect((await run('--all')).printed).toContain('Nothing was closed')
})

test('without its database a process uses the last lists; a process that has read none lets nobody in', {
  tag: '@full',
}, async () => {
  const wire = await startWire(process.env.DATABASE_URL ?? '')
  const server = await start({ DATABASE_URL: wire.url, PROCESSES: '2' })
  const denied = '203.0.113.80'
  await deny(`${denied}/32`)
  const look = (from: string, path = style, headers = {}) => ask(server, path, { from, headers })
  // each connection may reach another process
  const all = async (from: string, path?: string) =>
    new Set((await Promise.all(Array.from({ length: 8 }, () => look(from, path)))).map(({ status }) => status))
  await expect.poll(() => all(denied)).toEqual(new Set([403]))
  const chunk = /\/_next\/static\/[^"]+\.css/.exec((await look('203.0.113.81', '/platform/login')).body)?.[0] ?? ''
  expect(await all('203.0.113.81', chunk)).toEqual(new Set([200]))
  wire.cut()
  expect(await all(denied)).toEqual(new Set([403]))
  expect(await all('203.0.113.81', chunk)).toEqual(new Set([200]))

  const children = () =>
    new Promise<number[]>((resolve) => {
      const ps = spawn('ps', ['-o', 'pid=', '--ppid', String(server.child.pid)])
      let text = ''
      ps.stdout.on('data', (part) => (text += part))
      ps.on('close', () => resolve(text.trim().split(/\s+/).filter(Boolean).map(Number)))
    })
  for (const pid of await children()) process.kill(pid, 'SIGKILL')
  await expect.poll(() => all('203.0.113.81', chunk).catch(() => null), { timeout: 30_000 }).toEqual(new Set([503]))
  const page = await look('203.0.113.81', '/platform/login')
  expect({
    status: page.status,
    contentType: page.headers['content-type'],
    retryAfter: page.headers['retry-after'],
  }).toEqual({ status: 503, contentType: 'text/html; charset=utf-8', retryAfter: '2' })
  const call = await look(denied, '/api/v1/platform/user/profile')
  expect([call.status, JSON.parse(call.body).code]).toEqual([503, 'unavailable'])
  const token = await look(denied, '/oidc/jwks')
  expect([token.status, JSON.parse(token.body)]).toEqual([
    503,
    { error: 'temporarily_unavailable', error_description: expect.any(String) },
  ])
  expect((await look(denied, '/health/live')).status).toBe(200)
  wire.mend()
  await expect.poll(() => all('203.0.113.81', chunk)).toEqual(new Set([200]))
  expect(await all(denied)).toEqual(new Set([403]))
  wire.close()
})

test.describe('behind a proxy', () => {
  const seen = async (server: ServerProcess, headers: Record<string, string>) => {
    const login = `nobody-${randomUUID()}`
    const answer = await ask(server, `/api/v1/platform/auth/config/login?login=${login}`, { headers })
    expect(answer.status, answer.body).toBe(200)
    const { rows } = await database.query('select ip from sign_in_attempts order by created_at desc limit 1')
    return rows[0].ip
  }

  test('that the environment names, the client’s own address counts from the first start', async () => {
    const server = await common()
    expect(await seen(server, { 'x-forwarded-for': '203.0.113.21' })).toBe('203.0.113.21')
    expect(await seen(server, { 'x-forwarded-for': '1.1.1.1, 203.0.113.22' })).toBe('203.0.113.22')
    expect(await seen(server, {})).toBe('127.0.0.1')
    expect(server.output()).not.toContain('X-Forwarded-For')
  })

  test('that nobody names, X-Forwarded-For is ignored, and the log says once what to do', {
    tag: '@full',
  }, async () => {
    const server = await start({ REVERSE_PROXY: '', LOG_LEVEL: 'warn' })
    await deny('203.0.113.0/24')
    for (const ip of ['203.0.113.21', '203.0.113.22'])
      expect(await seen(server, { 'x-forwarded-for': ip })).toBe('127.0.0.1')
    const warnings = server
      .output()
      .split('\n')
      .filter((line) => line.includes('X-Forwarded-For'))
    expect(warnings).toHaveLength(1)
    expect(JSON.parse(warnings[0] ?? '')).toMatchObject({
      proxy: '127.0.0.1',
      msg: expect.stringContaining('REVERSE_PROXY'),
    })
  })
})
