import { connect } from 'node:net'
import { expect, test } from './turn'

type Odd = {
  /** The request, line by line; its last element is the body if it isn't a header. */
  lines: string[]
  body?: string | Buffer
  /** Milliseconds after which the client hangs up; otherwise it waits for the answer. */
  hangsUp?: number
}
type Answer = { status: number; headers: Record<string, string>; body: Buffer }

const api = '/api/v1/platform'
const info = `${api}/ui/project/info`
const logout = `${api}/auth/logout`
const sameOrigin = 'sec-fetch-site: same-origin'
const json = 'content-type: application/json'
const ask = (method: string, path: string, ...headers: string[]): Odd => ({
  lines: [`${method} ${path} HTTP/1.1`, 'host: localhost', ...headers],
})
const send = (path: string, body: string | Buffer, ...headers: string[]): Odd => ({
  ...ask('POST', path, sameOrigin, `content-length: ${Buffer.byteLength(body)}`, ...headers),
  body,
})
const chunked = (path: string, chunks: string, ...headers: string[]): Odd => ({
  ...ask('POST', path, sameOrigin, 'transfer-encoding: chunked', ...headers),
  body: chunks,
})
const signIn = `${api}/auth/login/login`

/** Requests that browsers and honest programs don't send, or seldom, with the answer's status and some headers. */
const odd: [name: string, request: Odd, status: number | null, headers?: Record<string, string | undefined>][] = [
  // methods
  ['HEAD has the headers of GET', ask('HEAD', info), 200, { 'content-type': 'application/json; charset=utf-8' }],
  ['HEAD of a call that writes', ask('HEAD', logout), 405, { allow: 'POST' }],
  ['HEAD of a document', ask('HEAD', '/api/v1/openapi.json'), 200],
  ['OPTIONS of an endpoint', ask('OPTIONS', info), 405, { allow: 'GET, HEAD' }],
  ['OPTIONS of nothing', ask('OPTIONS', `${api}/nothing`), 404],
  ['OPTIONS of everything', ask('OPTIONS', '*'), 400],
  ['TRACE', ask('TRACE', info), 405],
  ['a method in small letters', ask('get', info), 400],
  ['a method that nobody knows', ask('BREW', info), 400],
  ['a preflight', ask('OPTIONS', info, 'origin: https://evil.example', 'access-control-request-method: GET'), 405],
  // addresses
  ['a slash at the end', ask('GET', `${info}/`), 200],
  ['two slashes at the end', ask('GET', `${info}//`), 400],
  ['two slashes within', ask('GET', `${api}//ui/project/info`), 400],
  ['capital letters: an address of pages', ask('GET', info.toUpperCase()), 307],
  ['a capital letter in the version', ask('GET', info.replace('v1', 'V1')), 404],
  ['an encoded letter', ask('GET', info.replace('info', 'inf%6F')), 404],
  ['an encoded slash', ask('GET', info.replace('project/', 'project%2F')), 400],
  ['encoded dots', ask('GET', `${api}/ui/%2e%2e/ui/project/info`), 400],
  ['dots', ask('GET', `${api}/ui/../ui/project/info`), 400],
  ['an encoding that is none', ask('GET', `${api}/ui/%zz`), 400],
  ['bytes that are no UTF-8', ask('GET', `${api}/setting/domains/%ff`), 400],
  ['NUL in a parameter', ask('GET', `${api}/setting/domains/a%00b`), 400],
  ['a parameter in braces', ask('GET', `${api}/setting/domains/%7Bid%7D`), 401],
  ['Cyrillic in a parameter', ask('GET', `${api}/setting/domains/%D0%B0`), 401],
  ['an address of 12 KB', ask('GET', `${info}?q=${'a'.repeat(12_000)}`), 400],
  ['an address of 20 KB', ask('GET', `${info}?q=${'a'.repeat(20_000)}`), 431],
  ['a question mark alone', ask('GET', `${info}?`), 200],
  ['a query that the call doesn’t have', ask('GET', `${info}?x`), 400],
  ['an own name of objects as a query', ask('GET', `${info}?__proto__[x]=1`), 400],
  ['a whole address as the target', ask('GET', `http://localhost${info}`), 400],
  // hosts
  ['no host', { lines: [`GET ${info} HTTP/1.1`] }, 400],
  ['two hosts', ask('GET', info, 'host: evil.example'), 400],
  ['HTTP/1.0', { lines: [`GET ${info} HTTP/1.0`, 'host: localhost'] }, 200],
  // what is accepted
  ['gzip', ask('GET', '/api/v1/openapi.json', 'accept-encoding: gzip'), 200, { 'content-encoding': 'gzip' }],
  [
    'gzip with the quality 0',
    ask('GET', '/api/v1/openapi.json', 'accept-encoding: gzip;q=0'),
    200,
    { 'content-encoding': undefined },
  ],
  [
    'an encoding that nobody knows',
    ask('GET', '/api/v1/openapi.json', 'accept-encoding: zip'),
    200,
    { 'content-encoding': undefined },
  ],
  [
    'gzip for a short answer',
    ask('GET', `${api}/nothing`, 'accept-encoding: gzip'),
    404,
    { 'content-encoding': undefined },
  ],
  ['another type', ask('GET', info, 'accept: text/html'), 200, { 'content-type': 'application/json; charset=utf-8' }],
  ['a range', ask('GET', info, 'range: bytes=0-10'), 200],
  ['a condition', ask('GET', info, 'if-none-match: *', 'if-modified-since: Mon, 30 Nov 2026 00:00:00 GMT'), 200],
  ['a stream of events without a session', ask('GET', `${api}/live`, 'accept: text/event-stream'), 401],
  // headers
  ['headers of Next', ask('GET', info, 'rsc: 1', 'next-action: x', 'next-router-state-tree: x'), 200],
  [
    'headers that only the server writes',
    ask('GET', info, 'x-platform-ip: 1.1.1.1', 'x-forwarded-host: evil.example'),
    200,
  ],
  ['a token of a kind that nobody knows', ask('GET', info, 'authorization: Basic YTpi'), 200],
  [
    'a token that is none',
    ask('GET', info, 'authorization: Bearer x y'),
    401,
    { 'www-authenticate': 'Bearer error="invalid_token"' },
  ],
  ['a cookie of 8 KB', ask('GET', info, `cookie: a=${'a'.repeat(8_000)}`), 200],
  ['an upgrade', ask('GET', info, 'connection: upgrade', 'upgrade: websocket'), 200],
  // bodies
  ['a body of GET', { ...ask('GET', info, 'content-length: 2'), body: '{}' }, 200],
  ['no body', ask('POST', signIn, sameOrigin, json, 'content-length: 0'), 400],
  ['a body that is no JSON', send(signIn, '{', json), 400],
  ['null', send(signIn, 'null', json), 400],
  ['a mark of the order of bytes', send(signIn, '\ufeff{}', json), 400],
  ['no content type', send(signIn, '{}'), 415],
  ['another content type', send(signIn, '{}', 'content-type: text/plain'), 415],
  ['a compressed body', send(signIn, Buffer.from([31, 139, 8]), json, 'content-encoding: gzip'), 400],
  ['an expectation', send(signIn, '{}', json, 'expect: 100-continue'), 400],
  ['another expectation', send(signIn, '{}', json, 'expect: tea'), 417],
  ['chunks', chunked(signIn, '1\r\n{\r\n1\r\n}\r\n0\r\n\r\n', json), 400],
  ['a chunk that breaks off', { ...chunked(signIn, '5\r\n{', json), hangsUp: 100 }, null],
  ['a body that is too long', { ...ask('POST', signIn, sameOrigin, json, 'content-length: 99999999'), body: '{' }, 413],
  ['chunks that are too long', chunked(signIn, `4000000\r\n${'a'.repeat(300_000)}`, json), 413],
  ['a client that hangs up at once', { ...ask('GET', '/api/v1/openapi.json'), hangsUp: 0 }, null],
]

