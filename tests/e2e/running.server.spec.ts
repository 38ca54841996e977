import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { Agent, get, request } from 'node:http'
import { connect } from 'node:net'
import pg from 'pg'
import { startWire } from '../factories/wire'
import { leavesNothing } from './nothing-left'
import { ownPerson } from './own-people'
import { serverOfFile, serversOfTest } from './own-servers'
import { metricsStatus, outsideAddresses, type Printed, type ServerProcess } from './server-process'
import { cookiesOf } from './signed-in'
import { expect, test } from './turn'

// several servers start
test.setTimeout(180_000)
leavesNothing()

const page = '/platform/login'
const start = serversOfTest()

const ready = async (address: string) => {
  const response = await fetch(`${address}/health/ready`)
  return { status: response.status, body: await response.json() }
}

type Tally = { answered: number; refused: number; faults: string[] }

/** Requests one path after another until the server accepts no more connections. */
async function keepAsking(address: string, agent: Agent, tally: Tally): Promise<void> {
  for (;;) {
    const outcome = await new Promise<string>((resolve) => {
      const asked = get(`${address}${page}`, { agent }, (response) => {
        response.resume()
        response.on('end', () => resolve(String(response.statusCode)))
        response.on('error', (error) => resolve(error.message))
      })
      asked.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    })
    if (outcome === 'ECONNREFUSED') {
      tally.refused++
      return
    }
    if (outcome === '200') tally.answered++
    else tally.faults.push(outcome)
    if (tally.faults.length > 10) return
  }
}

const clientCount = 20

/** Stops a server while many ask it and a page listens to its events. */
async function stopUnderLoad(server: ServerProcess, signal: NodeJS.Signals) {
  const cookie = await cookiesOf((await ownPerson('oneService')).login)
  const headers = { cookie, accept: 'text/event-stream' }
  const stream = await fetch(`${server.address}/api/v1/platform/live`, { headers })
  expect(stream.status).toBe(200)
  const streamed = stream.text().catch(() => 'cut off')
  const agent = new Agent({ keepAlive: true, maxSockets: clientCount })
  const tally: Tally = { answered: 0, refused: 0, faults: [] }
  const clients = Array.from({ length: clientCount }, () => keepAsking(server.address, agent, tally))
  await expect.poll(() => tally.answered, { timeout: 30_000 }).toBeGreaterThan(clientCount)
  server.child.kill(signal)
  const exit = await server.ended
  await Promise.all([...clients, streamed])
  agent.destroy()
  return { how: exit, refused: tally.refused, faults: tally.faults }
}

/** What a server logs that has waited too long for a request or a stream. */
const cut = 'requests cut by the stop'

test('SIGTERM under load: every request is answered, streams end, and the process exits cleanly and soon', async () => {
  const printed: Printed = { text: '' }
  const stopped = await stopUnderLoad(await start({ LOG_LEVEL: 'warn' }, printed), 'SIGTERM')
  expect(stopped).toEqual({ how: 0, faults: [], refused: clientCount })
  expect(printed.text).not.toContain(cut)
})

/** Sends headers that never end. Returns what the server sent before it closed the connection. */
function dripHeaders(address: string): Promise<string> {
  const socket = connect(Number(new URL(address).port), '127.0.0.1')
  let output = ''
  socket.write('GET /platform/login HTTP/1.1\r\nhost: localhost\r\nx-slow: ')
  const drip = setInterval(() => socket.write('x'), 500)
  socket.on('data', (chunk) => {
    output += chunk
    clearInterval(drip)
  })
  // the server answers a byte that arrives after the end with a reset
  socket.on('error', () => {})
  return new Promise((resolve) =>
    socket.once('close', () => {
      clearInterval(drip)
      resolve(output)
    }),
  )
}

test('the server ends headers that never end', async () => {
  const address = process.env.PUBLIC_URL ?? ''
  // of three connections at most one can lose its answer to a reset
  const dripping = Promise.all(Array.from({ length: 3 }, () => dripHeaders(address)))
  // the server answers another request meanwhile
  expect((await fetch(`${address}/health/live`)).status).toBe(200)
  expect((await dripping).join()).toContain('408')
})

