import { describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { createSendKeys } from '@/components/form/send-keys'
import { contract } from '@/lib/base/contracts/contract'
import { file, fileAnswer, fileTypes } from '@/lib/base/contracts/file'
import { fileOf, formOf } from '@/lib/base/http/client-files'
import { fileResponse } from '@/lib/base/http/download'
import { bytesOf } from '@/lib/base/http/read'
import { createTextCheck, headSize, typeOf } from '@/lib/base/http/sniff'
import { log } from '@/lib/base/runtime/log'
import { lies, samples } from '../../factories/file-samples'
import { caseNumbers, eachRound } from '../../factories/random-cases'

describe('a body', () => {
  const requestOf = (content: Uint8Array<ArrayBuffer>, pieces: () => number) => {
    let at = 0
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (at >= content.length) return controller.close()
        const from = at
        at += pieces()
        controller.enqueue(content.slice(from, at))
      },
    })
    return new Request('http://x', { method: 'POST', body, duplex: 'half' } as RequestInit)
  }

  test('is passed on whole in few chunks, however small its pieces are', async () => {
    const random = caseNumbers(2)
    for (const most of [1, 2, 700, 16_384, 100_000]) {
      const content = new Uint8Array(200_000).map(() => random(256))
      const got: Uint8Array[] = []
      for await (const chunk of bytesOf(
        requestOf(content, () => 1 + random(most)),
        200_000,
      ))
        got.push(chunk)
      expect(Buffer.concat(got).equals(content)).toBe(true)
      expect(got.length, String(most)).toBeLessThanOrEqual(30)
    }
  })

  test('is refused at the first byte beyond its limit', async () => {
    let takenChunks = 0
    const read = async () => {
      for await (const chunk of bytesOf(
        requestOf(new Uint8Array(2_000), () => {
          takenChunks++
          return 1
        }),
        1_000,
      ))
        expect(chunk.length).toBeLessThanOrEqual(1_000)
    }
    await expect(read()).rejects.toMatchObject({ status: 413 })
    expect(takenChunks).toBeLessThan(1_010)
  })
})

describe('the type of a file', () => {
  const isText = (content: Uint8Array) => {
    const check = createTextCheck()
    check.add(content)
    return check.end()
  }
  const tell = (content: Uint8Array, accepted: readonly (typeof fileTypes)[number][]) =>
    typeOf(content.subarray(0, headSize), accepted, isText(content))

  test.each(fileTypes)('%s is recognized by its content if it is accepted', async (type) => {
    expect(await tell(samples[type], [type])).toBe(type)
    // any content is that
    const telling = fileTypes.filter((each) => each !== 'application/octet-stream')
    for (const other of telling.filter((each) => each !== type && !each.startsWith('text/')))
      if (!(type === 'text/csv' || type === 'text/plain'))
        expect(await tell(samples[type], [other]), other).toBeUndefined()
  })
  test('random contents are never pictures and cause no error', async () => {
    const random = caseNumbers(1)
    const next = () => random(256)
    for (const n of eachRound(500)) {
      const content = Uint8Array.from({ length: next() * 8 }, next)
      // half of them begin like a known type
      const sample = Object.values({ ...samples, ...lies })[n % 20]
      if (sample && n % 2) content.set(sample.subarray(0, Math.min(sample.length, content.length, next() % 12)))
      expect([undefined, 'image/png', 'image/jpeg', 'image/gif', 'application/pdf', 'image/webp']).toContain(
        await tell(content, ['image/png', 'image/jpeg', 'image/gif', 'application/pdf', 'image/webp']),
      )
    }
  })
  test('a text is recognized however it is split into chunks', () => {
    const whole = new TextEncoder().encode('Имя;€😀\r\n\tx')
    for (let size = 1; size < 6; size++) {
      const check = createTextCheck()
      for (let at = 0; at < whole.length; at += size) check.add(whole.subarray(at, at + size))
      expect(check.end()).toBe(true)
    }
    expect(isText(whole.subarray(0, 1))).toBe(false)
  })
  test.each(['<svg/>', '\ufeff<svg>', '<?xml version="1.0"?>\n<!-- a --><!-- b-c -->\n<svg>'])(
    '%s begins an SVG',
    async (text) => expect(await tell(new TextEncoder().encode(text), ['image/svg+xml'])).toBe('image/svg+xml'),
  )
  test.each(['<!DOCTYPE svg [<!ENTITY a "b">]><svg>', '<html><svg>', '<svgx>', 'x<svg>', '<!-- <svg>', ''])(
    '%s does not',
    async (text) => expect(await tell(new TextEncoder().encode(text), ['image/svg+xml'])).toBeUndefined(),
  )
  test('a comment that never ends is scanned once', async () => {
    const hostile = `<?xml ?>${'<!---'.repeat(800)}${'-'.repeat(90)}`
    const startedAt = performance.now()
    await tell(new TextEncoder().encode(hostile), ['image/svg+xml'])
    // trying some thousand characters in every way would take hours
    expect(performance.now() - startedAt).toBeLessThan(5_000)
  })
})

