import { afterEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { contract, Id } from '@/lib/base/contracts/contract'
import { fileAnswer } from '@/lib/base/contracts/file'
import { call } from '@/lib/base/http/client'
import type { RouteHandler } from '@/lib/base/http/route'
import { AppError } from '@/lib/base/runtime/errors'
import { route } from '@/lib/request/route'
import { Browser } from '../../factories/browser'
import { samples } from '../../factories/file-samples'
import { form, odd, sendForm } from '../../factories/uploads'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

const give = contract({
  ...odd,
  name: 'give',
  method: 'GET',
  path: '/files/{id}',
  params: z.strictObject({ id: Id }),
  response: fileAnswer({ types: ['text/csv', 'image/png'] }),
})
const ended: string[] = []
let asked = 0
async function* rows(count: number, failAt = Number.POSITIVE_INFINITY) {
  try {
    for (let n = 0; n < count; n++) {
      if (n === failAt) throw failAt === 0 ? new AppError(404) : new Error('the database is gone')
      asked++
      yield `${n};${'x'.repeat(1000)}\n`
    }
  } finally {
    ended.push('ended')
  }
}
const from = (source: AsyncIterable<string>, name = 'Список «людей».csv', size?: number, type = 'text/csv') =>
  route(give, async () => ({ name, type, chunks: source, ...(size === undefined ? {} : { size }) }))
const get = (handler: RouteHandler, method = 'GET') => {
  const headers = { host: 'localhost:3000', 'x-platform-ip': '192.0.2.1' }
  return handler(new Request('http://localhost:3000/', { method, headers }), {
    params: Promise.resolve({ id: crypto.randomUUID() }),
  })
}
afterEach(() => {
  ended.length = 0
  asked = 0
})

test('has its type and name, can’t run anything, and isn’t cached', async () => {
  const response = await get(from(rows(3), undefined, 3 * 1003))
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    'content-length': '3009',
  })
  const disposition = response.headers.get('content-disposition') ?? ''
  expect(disposition).toMatch(/^attachment; filename="[ -~]*"; filename\*=UTF-8''%D0%A1/)
  expect((await response.text()).split('\n')).toHaveLength(4)
  expect(ended).toEqual(['ended'])
})

test('a name can’t add a header or leave its folder', async () => {
  for (const name of ['a"\r\nSet-Cookie: x=1.csv', '../../a.csv', 'a\u202evsc.exe', '']) {
    const response = await get(from(rows(1), name))
    expect(response.headers.get('set-cookie')).toBeNull()
    expect(response.headers.get('content-disposition')).not.toMatch(/\/|\.\.|[\r\n]|\u202e|%E2%80%AE/)
    await response.body?.cancel()
  }
})

test('a failure before the first chunk gets an error answer; another type answers 500, and the source ends', async () => {
  const missing = await get(from(rows(5, 0)))
  expect({
    status: missing.status,
    contentType: missing.headers.get('content-type'),
    contentDisposition: missing.headers.get('content-disposition'),
  }).toEqual({ status: 404, contentType: 'application/json; charset=utf-8', contentDisposition: null })
  expect((await get(from(rows(5), 'a', undefined, 'text/html'))).status).toBe(500)
})

test('a later failure, or another length than was declared, breaks the connection', async () => {
  await expect((await get(from(rows(50, 7)))).text()).rejects.toThrow()
  for (const size of [3008, 3010]) await expect((await get(from(rows(3), 'a', size))).text()).rejects.toThrow()
  expect(ended).toHaveLength(3)
})

test('is produced as fast as it is read, and ends when nobody reads it', async () => {
  const response = await get(from(rows(1_000_000)))
  const reader = response.body?.getReader()
  for (let n = 0; n < 5; n++) await reader?.read()
  expect(asked).toBeLessThan(10)
  expect(ended).toEqual([])
  await reader?.cancel()
  expect(ended).toEqual(['ended'])
})

test('HEAD reads nothing from the source', async () => {
  const response = await get(from(rows(3), 'a.csv', 3009), 'HEAD')
  expect({ status: response.status, body: response.body, asked }).toEqual({ status: 200, body: null, asked: 0 })
  expect(response.headers.get('content-disposition')).toBe('attachment; filename=a.csv')
})

test('the browser’s client sends forms and files, and gets files with their names', async () => {
  const seen: Request[] = []
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    const headers = new Headers(init.headers)
    for (const [name, value] of Object.entries({
      host: 'localhost:3000',
      'x-platform-ip': new Browser().ip,
      'sec-fetch-site': 'same-origin',
    }))
      headers.set(name, value)
    const request = new Request(`http://localhost:3000${address}`, { ...init, headers })
    seen.push(request)
    return (init.method === 'POST' ? form : from(rows(2)))(request, {
      params: Promise.resolve({ id: crypto.randomUUID() }),
    })
  })
  try {
    const { said } = await call(sendForm, {
      body: { title: 'x', count: 2, picture: new File([samples['image/png']], 'я.png') },
    })
    expect(said).toMatchObject({ title: 'x', count: 2, picture: { name: 'я.png', type: 'image/png' } })
    const got = await call(give, { params: { id: crypto.randomUUID() } })
    expect([got.name, got.size]).toEqual(['Список «людей».csv', 2006])
    await expect(call(sendForm, { body: { title: 'x', picture: new Blob(['<svg/>']) } })).rejects.toMatchObject({
      status: 415,
      errorList: [{ field: 'picture', code: 'errorFileType' }],
    })
  } finally {
    vi.unstubAllGlobals()
  }
  expect(seen.map((request) => request.headers.get('content-type')?.split(';')[0])).toEqual([
    'multipart/form-data',
    undefined,
    'multipart/form-data',
  ])
})
