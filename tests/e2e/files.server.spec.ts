import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { request } from 'node:http'
import { connect } from 'node:net'
import { ownRoutes } from './own-routes'
import { serverOfFile } from './own-servers'
import type { Printed, ServerProcess } from './server-process'
import { expect, test } from './turn'

const MiB = 1024 ** 2
const path = '/api/v1/platform/setting/network-aliases'
const printed: Printed = { text: '' }
/** Seconds until a request must have arrived; in production it is a minute. */
const requestTimeout = 12
const started = serverOfFile(
  async () => ({ ...(await ownRoutes()), LOG_LEVEL: 'info', REQUEST_TIMEOUT: String(requestTimeout) }),
  printed,
)
let server: ServerProcess
/** A body that never ends. It begins before the other tests, so that they pass while its time runs out. */
let slow: Promise<string> | undefined

test.beforeEach(async () => {
  server = await started()
  slow ??= drip()
})
let seenFaults = 0
test.afterEach(() => {
  // no input of a client may cause an internal error; only the source that fails on purpose does
  const faults = printed.text
    .split('\n')
    .filter((line) => /"level":(50|60)|"status":5\d\d/.test(line) && !line.includes('the source is gone'))
  const fresh = faults.slice(seenFaults)
  seenFaults = faults.length
  expect(fresh).toEqual([])
})

const ownHeaders = ['host: localhost', 'sec-fetch-site: same-origin', 'content-type: multipart/form-data; boundary=b']
const head = (...more: string[]) => `POST ${path} HTTP/1.1\r\n${[...ownHeaders, ...more].join('\r\n')}\r\n\r\n`
const beginning =
  '--b\r\nContent-Disposition: form-data; name="title"\r\n\r\nx\r\n--b\r\nContent-Disposition: form-data; name="picture"; filename="a"\r\n\r\n'
const chunkOf = (bytes: Buffer | string) =>
  Buffer.concat([Buffer.from(`${Buffer.byteLength(bytes).toString(16)}\r\n`), Buffer.from(bytes), Buffer.from('\r\n')])
const filler = Buffer.alloc(256 * 1024, 'a')

/** A connection to the server, its answer so far, and whether it was closed. */
function wire() {
  const socket = connect(Number(new URL(server.address).port), '127.0.0.1')
  let output = ''
  socket.on('data', (chunk) => {
    output += chunk
  })
  socket.on('error', () => {})
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  const answered = new Promise<string>((resolve) => socket.on('data', () => /\r\n\r\n/.test(output) && resolve(output)))
  return { socket, closed, answered: Promise.race([answered, closed.then(() => output)]), said: () => output }
}

async function drip(): Promise<string> {
  const { socket, closed, said } = wire()
  socket.write(head('transfer-encoding: chunked'))
  socket.write(chunkOf(beginning))
  const dripping = setInterval(() => socket.write(chunkOf('x')), 500)
  await closed
  clearInterval(dripping)
  return said()
}

type State = { name: string; size: number; digest: string; open: number; made: number }
async function send(picture?: Blob, name = 'Фото.png'): Promise<State> {
  const body = new FormData()
  body.append('title', 'x')
  if (picture) body.append('picture', picture, name)
  const response = await fetch(server.address + path, {
    method: 'POST',
    body,
    headers: { 'sec-fetch-site': 'same-origin' },
  })
  expect(response.status, await response.clone().text()).toBe(200)
  return response.json() as Promise<State>
}
const residentBytes = async () => {
  const status = await readFile(`/proc/${server.child.pid}/status`, 'utf8').catch(() => 'VmRSS: 0 kB')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024
}

/** Writes chunks as fast as the server reads them, until so many bytes are written or the connection is closed. */
async function pour({ socket, closed }: ReturnType<typeof wire>, bytes: number): Promise<number> {
  let written = 0
  const closing = closed.then(() => true)
  while (written < bytes && !socket.destroyed) {
    written += filler.length
    if (
      !socket.write(chunkOf(filler)) &&
      (await Promise.race([closing, new Promise((done) => socket.once('drain', () => done(false)))]))
    )
      break
  }
  return written
}

test('a file passes the server whole, in chunks or with its length', async () => {
  const content = Buffer.alloc(5 * MiB, 'text ')
  const digest = createHash('sha256').update(content).digest('base64url')
  expect(await send(new Blob([content]))).toMatchObject({ name: 'Фото.png', size: content.length, digest })
})

test('a request body that breaks off is no internal error, and the server continues', async () => {
  for (const rest of ['', beginning, `${beginning}${'a'.repeat(100_000)}`])
    for (const length of ['transfer-encoding: chunked', 'content-length: 1000000']) {
      const { socket, closed } = wire()
      await new Promise((done) => socket.write(head(length), done))
      if (rest) await new Promise((done) => socket.write(length.startsWith('t') ? chunkOf(rest) : rest, done))
      socket.destroy()
      await closed
    }
  // the client closes its side, so the rest of the body never comes
  const half = wire()
  half.socket.end(`${head('content-length: 1000000')}${beginning}`)
  await half.closed
  await expect.poll(() => printed.text.split('"aborted":true').length).toBeGreaterThan(1)
  // each counts against the requests at once until the server has noticed
  await expect.poll(() => send().catch(({ message }) => message)).toMatchObject({ size: 0 })
})

