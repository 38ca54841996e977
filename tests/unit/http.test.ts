import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { AppError } from '@/lib/kernel/errors'
import { contract, requiredLine } from '@/lib/kernel/http/contract'
import { failureOf } from '@/lib/kernel/http/failure'
import { isOwnOrigin } from '@/lib/kernel/http/origin'
import { parseOrThrow, readBody, readQuery } from '@/lib/kernel/http/read'

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
  test('no way to a prototype', () => {
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
  test('each fault by its field and code', async () =>
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
  test('an empty required line is empty, not short', async () =>
    expect(await refusal(() => parseOrThrow(z.strictObject({ name: requiredLine() }), { name: '  ' }))).toEqual({
      status: 400,
      errorList: [{ field: 'name', code: 'errorEmpty' }],
    }))
  test('control characters are refused', async () =>
    expect(await refusal(() => parseOrThrow(z.strictObject({ name: requiredLine() }), { name: 'a\u0007b' }))).toEqual({
      status: 400,
      errorList: [{ field: 'name', code: 'errorCharacters' }],
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
  test('too much answers 413', async () =>
    expect(await refusal(() => post(JSON.stringify({ a: 'x'.repeat(100) })))).toMatchObject({ status: 413 }))
  test.each(['', '{', 'undefined'])('%j is no JSON', async (text) =>
    expect(await refusal(() => post(text))).toEqual({ status: 400, errorList: [{ field: '', code: 'errorJson' }] }),
  )
  test('broken UTF-8 is refused', async () =>
    expect(await refusal(() => post(new Uint8Array([0x22, 0xff, 0x22])))).toMatchObject({ status: 400 }))
})

describe('origin', () => {
  const own = (headers: Record<string, string>) =>
    isOwnOrigin(new Headers({ host: 'id.example', ...headers }), 'https://id.example')
  test.each([
    [{ 'sec-fetch-site': 'same-origin' }, true],
    [{ origin: 'https://id.example' }, true],
    [{ 'sec-fetch-site': 'cross-site', origin: 'https://id.example' }, false],
    [{ 'sec-fetch-site': 'same-site' }, false],
    [{ 'sec-fetch-site': 'none' }, false],
    [{ origin: 'https://evil.example' }, false],
    [{ origin: 'https://id.example.evil.example' }, false],
    [{ origin: 'null' }, false],
    [{}, false],
  ])('%j: %s', (headers, expected) => expect(own(headers as Record<string, string>)).toBe(expected))
})

describe('failures', () => {
  const withCode = (code: string) => Object.assign(new Error('x'), { code })
  test.each(['ECONNREFUSED', '57P01', '08006', '53300'])('%s means: away, try again', (code) => {
    expect(failureOf(withCode(code)).status).toBe(503)
    expect(failureOf(new Error('query failed', { cause: withCode(code) })).status).toBe(503)
  })
  test('anything else is a fault of ours and tells nothing', () =>
    expect(failureOf(new Error('select secret'))).toMatchObject({ status: 500, code: 'errorUnknown', data: {} }))
})
