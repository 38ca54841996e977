import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { contract, Id, requiredLine } from '@/lib/base/contracts/contract'
import { toAppError } from '@/lib/base/http/failure'
import { isOwnOrigin } from '@/lib/base/http/origin'
import { parseOrThrow, readBody, readQuery } from '@/lib/base/http/read'
import { AppError } from '@/lib/base/runtime/errors'

const refusal = async (work: () => unknown) => {
  try {
    await work()
  } catch (error) {
    if (error instanceof AppError) return { status: error.status, ...error.data }
    throw error
  }
  throw new Error('nothing was refused')
}

describe('query', () => {
  const read = (query: string) => readQuery(new URLSearchParams(query))
  test('plain, repeated and nested keys', () =>
    expect(read('a=1&ids=1&ids=2&meta[page]=3&filter[name]=x&filter[tag]=1&filter[tag]=2')).toEqual({
      a: '1',
      ids: ['1', '2'],
      meta: { page: '3' },
      filter: { name: 'x', tag: ['1', '2'] },
    }))
  test('a key that is both plain and nested becomes the nested one', () =>
    expect(read('meta=1&meta[page]=2')).toEqual({ meta: { page: '2' } }))
  test('texts that no store accepts are refused in keys and values at any depth', async () => {
    const anything = z.strictObject({ list: z.array(z.unknown()), more: z.record(z.string(), z.unknown()) })
    for (const sign of ['\u0000', '\ud800', '\udc00', '\udc00\ud800'])
      expect(
        await refusal(() => parseOrThrow(anything, { list: [1, { a: `x${sign}` }], more: { [`k${sign}`]: 1 } })),
      ).toEqual({
        status: 400,
        errorList: expect.arrayContaining([
          { field: 'list.1.a', code: 'errorChars' },
          { field: 'more', code: 'errorChars' },
        ]),
      })
    expect(parseOrThrow(anything, { list: ['😀 \ufffd'], more: { ключ: ['👩‍👩‍👧'] } })).toBeTruthy()
  })
  test('input that is too deep is refused, however large it is', async () => {
    const anything = z.strictObject({ a: z.unknown() })
    const nested = (depth: number) => JSON.parse(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`)
    expect(parseOrThrow(anything, nested(60))).toBeTruthy()
    for (const depth of [100, 10_000])
      expect(await refusal(() => parseOrThrow(anything, nested(depth)))).toEqual({
        status: 400,
        errorList: [{ field: '', code: 'errorFormat' }],
      })
  })
  test('keys can’t reach a prototype', () => {
    read('__proto__[polluted]=1&constructor[prototype]=1')
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })
})

describe('field errors', () => {
  const schema = z.strictObject({
    name: requiredLine(5),
    age: z.number(),
    deep: z.strictObject({ list: z.array(z.guid()) }),
  })
  test('names each wrong field with its code', async () =>
    expect(
      await refusal(() => parseOrThrow(schema, { name: 'too long', extra: 1, deep: { list: ['x'], more: 1 } })),
    ).toEqual({
      status: 400,
      errorList: expect.arrayContaining([
        { field: 'name', code: 'errorTooLong' },
        { field: 'age', code: 'errorEmpty' },
        { field: 'deep.list.0', code: 'errorFormat' },
        { field: 'deep.more', code: 'errorUnknownField' },
        { field: 'extra', code: 'errorUnknownField' },
      ]),
    }))
  test('treats an id that was not chosen as empty, not as misspelt', async () => {
    for (const [id, code] of [
      ['', 'errorEmpty'],
      ['x', 'errorFormat'],
    ])
      expect(await refusal(() => parseOrThrow(z.strictObject({ id: Id }), { id }))).toEqual({
        status: 400,
        errorList: [{ field: 'id', code }],
      })
  })
  test('treats an empty required line as empty, not as short', async () =>
    expect(await refusal(() => parseOrThrow(z.strictObject({ name: requiredLine() }), { name: '  ' }))).toEqual({
      status: 400,
      errorList: [{ field: 'name', code: 'errorEmpty' }],
    }))
  test('control characters are refused', async () =>
    expect(await refusal(() => parseOrThrow(z.strictObject({ name: requiredLine() }), { name: 'a\u0007b' }))).toEqual({
      status: 400,
      errorList: [{ field: 'name', code: 'errorChars' }],
    }))
})

describe('body', () => {
  const rules = contract({
    name: 'test',
    method: 'POST',
    path: '/test',
    summary: '',
    tag: '',
    access: 'public',
    response: z.strictObject({}),
    bodyLimit: 64,
  })
  const post = (body: string | Uint8Array<ArrayBuffer>, type = 'application/json') =>
    readBody(new Request('http://test.invalid', { method: 'POST', body, headers: { 'content-type': type } }), rules)

  test('JSON is read', async () =>
    expect((await post('{"a":1}', 'application/json; charset=utf-8')).value).toEqual({ a: 1 }))
  test.each(['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', ''])(
    '%j answers 415',
    async (type) => expect(await refusal(() => post('{}', type))).toMatchObject({ status: 415 }),
  )
  test('a body that is too large answers 413', async () =>
    expect(await refusal(() => post(JSON.stringify({ a: 'x'.repeat(100) })))).toMatchObject({ status: 413 }))
  test.each(['', '{', 'undefined'])('%j is invalid JSON', async (text) =>
    expect(await refusal(() => post(text))).toEqual({ status: 400, errorList: [{ field: '', code: 'errorJson' }] }),
  )
  test('broken UTF-8 is refused', async () =>
    expect(await refusal(() => post(new Uint8Array([0x22, 0xff, 0x22])))).toMatchObject({ status: 400 }))

  const bare = (body: z.ZodType, sent?: Uint8Array<ArrayBuffer>) =>
    readBody(new Request('http://test.invalid', { method: 'POST', ...(sent ? { body: sent } : {}) }), {
      ...rules,
      body,
    })
  test('may be left out where each of its fields may be', async () =>
    expect((await bare(z.strictObject({ overlap: z.number().default(0) }))).value).toEqual({}))
  test('can’t be left out where a field is needed', async () =>
    expect(await refusal(() => bare(z.strictObject({ name: z.string() })))).toMatchObject({ status: 415 }))
  test('of no type is refused, whatever the call needs', async () =>
    expect(await refusal(() => bare(z.strictObject({}), new TextEncoder().encode('{}')))).toMatchObject({
      status: 415,
    }))
})

describe('origin', () => {
  const isOwn = (headers: Record<string, string>, domain = 'https://id.example') =>
    isOwnOrigin(new Headers({ host: 'id.example', ...headers }), domain)
  test.each([
    [{ 'sec-fetch-site': 'same-origin' }, true],
    [{ 'sec-fetch-site': 'same-origin', origin: 'null' }, true],
    [{ origin: 'https://id.example' }, true],
    [{ 'sec-fetch-site': '', origin: 'https://id.example' }, true],
    [{ 'sec-fetch-site': 'cross-site', origin: 'https://id.example' }, false],
    [{ 'sec-fetch-site': 'same-site' }, false],
    [{ 'sec-fetch-site': 'same-site', origin: 'https://id.example' }, false],
    [{ 'sec-fetch-site': 'none' }, false],
    [{ 'sec-fetch-site': 'same-origin, same-origin' }, false],
    [{ 'sec-fetch-site': 'SAME-ORIGIN' }, false],
    [{ origin: 'https://evil.example' }, false],
    [{ origin: 'https://id.example.evil.example' }, false],
    [{ origin: 'null' }, false],
    [{ origin: '' }, false],
    [{}, false],
  ])('%j: %s', (headers, expected) => expect(isOwn(headers as Record<string, string>)).toBe(expected))

  test.each([
    // the same host without encryption is another origin, which an attacker on the network could imitate
    ['http://id.example', 'id.example', false],
    ['http://id.example:443', 'id.example', false],
    ['https://id.example:8443', 'id.example', false],
    ['https://id.example', 'id.example:8443', true],
    ['https://id.example:8443', 'id.example:8443', true],
    // the default port of the scheme is the same port
    ['https://id.example', 'id.example:443', true],
    ['https://other.example', 'other.example', true],
    ['https://other.example', 'OTHER.example', true],
    ['http://other.example', 'other.example', false],
    // values that no browser sends
    ['https://id.example/', 'id.example', false],
    ['https://id.example/path', 'id.example', false],
    ['https://me@id.example', 'id.example', false],
    ['https://id.example, https://id.example', 'id.example', false],
    ['HTTPS://id.example', 'id.example', false],
    ['https://evil.example', 'x@evil.example', false],
    ['https://evil.example', 'evil.example/x', false],
    ['ftp://id.example', 'id.example', false],
    ['file://', '', false],
  ])('Origin %s at the host %s: %s', (origin, host, expected) => expect(isOwn({ origin, host })).toBe(expected))

  test('a platform without encryption accepts only its own scheme', () => {
    const at = (origin: string) => isOwn({ origin, host: 'localhost:3000' }, 'http://localhost:3000')
    expect({
      plain: at('http://localhost:3000'),
      encrypted: at('https://localhost:3000'),
      withoutPort: at('http://localhost'),
    }).toEqual({ plain: true, encrypted: false, withoutPort: false })
  })
})

describe('failures', () => {
  const withCode = (code: string) => Object.assign(new Error('x'), { code })
  const away = [
    'ECONNREFUSED',
    'EAI_AGAIN',
    '57P01',
    '57P03',
    '57014',
    '08006',
    '53300',
    '53200',
    '55P03',
    '25P03',
    '40P01',
  ]
  test.each(away)('%s means unavailable, try again', (code) => {
    expect(toAppError(withCode(code)).status).toBe(503)
    expect(toAppError(new Error('query failed', { cause: withCode(code) })).status).toBe(503)
    expect(toAppError(new AggregateError([new Error('one'), withCode(code)])).status).toBe(503)
  })
  test.each(['23505', '22P02', '42P01', '57000', 'P0001', 'EACCES'])('%s is no outage', (code) =>
    expect(toAppError(new Error('query failed', { cause: withCode(code) })).status).toBe(500),
  )
  test.each([
    'Client has encountered a connection error and is not queryable',
    'Client was closed and is not queryable',
    'Connection terminated unexpectedly',
    "Stream isn't writeable and enableOfflineQueue options is false",
  ])('a connection that is gone is an outage: %s', (message) =>
    expect(toAppError(new Error('query failed', { cause: new Error(message) })).status).toBe(503),
  )
  const reply = (message: string) => Object.assign(new Error(message), { name: 'ReplyError' })
  test.each([
    "OOM command not allowed when used memory > 'maxmemory'.",
    "READONLY You can't write against a read only replica.",
    'LOADING Redis is loading the dataset in memory',
    "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.",
    'MISCONF Redis is configured to save RDB snapshots, but it is currently not able to persist on disk.',
    'BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.',
    'ERR max number of clients reached',
    "ERR Error running script (call to f_1): @user_script:3: OOM command not allowed when used memory > 'maxmemory'.",
  ])('Redis refuses temporarily: %s', (message) => {
    expect(toAppError(reply(message)).status).toBe(503)
    const discarded = Object.assign(reply('EXECABORT Transaction discarded because of previous errors.'), {
      previousErrors: { 0: reply(message) },
    })
    expect(toAppError(discarded).status).toBe(503)
  })
  test.each([
    'WRONGTYPE Operation against a key holding the wrong kind of value',
    'ERR syntax error',
    'NOSCRIPT No matching script',
  ])('Redis reports an error of ours: %s', (message) => expect(toAppError(reply(message)).status).toBe(500))
  test('a failure of ours from another bundle is still 503', () => {
    const foreign = Object.assign(new Error('unavailable'), { name: 'AppError', status: 503 })
    expect(toAppError(foreign).status).toBe(503)
    expect(toAppError(Object.assign(new Error('notFound'), { name: 'AppError', status: 404 })).status).toBe(500)
  })
  test('any other error is internal and reveals nothing', () =>
    expect(toAppError(new Error('select secret'))).toMatchObject({ status: 500, code: 'errorUnknown', data: {} }))
})