test('a request that claims 10 GB is refused before it is read, and the connection closes', async () => {
  const one = wire()
  one.socket.write(`${head('content-length: 10000000000')}${beginning}`)
  expect(await one.answered).toMatch(/^HTTP\/1\.1 413 /)
  await one.closed
})

test('200 MB in chunks with a limit of 8 are refused or cut off, and memory doesn’t grow', async () => {
  await send(new Blob(['warm']))
  const before = await residentBytes()
  const one = wire()
  one.socket.write(Buffer.concat([Buffer.from(head('transfer-encoding: chunked')), chunkOf(beginning)]))
  await pour(one, 200 * MiB)
  await one.closed
  expect(one.said()).toMatch(/^HTTP\/1\.1 413 .*"code":"tooLarge"/s)
  expect((await residentBytes()) - before).toBeLessThan(100 * MiB)
})

test('an unauthorized request is refused before its body is read', async () => {
  const one = wire()
  const line = `PUT ${path}/${crypto.randomUUID()} HTTP/1.1`
  one.socket.write(`${line}\r\nhost: localhost\r\nsec-fetch-site: same-origin\r\ntransfer-encoding: chunked\r\n\r\n`)
  expect(await one.answered).toMatch(/^HTTP\/1\.1 401 /)
  await one.closed
})

test('a JSON body over its limit is refused too', async () => {
  // every call of this server refuses this type; the test checks only that an answer comes
  const one = wire()
  one.socket.write(head('transfer-encoding: chunked').replace(/multipart\S+ \S+/, 'application/json'))
  expect(await one.answered).toMatch(/^HTTP\/1\.1 415 /)
  await one.closed
})

const ask = (query: string, headers: Record<string, string> = {}, method = 'GET') =>
  new Promise<{ headers: Record<string, unknown>; status: number; bytes: number; whole: boolean }>(
    (resolve, reject) => {
      const asked = request(`${server.address}${path}?${query}`, { headers, method }, (response) => {
        let bytes = 0
        const done = () =>
          resolve({ headers: response.headers, status: response.statusCode ?? 0, bytes, whole: response.complete })
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.length
        })
        response.once('close', done)
        response.on('error', () => {})
      })
      asked.once('error', reject)
      asked.end()
    },
  )

test('a file answer has its length if it isn’t compressed, its name, and its own policy', async () => {
  const size = 3000 * Buffer.byteLength(`Строка;${'x'.repeat(1000)}\n`)
  const plain = await ask('rows=3000')
  expect(plain).toMatchObject({ status: 200, bytes: size, whole: true })
  expect(plain.headers).toMatchObject({
    'content-length': String(size),
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': expect.stringContaining("filename*=UTF-8''%D0%A1%D0%BF"),
    'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
  })
  expect(plain.headers).not.toHaveProperty('x-platform-length')
  const compressed = await ask('rows=3000', { 'accept-encoding': 'gzip' })
  expect(
    compressed.headers['content-encoding'] === 'gzip' ? compressed.headers['content-length'] : undefined,
  ).toBeUndefined()
  expect(compressed.whole).toBe(true)
  const headOnly = await ask('rows=3000', {}, 'HEAD')
  expect({ status: headOnly.status, bytes: headOnly.bytes, contentLength: headOnly.headers['content-length'] }).toEqual(
    { status: 200, bytes: 0, contentLength: String(size) },
  )
})

test('a source that fails before the first byte gets an error answer, and later a broken connection', async () => {
  for (const headers of [{}, { 'accept-encoding': 'gzip' }])
    expect((await ask('rows=3000&failAt=2000', headers as Record<string, string>)).whole).toBe(false)
  expect(printed.text).toContain('an answer broke off')
  expect(printed.text).toContain('the source is gone')
  expect(await send()).toMatchObject({ open: 0 })
})

test('a client that stops reading ends the source, which isn’t read further meanwhile', async () => {
  const before = (await send()).made
  const asked = await new Promise<{ destroy(): void }>((resolve) => {
    const outgoing = request(`${server.address}${path}?rows=1000000`, (response) => {
      response.pause()
      resolve(outgoing)
    })
    outgoing.on('error', () => {})
    outgoing.end()
  })
  expect((await send()).open).toBe(1)
  // no more than the buffers of a connection can hold
  expect((await send()).made - before).toBeLessThan(50_000)
  asked.destroy()
  await expect.poll(async () => (await send()).open).toBe(0)
})

test('the server ends a body that arrives too slowly', async () => {
  expect(await slow).toMatch(/^HTTP\/1\.1 (408|400) |^$/)
  expect(await send()).toMatchObject({ size: 0 })
})