test('with several processes, slow headers are ended, a killed one is replaced while the others serve, metrics are summed, and SIGTERM drains all', {
  tag: '@full',
}, async () => {
  const printed: Printed = { text: '' }
  const server = await start({ PROCESSES: '2', LOG_LEVEL: 'warn', METRICS_HOST: '0.0.0.0' }, printed)
  const dripping = await Promise.all(Array.from({ length: 3 }, () => dripHeaders(server.address)))
  expect(dripping.join()).toContain('408')
  const children = () =>
    new Promise<number[]>((resolve) => {
      const ps = spawn('ps', ['-o', 'pid=', '--ppid', String(server.child.pid)])
      let text = ''
      ps.stdout.on('data', (chunk) => {
        text += chunk
      })
      ps.on('close', () => resolve(text.trim().split(/\s+/).filter(Boolean).map(Number)))
    })
  const [victim = 0, ...others] = await children()
  expect(others).toHaveLength(1)
  process.kill(victim, 'SIGKILL')
  await expect.poll(async () => (await children()).filter((pid) => pid !== victim).length).toBe(2)
  expect((await fetch(`${server.address}${page}`)).status).toBe(200)
  const metricsText = async () => (await fetch(`http://127.0.0.1:${server.metricsPort}/metrics`)).text()
  const counted = (method: string, status: number) =>
    new RegExp(
      `http_request_duration_seconds_count\\{route="/platform/login",method="${method}",status="${status}"\\} \\d+`,
    )
  await expect.poll(metricsText).toMatch(counted('GET', 200))
  // a form leads on, whatever it did; the metric says what that was
  const failing = await fetch(`${server.address}${page}`, {
    method: 'POST',
    headers: { cookie: 'platform-browser=x' },
    body: new URLSearchParams({ form: 'identify', token: 'x' }),
    redirect: 'manual',
  })
  expect(failing.status).toBe(303)
  await expect.poll(metricsText).toMatch(counted('POST', 400))
  for (const host of outsideAddresses())
    await expect.poll(() => metricsStatus(host, server.metricsPort), 'the configured address').toBe(200)
  expect((await fetch(`${server.address}/metrics`)).status).toBe(404)

  expect(await stopUnderLoad(server, 'SIGTERM')).toMatchObject({ how: 0, faults: [] })
  expect(printed.text).not.toContain(cut)
})

test('two instances can start at once on an empty database', { tag: '@full' }, async () => {
  const name = `start_${randomBytes(6).toString('hex')}`
  const at = (url: string | undefined, database: string) =>
    Object.assign(new URL(url ?? ''), { pathname: `/${database}` }).href
  const owner = new pg.Client(at(process.env.DATABASE_OWNER_URL, 'postgres'))
  await owner.connect()
  await owner.query(`create database ${name}`)
  const env = {
    DATABASE_URL: at(process.env.DATABASE_URL, name),
    DATABASE_OWNER_URL: at(process.env.DATABASE_OWNER_URL, name),
  }
  const bringUp = async () => {
    const migration = spawn(process.execPath, ['dist/migrate.js'], {
      env: { ...process.env, ...env },
      stdio: 'inherit',
    })
    expect(await new Promise((resolve) => migration.once('exit', resolve))).toBe(0)
    return start(env)
  }
  const servers = await Promise.all([bringUp(), bringUp()])
  for (const { address } of servers) expect((await ready(address)).status).toBe(200)
  for (const { child, ended } of servers) {
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
  }
  await owner.query(`drop database ${name} with (force)`)
  await owner.end()
})

let database: Awaited<ReturnType<typeof startWire>>
let redis: typeof database | undefined
/** A server whose connections to its services can be cut. */
const wired = serverOfFile(async () => {
  database = await startWire(process.env.DATABASE_URL ?? '')
  redis = process.env.REDIS_URL === 'mock:' ? undefined : await startWire(process.env.REDIS_URL ?? '')
  return { DATABASE_URL: database.url, ...(redis ? { REDIS_URL: redis.url } : {}) }
})
test.afterAll(() => {
  for (const wire of [database, redis]) wire?.close()
})

test('the health check reports what is down, and when it is back', async () => {
  const { address } = await wired()
  const both = { status: 200, body: { status: 'ready', database: 'up', redis: 'up' } }
  expect(await ready(address)).toEqual(both)

  if (redis) {
    redis.cut()
    const degraded = { status: 200, body: { status: 'degraded', database: 'up', redis: 'down' } }
    await expect.poll(() => ready(address)).toEqual(degraded)
    redis.mend()
    await expect.poll(() => ready(address)).toEqual(both)
  }

  database.cut()
  const down = { status: 503, body: { status: 'unavailable', database: 'down', redis: 'up' } }
  await expect.poll(() => ready(address)).toEqual(down)
  expect((await fetch(`${address}/health/live`)).status).toBe(200)
  database.mend()
  await expect.poll(() => ready(address)).toEqual(both)
  expect((await fetch(`${address}${page}`)).status).toBe(200)
})

test('metrics can be read only on this machine unless another address is configured', async () => {
  const { metricsPort } = await wired()
  await expect.poll(() => metricsStatus('127.0.0.1', metricsPort)).toBe(200)
  for (const host of outsideAddresses()) expect(await metricsStatus(host, metricsPort)).toBe('refused')
})

/** Sends a request target unchanged; fetch would normalize it. */
const raw = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  new Promise<{ status: number; headers: Record<string, unknown>; body: string }>((resolve, reject) => {
    const { hostname, port } = new URL(process.env.PUBLIC_URL ?? '')
    const asked = request({ hostname, port, path, method, headers }, (response) => {
      let body = ''
      response.on('data', (chunk) => {
        body += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }))
    })
    asked.on('error', reject)
    asked.end()
  })

