import { get, type IncomingMessage } from 'node:http'
import { type ServerProcess, startServer } from './server-process'
import { password } from './sign-in-page'
import { expect, test } from './turn'

let server: ServerProcess | undefined
const others: ServerProcess[] = []
test.afterEach(async () => {
  server?.child.kill('SIGKILL')
  await server?.ended
  for (const { child, ended } of others.splice(0)) {
    child.kill('SIGKILL')
    await ended
  }
})

async function signIn(address: string, login: string): Promise<string> {
  const jar = new Map<string, string>()
  const send = async (path: string, init: RequestInit = {}) => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { 'content-type': 'application/json', origin: address, cookie }
    const answer = await fetch(`${address}/api/v1/platform/auth/${path}`, { ...init, headers })
    expect(answer.status).toBe(200)
    for (const line of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=')
      jar.set(name, value)
    }
  }
  await send(`config/login?login=${login}`)
  await send('login/login', { method: 'POST', body: JSON.stringify({ flow: 'credentials', login, password }) })
  return [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
}

const open = (address: string, cookie: string) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { cookie, accept: 'text/event-stream', 'accept-encoding': 'gzip' }
    get(`${address}/api/v1/platform/live`, { headers }, resolve).on('error', reject)
  })

test('an open stream passes the server unbuffered, and doesn’t delay its stop', async () => {
  server = await startServer()
  const cookie = await signIn(server.address, 'one-service')
  const stream = await open(server.address, cookie)
  expect(stream.statusCode).toBe(200)
  expect(stream.headers['content-type']).toMatch(/^text\/event-stream/)
  expect(stream.headers['content-encoding']).toBeUndefined()
  const over = new Promise<void>((resolve) => {
    stream.on('error', () => resolve())
    stream.on('close', () => resolve())
  })
  const first = await new Promise<string>((resolve) => stream.once('data', (chunk) => resolve(String(chunk))))
  expect(first).toContain('retry:')
  stream.resume()

  const at = Date.now()
  server.child.kill('SIGTERM')
  expect(await server.ended).toBe(0)
  await over
  expect(Date.now() - at).toBeLessThan(8_000)
})

test('a role that is given or taken acts within a second in a session and an open page of another process, once', async () => {
  const servers = await Promise.all([startServer(), startServer()])
  others.push(...servers)
  const [one, two] = servers as [ServerProcess, ServerProcess]
  const [admin, own] = [await signIn(one.address, 'admin'), await signIn(two.address, 'one-service')]
  const send = async (path: string, init: RequestInit = {}) => {
    const headers = { 'content-type': 'application/json', origin: one.address, cookie: admin }
    const answer = await fetch(`${one.address}/api/v1/platform/${path}`, { ...init, headers })
    expect(answer.status, path).toBe(200)
    return answer.json()
  }
  const { contacts } = await send('setting/users/contacts/search?searchValue=one-service')
  const { roles } = await send('setting/roles?filter[roleType]=systemic')
  const userId: string = contacts[0].userId
  const auditor = roles.find(({ code }: { code: string }) => code === 'auditor')
  const holders = `setting/roles/${auditor.id}/holders`
  const status = async () =>
    (await fetch(`${two.address}/api/v1/platform/setting/roles`, { headers: { cookie: own } })).status
  expect(await status()).toBe(403)
  const headers = { cookie: own, accept: 'application/json' }
  const mark = async () =>
    ((await (await fetch(`${two.address}/api/v1/platform/live`, { headers })).json()) as { mark: string }).mark
  let told = 0
  const stream = await open(two.address, own)
  stream.on('data', (chunk) => {
    told += String(chunk).split('event: account-changed').length - 1
  })
  stream.on('error', () => undefined)
  const before = await mark()
  for (const [change, expected] of [
    [() => send(holders, { method: 'POST', body: JSON.stringify({ users: [userId] }) }), 200],
    [() => send(`${holders}?userId=${userId}`, { method: 'DELETE' }), 403],
  ] as const) {
    const already = told
    await change()
    await expect.poll(() => told - already, { intervals: [50], timeout: 1_000 }).toBe(1)
    await expect.poll(status, { intervals: [50], timeout: 1_000 }).toBe(expected)
    expect((await mark()) === before).toBe(expected === 403)
    expect(told - already).toBe(1)
  }
})

test('a notice that the worker writes reaches the pages of two processes within a second, once', async () => {
  const servers = await Promise.all([startServer(), startServer()])
  others.push(...servers)
  const [one, two] = servers as [ServerProcess, ServerProcess]
  const login = 'services'
  const cookies = [await signIn(one.address, login), await signIn(two.address, login)]
  const heard = [0, 0]
  for (const [n, { address }] of servers.entries()) {
    const stream = await open(address, cookies[n] ?? '')
    stream.on('data', (chunk) => {
      heard[n] = (heard[n] ?? 0) + String(chunk).split('event: notices-changed').length - 1
    })
    stream.on('error', () => undefined)
  }
  /** What a page of each process reads. */
  const read = () =>
    Promise.all(
      servers.map(async ({ address }, n) => {
        const headers = { cookie: cookies[n] ?? '' }
        const answer = await fetch(`${address}/api/v1/platform/notify/personal-account/last`, { headers })
        return (await answer.json()) as { unread: number; notices: { id: string }[] }
      }),
    )
  const unread = async () => (await read())[0]?.unread ?? 0
  // the second of the sign-ins above was by a new device too
  await expect.poll(unread).toBeGreaterThan(0)
  const [before, already] = [await read(), [...heard]]
  await signIn(one.address, login)
  const at = Date.now()
  await expect.poll(() => heard.map((count, n) => count - (already[n] ?? 0)), { intervals: [50] }).toEqual([1, 1])
  expect(Date.now() - at).toBeLessThan(1_000)
  // both show the same new one, once
  const [here, there] = await read()
  expect(here).toEqual(there)
  expect(here?.unread).toBe((before[0]?.unread ?? 0) + 1)
  const known = before.flatMap(({ notices }) => notices.map(({ id }) => id))
  expect(here?.notices.filter(({ id }) => !known.includes(id))).toHaveLength(1)
})