const port = () => Number(new URL(process.env.PUBLIC_URL ?? '').port)

/** Sends bytes and returns what the server sends back until it closes the connection or is silent. */
function exchange({ lines, body = '', hangsUp }: Odd): Promise<Buffer> {
  return new Promise((resolve) => {
    const socket = connect(port(), '127.0.0.1')
    const chunks: Buffer[] = []
    const end = () => {
      socket.destroy()
      resolve(Buffer.concat(chunks))
    }
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    socket.on('error', () => {})
    socket.once('close', end)
    socket.write(`${[...lines, 'connection: close'].join('\r\n')}\r\n\r\n`)
    socket.write(body)
    if (hangsUp !== undefined) setTimeout(end, hangsUp)
  })
}

/** Reads the last answer of an exchange: one that says to go on may come before it. */
function answerIn(bytes: Buffer): Answer {
  let text = bytes.toString('latin1')
  while (/^HTTP\/1\.1 100 /.test(text)) text = text.slice(text.indexOf('\r\n\r\n') + 4)
  const headEnd = text.indexOf('\r\n\r\n')
  const [first = '', ...lines] = text.slice(0, headEnd).split('\r\n')
  const headers = Object.fromEntries(
    lines
      .map((line) => line.split(/: (.*)/s).slice(0, 2) as [string, string])
      .map(([name, value]) => [name.toLowerCase(), value]),
  )
  return { status: Number(first.split(' ')[1]), headers, body: Buffer.from(text.slice(headEnd + 4), 'latin1') }
}

test('requests that are odd, broken or too large get the answer that they are due', async () => {
  const answers: Record<string, unknown> = {}
  const expected: Record<string, unknown> = {}
  for (const [name, request, status, headers = {}] of odd) {
    const bytes = await exchange(request)
    if (status === null) continue
    const answer = answerIn(bytes)
    const named = Object.fromEntries(Object.keys(headers).map((header) => [header, answer.headers[header]]))
    answers[name] = { status: answer.status, headers: named }
    expected[name] = { status, headers }
    if (request.lines[0]?.startsWith('HEAD')) expect(answer.body, name).toHaveLength(0)
    // our answers depend on no header of Next's
    expect(answer.headers.vary ?? '', name).not.toMatch(/rsc|next/i)
  }
  expect(answers).toEqual(expected)
})

test('two requests in one packet are answered in their order', async () => {
  const second = ask('GET', `${api}/nothing`)
  const both: Odd = { lines: [`GET ${info} HTTP/1.1`, 'host: localhost', '', ...second.lines] }
  const statuses = [...(await exchange(both)).toString('latin1').matchAll(/HTTP\/1\.1 (\d+)/g)].map(
    ([, status]) => status,
  )
  expect(statuses).toEqual(['200', '404'])
})