describe('declarations', () => {
  test('types that could run are never inline, and only a GET returns a file', () => {
    expect(() => fileAnswer({ types: ['image/svg+xml'], disposition: 'inline' })).toThrow()
    expect(() => fileAnswer({ types: ['image/png', 'text/html'], disposition: 'inline' })).toThrow()
    const odd = { name: 'odd', tag: '', summary: '', path: '/odd', access: 'user' } as const
    expect(() => contract({ ...odd, method: 'POST', response: fileAnswer({ types: ['text/csv'] }) })).toThrow()
  })
  test('a browser’s form knows what is empty or too large beforehand', () => {
    const body = z.strictObject({ picture: file({ types: ['image/png'], max: 5 }) })
    const codes = (value: unknown) => body.safeParse({ picture: value }).error?.issues.map(({ message }) => message)
    expect(codes(new Blob(['12345']))).toBeUndefined()
    expect(codes(new Blob(['123456']))).toEqual(['errorFileSize'])
    expect(codes(new Blob([]))).toEqual(['errorEmpty'])
    for (const none of [undefined, null, 'text', {}]) expect(codes(none)).toEqual(['errorEmpty'])
  })
})

describe('in the browser', () => {
  test('a form contains the given values, as text or as a file', async () => {
    const picture = new File(['x'], 'a.png', { type: 'image/png' })
    const form = formOf({ title: 'x', count: 0, flag: false, none: undefined, nothing: null, picture })
    expect([...form.keys()]).toEqual(['title', 'count', 'flag', 'picture'])
    expect({ count: form.get('count'), flag: form.get('flag'), picture: (form.get('picture') as File).name }).toEqual({
      count: '0',
      flag: 'false',
      picture: 'a.png',
    })
  })
  test.each([
    [`attachment; filename="?.csv"; filename*=UTF-8''%D1%8F.csv`, 'я.csv'],
    ['attachment; filename="a \\"b\\".csv"', 'a "b".csv'],
    ['attachment; filename=a.csv', 'a.csv'],
    [`attachment; filename="a.csv"; filename*=UTF-8''%E0%A4%A`, 'a.csv'],
    ['attachment', ''],
  ])('a name in %s', async (disposition, name) => {
    const response = new Response('x', { headers: { 'content-disposition': disposition } })
    expect((await fileOf(response)).name).toBe(name)
  })
  test('two files with one name are two inputs; the same file is sent again under its key', () => {
    let count = 0
    const { keyOf } = createSendKeys(() => String(++count))
    const [one, other] = [new File(['x'], 'a'), new File(['y'], 'a')]
    const keys = [one, one, other, other].map((picture) => keyOf({ body: { picture } }))
    expect(keys).toEqual(['1', '1', '2', '2'])
  })
})

test('an answer whose client disconnected ends its source', async () => {
  let ended = false
  const chunks = (async function* () {
    try {
      for (;;) yield 'x'
    } finally {
      ended = true
    }
  })()
  const rule = { types: ['text/csv'], disposition: 'attachment', lasting: false, anywhere: false } as const
  const options = { headers: new Headers(), requestId: '', call: 'give', headOnly: false, stalledAfter: 5 }
  const response = await fileResponse({ name: 'a', type: 'text/csv', chunks }, rule, options)
  const reader = response.body?.getReader()
  await reader?.read()
  await expect(reader?.closed).rejects.toThrow('nobody takes the answer')
  expect(ended).toBe(true)
})

test('a client that leaves while the source is read causes no failure', async () => {
  let more = () => {}
  const waits = new Promise<void>((resolve) => {
    more = resolve
  })
  const chunks = (async function* () {
    yield 'x'
    await waits
  })()
  const rule = { types: ['text/csv'], disposition: 'attachment', lasting: false, anywhere: false } as const
  const failures = vi.spyOn(log, 'error')
  const response = await fileResponse({ name: 'a', type: 'text/csv', chunks }, rule, {
    ...{ headers: new Headers(), requestId: '', call: 'give', headOnly: false },
  })
  const reader = response.body?.getReader()
  await reader?.read()
  const pending = reader?.read()
  const cancelled = reader?.cancel()
  more()
  await Promise.all([pending, cancelled])
  await new Promise((resolve) => setImmediate(resolve))
  expect(failures).not.toHaveBeenCalled()
  failures.mockRestore()
})