test('every answer has the security headers, with a new nonce each time', async () => {
  const forged = "script-src 'nonce-Zm9yZ2Vk'"
  const answers = await Promise.all(
    ['', 'again'].map(() =>
      raw(page, { 'content-security-policy': forged, 'x-nonce': 'Zm9yZ2Vk', 'x-platform-request-id': 'mine' }),
    ),
  )
  const nonces = answers.map(({ status, headers, body }) => {
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'strict-origin-when-cross-origin',
      'cross-origin-opener-policy': 'same-origin',
      'permissions-policy': expect.stringContaining('camera=()'),
      'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
    expect(headers).not.toHaveProperty('x-powered-by')
    const policy = String(headers['content-security-policy'])
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toContain('Zm9yZ2Vk')
    const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? ''
    // without it no script runs
    const scripts = body.match(/<script\b[^>]*>/g) ?? []
    expect(scripts.length).toBeGreaterThan(0)
    for (const script of scripts) expect(script).toContain(`nonce="${nonce}"`)
    return nonce
  })
  expect(new Set(nonces).size).toBe(2)
  for (const path of ['/health/live', '/api/v1/openapi.json', '//x', '/no/such/page'])
    expect((await raw(path)).headers, path).toHaveProperty('content-security-policy')
})

test('request targets that programs read differently are refused', async () => {
  for (const path of [
    '//evil.example/',
    '/platform//login',
    '/platform/%2e%2e/api',
    '/platform%2flogin',
    '/%zz',
    'http://evil.example/',
  ])
    expect((await raw(path)).status, path).toBe(400)
  expect((await raw('/platform/profile', {}, 'POST')).status).toBe(405)
  expect(
    (await raw('/platform/profile', { 'x-middleware-subrequest': 'middleware:middleware:middleware' })).status,
  ).toBe(307)
})

test.describe('the client’s address', () => {
  const owner = () => new pg.Client(process.env.DATABASE_OWNER_URL)
  async function addressSeen(headers: Record<string, string>): Promise<string> {
    const login = `nobody-${randomBytes(6).toString('hex')}`
    const client = owner()
    await client.connect()
    const before = await client.query('select now() as at')
    expect((await raw(`/api/v1/platform/auth/config/login?login=${login}`, headers)).status).toBe(200)
    const { rows } = await client.query(
      'select ip from sign_in_attempts where created_at >= $1 order by created_at desc limit 1',
      [before.rows[0].at],
    )
    await client.end()
    return rows[0]?.ip
  }
  const forged = {
    'x-forwarded-for': '203.0.113.77',
    'x-platform-ip': '203.0.113.78',
    'x-real-ip': '203.0.113.79',
    forwarded: 'for=203.0.113.80',
  }

  test('is that of the socket, whatever the client sends', async () => {
    expect(await addressSeen({})).toMatch(/^(127\.0\.0\.1|::1)$/)
    expect(await addressSeen(forged)).toMatch(/^(127\.0\.0\.1|::1)$/)
  })

  test('is what a trusted proxy forwards, and nothing else', async () => {
    const client = owner()
    await client.connect()
    const { rows } = await client.query(`insert into network_aliases (name) values ('this machine') returning id`)
    await client.query(`insert into network_alias_ips (alias_id, ip) values ($1, '127.0.0.1/32'), ($1, '::1/128')`, [
      rows[0].id,
    ])
    await client.query(`insert into settings (id, value) values ('reverseProxy', $1)`, [JSON.stringify([rows[0].id])])
    const tell = () =>
      client.query(`select pg_notify('platform_cache', 'settings'), pg_notify('platform_cache', 'network-aliases')`)
    await tell()
    try {
      await expect.poll(() => addressSeen(forged)).toBe('203.0.113.77')
      expect(await addressSeen({ ...forged, 'x-forwarded-for': '1.1.1.1, 203.0.113.77' })).toBe('203.0.113.77')
      expect(await addressSeen({ 'x-platform-ip': '203.0.113.78' })).toMatch(/^(127\.0\.0\.1|::1)$/)
    } finally {
      await client.query(`delete from settings where id = 'reverseProxy'`)
      await client.query('delete from network_aliases where id = $1', [rows[0].id])
      await tell()
      await client.end()
    }
    await expect.poll(() => addressSeen(forged)).toMatch(/^(127\.0\.0\.1|::1)$/)
  })
})

test('a forged host appears in no redirect and no mail', async () => {
  for (const headers of [
    { host: 'evil.example' },
    { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' },
  ] as Record<string, string>[])
    for (const path of ['/', '/nowhere', '/platform/profile', '/platform/law/there-is-none']) {
      const { status, headers: answered } = await raw(path, headers)
      expect(status, path).toBe(307)
      expect(answered.location, path).toMatch(/^\/(?!\/)/)
    }
})
