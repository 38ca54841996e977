import { randomInt } from 'node:crypto'
import { get, type IncomingMessage } from 'node:http'
import { db } from '@/db/client'
import { sendLiveEvent } from '@/lib/base/cache/live-events'
import { ownPerson } from './own-people'
import { restClient } from './rest-client'
import { password } from './sign-in-page'
import { cookiesOf } from './signed-in'
import { expect, test } from './turn'

const streams: IncomingMessage[] = []
test.afterEach(() => {
  for (const stream of streams.splice(0)) stream.destroy()
})
const open = (address: string, cookie: string) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { cookie, accept: 'text/event-stream', 'accept-encoding': 'gzip' }
    get(`${address}/api/v1/platform/live`, { headers }, (stream) => {
      streams.push(stream.on('error', () => {}))
      resolve(stream)
    }).on('error', reject)
  })

/** Reads a stream. Returns how often it has said something so far. */
function listen(stream: IncomingMessage) {
  let text = ''
  stream.setEncoding('utf8').on('data', (chunk) => {
    text += chunk
  })
  return (what: string) => text.split(what).length - 1
}
const accountChanged = 'event: account-changed\ndata: {"within":0}'
const noticesChanged = 'event: notices-changed'

/** Waits until the streams have received all that the person was told before. */
async function caughtUp(userId: string, counts: ReturnType<typeof listen>[]) {
  const within = randomInt(1, 1_000_000_000)
  await sendLiveEvent(db(), 'account-changed', { userId }, { within })
  await expect.poll(() => counts.map((count) => count(`"within":${within}}`))).toEqual(counts.map(() => 1))
}

test('an open stream passes the server unbuffered', async () => {
  const { login } = await ownPerson('oneService')
  const stream = await open(process.env.PUBLIC_URL ?? '', await cookiesOf(login))
  expect(stream.statusCode).toBe(200)
  expect(stream.headers['content-type']).toMatch(/^text\/event-stream/)
  expect(stream.headers['content-encoding']).toBeUndefined()
  const first = await new Promise<string>((resolve) => stream.once('data', (chunk) => resolve(String(chunk))))
  expect(first).toContain('retry:')
})

// what a process isn't told it sees after thirty seconds, for which the polls of these tests don't wait

test('a role that is given or taken acts at once in a session and an open page of another process, once', async ({
  second,
}) => {
  const [one, two] = [process.env.PUBLIC_URL ?? '', second.address]
  const person = await ownPerson('oneService')
  const [admin, ownCookies] = [await cookiesOf((await ownPerson('administrator')).login), await cookiesOf(person.login)]
  const send = async (path: string, init: RequestInit = {}) => {
    const headers = { 'content-type': 'application/json', origin: one, cookie: admin }
    const answer = await fetch(`${one}/api/v1/platform/${path}`, { ...init, headers })
    expect(answer.status, path).toBe(200)
    return answer.json()
  }
  const { roles } = await send(
    `setting/roles?filter[roleType]=systemic&filter[search]=${encodeURIComponent('Аудитор')}`,
  )
  const auditor = roles.find(({ code }: { code: string }) => code === 'auditor')
  const holders = `setting/roles/${auditor.id}/holders`
  const status = async () =>
    (await fetch(`${two}/api/v1/platform/setting/roles`, { headers: { cookie: ownCookies } })).status
  expect(await status()).toBe(403)
  const headers = { cookie: ownCookies, accept: 'application/json' }
  const mark = async () =>
    ((await (await fetch(`${two}/api/v1/platform/live`, { headers })).json()) as { mark: string }).mark
  const count = listen(await open(two, ownCookies))
  const before = await mark()
  let messageCount = 0
  for (const [change, expected] of [
    [() => send(holders, { method: 'POST', body: JSON.stringify({ users: [person.id] }) }), 200],
    [() => send(`${holders}?userId=${person.id}`, { method: 'DELETE' }), 403],
  ] as const) {
    await change()
    messageCount++
    await expect.poll(() => count(accountChanged)).toBe(messageCount)
    await expect.poll(status).toBe(expected)
    expect((await mark()) === before).toBe(expected === 403)
    await caughtUp(person.id, [count])
    expect(count(accountChanged)).toBe(messageCount)
  }
})

test('a notice that the worker writes reaches the pages of two processes, once', async ({ second }) => {
  const servers = [process.env.PUBLIC_URL ?? '', second.address]
  const { id: userId, login } = await ownPerson('employee')
  const clients = servers.map((address) => restClient(address))
  for (const client of clients) expect(await client.signIn(login, password)).toBe(200)
  const counts = await Promise.all(
    clients.map(async (client, n) => listen(await open(servers[n] ?? '', client.cookie()))),
  )
  const heard = () => counts.map((count) => count(noticesChanged))
  /** What a page of each process reads. */
  const read = () =>
    Promise.all(
      clients.map(async (client) => {
        const answer = await client.send('GET', '/notify/personal-account/last')
        return (await answer.json()) as { unread: number; notices: { id: string }[] }
      }),
    )
  const unread = async () => (await read())[0]?.unread ?? 0
  // the second of the sign-ins above was by a new device too
  await expect.poll(unread).toBeGreaterThan(0)
  await caughtUp(userId, counts)
  const [before, already] = [await read(), heard()]
  expect(await restClient(second.address).signIn(login, password)).toBe(200)
  await expect.poll(() => heard().map((count, n) => count - (already[n] ?? 0))).toEqual([1, 1])
  // both show the same new one, once
  const [here, there] = await read()
  expect(here).toEqual(there)
  expect(here?.unread).toBe((before[0]?.unread ?? 0) + 1)
  const noticeIds = before.flatMap(({ notices }) => notices.map(({ id }) => id))
  expect(here?.notices.filter(({ id }) => !noticeIds.includes(id))).toHaveLength(1)
  await caughtUp(userId, counts)
  expect(heard()).toEqual(already.map((count) => count + 1))
})
