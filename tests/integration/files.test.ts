import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { route } from '@/lib/context/route'
import { AppError } from '@/lib/kernel/errors'
import { contract, Done, requiredLine } from '@/lib/kernel/http/contract'
import { type FileType, file } from '@/lib/kernel/http/file'
import { FailureBody, failuresOf } from '@/lib/kernel/http/openapi'
import type { RouteHandler } from '@/lib/kernel/http/route'
import { log } from '@/lib/kernel/log'
import { Browser } from '../factories/browser'
import { lies, samples, wordyPicture } from '../factories/file-samples'
import { signInByPassword } from '../factories/sign-in'
import { createUser, password } from '../factories/users'
import { useTestDatabase } from '../setup/database'

useTestDatabase()

const MiB = 1024 ** 2
const pictures: FileType[] = ['image/png', 'image/jpeg', 'image/webp']
const odd = { tag: 'files', summary: '', access: 'public' } as const

const sendForm = contract({
  ...odd,
  name: 'sendForm',
  method: 'POST',
  path: '/files/form',
  body: z.strictObject({
    title: requiredLine(20),
    count: z.coerce.number().int().min(1).optional(),
    picture: file({ types: pictures, max: MiB }),
    more: file({ types: ['text/csv', 'image/svg+xml'], max: 1000 }).optional(),
  }),
  response: z.strictObject({ said: z.unknown() }),
})
const sendRaw = contract({
  ...odd,
  name: 'sendRaw',
  method: 'PUT',
  path: '/files/raw',
  access: 'user',
  body: file({ types: pictures, max: MiB }),
  response: Done,
})
type Sent = { title: string; count?: number; picture: { name: string; type: string; size: number; digest: string } }

let runs = 0
let kept: AsyncIterable<Uint8Array> | undefined
const form = route(sendForm, async (_, { body }) => {
  runs++
  const { picture, more, ...texts } = body
  kept = picture.chunks()
  const read = (await picture.bytes()).equals(await picture.bytes())
  const { name, type, size, digest } = picture
  return {
    said: { ...texts, picture: { name, type, size, digest }, read, more: more && (await more.bytes()).toString() },
  }
})
const raw = route(sendRaw, async (_, { body }) => {
  if (body.size < 10) throw new Error('too little')
  return {}
})

/** No upload's file is anywhere: they have no names. */
const leftovers = async () => (await readdir(tmpdir())).filter((name) => name.startsWith('platform-upload-'))
const openFiles = async () =>
  process.platform === 'linux'
    ? (
        await Promise.all(
          (
            await readdir('/proc/self/fd')
          ).map((fd) => import('node:fs/promises').then((fs) => fs.readlink(`/proc/self/fd/${fd}`).catch(() => ''))),
        )
      ).filter((path) => path.includes('platform-upload-'))
    : []
afterEach(async () => {
  expect([await leftovers(), await openFiles()]).toEqual([[], []])
  vi.restoreAllMocks()
})

type Answer = { status: number; body: z.output<typeof FailureBody> & { said: Sent & { read: boolean; more?: string } } }
async function ask(
  handler: RouteHandler,
  method: string,
  body: BodyInit | null,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const request = new Request('http://localhost:3000/', {
    method,
    body,
    headers: { host: 'localhost:3000', 'x-platform-ip': new Browser().ip, 'sec-fetch-site': 'same-origin', ...headers },
    ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
  } as RequestInit)
  const response = await handler(request, { params: Promise.resolve({}) })
  return { status: response.status, body: await response.json() }
}
const faults = (status: number, ...list: [field: string, code: string][]) => ({
  status,
  body: { data: { errorList: list.map(([field, code]) => expect.objectContaining({ field, code })) } },
})
const blob = (content: Uint8Array<ArrayBuffer>, type = 'image/png') => new Blob([content], { type })
const png = blob(samples['image/png'])
function formOf(parts: Record<string, string | Blob | [Blob, string]>) {
  const data = new FormData()
  for (const [name, part] of Object.entries(parts))
    if (Array.isArray(part)) data.append(name, ...part)
    else data.append(name, part)
  return data
}
const well = { title: 'x', picture: png }
/** A form as bytes, with its parts as somebody wrote them. */
const written = (...parts: string[]) => ({
  body: `${parts.map((part) => `--b\r\n${part}\r\n`).join('')}--b--\r\n`,
  headers: { 'content-type': 'multipart/form-data; boundary=b' },
})
const part = (name: string, content: string, more = '') =>
  `Content-Disposition: form-data; name="${name}"${more}\r\n\r\n${content}`

/** A body without an end, whose bytes are counted as they are taken; `stop` breaks it off. */
function endless(beginning: Uint8Array | string, size = Number.POSITIVE_INFINITY, stop?: () => Error) {
  const pulled = { bytes: 0 }
  const chunk = new Uint8Array(64 * 1024)
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const next = pulled.bytes === 0 ? Buffer.from(beginning) : chunk
        pulled.bytes += next.byteLength
        if (pulled.bytes > size) {
          if (stop) controller.error(stop())
          else controller.close()
        } else controller.enqueue(next)
      },
    },
    { highWaterMark: 0 },
  )
  return { stream, pulled }
}

describe('a form with files', () => {
  test('comes to its verb with texts parsed, the file whole, its type and name as they are', async () => {
    const answer = await ask(form, 'POST', formOf({ title: ' Имя ', count: '3', picture: [png, 'Фото «я».png'] }))
    expect(answer).toMatchObject({
      status: 200,
      body: {
        said: {
          title: 'Имя',
          count: 3,
          read: true,
          picture: { name: 'Фото «я».png', type: 'image/png', size: png.size },
        },
      },
    })
  })

  test('a file is gone when its verb is over', async () => {
    await ask(form, 'POST', formOf(well))
    await expect(
      (async () => {
        for await (const _ of kept ?? []) break
      })(),
    ).rejects.toThrow()
  })

  test.each([
    ['../../etc/passwd', 'passwd'],
    ['C:\\fakepath\\a.png', 'a.png'],
    ['a\u202egnp.exe', 'agnp.exe'],
    ['a\u0000b\nc.png', 'abc.png'],
    ['..', ''],
    [`${'я'.repeat(400)}.png`, `${'я'.repeat(251)}.png`],
    [`${'😀'.repeat(200)}.png`, `${'😀'.repeat(125)}.png`],
    ['"; filename="x.html', '"; filename="x.html'],
  ])('a name is tidied: %j', async (told, name) => {
    const { body } = await ask(form, 'POST', formOf({ ...well, picture: [png, told] }))
    // a browser writes quotes and ends of lines of a name as %22 and %0A
    expect(body.said.picture.name.replaceAll('%22', '"').replace('%0A', '')).toBe(name)
  })

  test.each(Object.entries(lies))('%s under the name and type of a picture: 415, by field', async (_, content) => {
    const before = runs
    for (const type of ['image/png', 'image/svg+xml', ''])
      expect(await ask(form, 'POST', formOf({ ...well, picture: [blob(content, type), 'a.png'] }))).toMatchObject({
        ...faults(415, ['picture', 'errorFileType']),
        body: { code: 'unsupportedType' },
      })
    expect(runs).toBe(before)
  })

  test('whatever a picture is called, it is what it is', async () => {
    for (const type of pictures) {
      const lying = [new Blob([samples[type]], { type: 'text/html' }), 'a.html'] as [Blob, string]
      expect(await ask(form, 'POST', formOf({ ...well, picture: lying }))).toMatchObject({
        status: 200,
        body: { said: { picture: { type, name: 'a.html' } } },
      })
    }
  })

  test('a picture is known though its data begin late', async () => {
    expect((await ask(form, 'POST', formOf({ ...well, picture: blob(wordyPicture) }))).status).toBe(200)
  })

  test('texts are texts to their end; what differs by its beginning alone is told by it', async () => {
    const more = async (content: Uint8Array<ArrayBuffer> | string) =>
      ask(form, 'POST', formOf({ ...well, more: new Blob([content]) }))
    expect((await more(samples['text/csv'])).body.said.more).toBe('\ufeffимя;код\nАнна;1\n')
    expect((await more(samples['image/svg+xml'])).status).toBe(200)
    // a heading that is also the signature of something else
    expect((await more('BM;GIF89a;ID3\n1;2;3\n')).status).toBe(200)
    for (const content of [
      'a\u0000b',
      'a\u001bb',
      new Uint8Array([...Array(900).fill(65), 0xff]),
      samples['image/png'],
      new Uint8Array([0xd0]),
    ])
      expect(await more(content as string)).toMatchObject(faults(415, ['more', 'errorFileType']))
  })

  test('too large: 413 by field, with its limit', async () => {
    const large = new Uint8Array(MiB + 1)
    large.set(samples['image/png'])
    expect(await ask(form, 'POST', formOf({ ...well, picture: blob(large) }))).toMatchObject({
      status: 413,
      body: {
        code: 'tooLarge',
        data: { errorList: [{ field: 'picture', code: 'errorFileSize', params: { limit: 1 } }] },
      },
    })
    expect((await ask(form, 'POST', formOf({ ...well, picture: blob(large.slice(0, MiB)) }))).status).toBe(200)
  })

  test('too large as a whole, as it claims or as it comes: 413, before it is read', async () => {
    const beginning = `--b\r\n${part('title', 'x')}\r\n--b\r\n${part('picture', '', '; filename="a"')}`
    for (const claim of ['10000000000', '99999999999999999999']) {
      const { stream, pulled } = endless(beginning)
      const headers = { 'content-type': 'multipart/form-data; boundary=b', 'content-length': claim }
      expect((await ask(form, 'POST', stream, headers)).status).toBe(413)
      expect(pulled.bytes).toBe(0)
    }
  })

  test('200 MB where 1 MB is allowed: refused after it, or as soon as its type is known; the rest is never taken', async () => {
    const headers = { 'content-type': 'multipart/form-data; boundary=b' }
    const beginning = (content: Uint8Array) =>
      Buffer.concat([
        Buffer.from(`--b\r\n${part('title', 'x')}\r\n--b\r\n${part('picture', '', '; filename="a"')}`),
        content,
      ])
    const before = process.memoryUsage().arrayBuffers
    const large = endless(beginning(samples['image/png']), 200 * MiB)
    expect(await ask(form, 'POST', large.stream, headers)).toMatchObject(faults(413, ['picture', 'errorFileSize']))
    expect(large.pulled.bytes).toBeLessThan(MiB + 6 * 64 * 1024)
    const lying = endless(beginning(new Uint8Array(9)), 200 * MiB)
    expect(await ask(form, 'POST', lying.stream, headers)).toMatchObject(faults(415, ['picture', 'errorFileType']))
    expect(lying.pulled.bytes).toBeLessThan(6 * 64 * 1024)
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20 * MiB)
  })

  test('missing, unknown, repeated, empty, not a file, too long: 400 by field', async () => {
    const before = runs
    expect(await ask(form, 'POST', formOf({ title: 'x' }))).toMatchObject(faults(400, ['picture', 'errorEmpty']))
    expect(await ask(form, 'POST', formOf({ picture: png }))).toMatchObject(faults(400, ['title', 'errorEmpty']))
    expect(await ask(form, 'POST', formOf({ ...well, count: 'many' }))).toMatchObject(
      faults(400, ['count', 'errorFormat']),
    )
    for (const name of ['other', '__proto__', 'constructor', '', 'title[]'])
      expect(await ask(form, 'POST', formOf({ ...well, [`${name}`]: 'x' })), name).toMatchObject(
        faults(400, [name, 'errorUnknownField']),
      )
    expect(await ask(form, 'POST', formOf({ ...well, other: png }))).toMatchObject(
      faults(400, ['other', 'errorUnknownField']),
    )
    for (const [name, value] of [
      ['title', 'y'],
      ['picture', png],
    ] as const) {
      const twice = formOf(well)
      twice.append(name, value as string)
      expect(await ask(form, 'POST', twice)).toMatchObject(faults(400, [name, 'errorFileSingle']))
    }
    expect(await ask(form, 'POST', formOf({ ...well, picture: [blob(new Uint8Array()), 'a.png'] }))).toMatchObject(
      faults(400, ['picture', 'errorEmpty']),
    )
    // an empty choice, as browsers send it
    const unchosen = written(
      part('title', 'x'),
      part('picture', '', '; filename=""\r\nContent-Type: application/octet-stream'),
    )
    expect(await ask(form, 'POST', unchosen.body, unchosen.headers)).toMatchObject(
      faults(400, ['picture', 'errorEmpty']),
    )
    expect(await ask(form, 'POST', formOf({ ...well, picture: 'text' }))).toMatchObject(
      faults(415, ['picture', 'errorFileType']),
    )
    expect(await ask(form, 'POST', formOf({ ...well, title: 'x'.repeat(70_000) }))).toMatchObject(
      faults(400, ['title', 'errorTooLong']),
    )
    expect(await ask(form, 'POST', formOf({ ...well, title: 'a\u0000' }))).toMatchObject(
      faults(400, ['title', 'errorChars']),
    )
    expect(runs).toBe(before)
  })

  test('not a form, or none that can be read: 4xx of the document, never a 5xx', async () => {
    const inside = written(part('title', 'x'), part('picture', 'y', '; filename="a"')).body
    const type = (value: string) => ({ 'content-type': value })
    const own = 'multipart/form-data; boundary=b'
    const hostile: [BodyInit, Record<string, string>][] = [
      ['{}', type('application/json')],
      [inside, type('text/plain')],
      [inside, type('multipart/mixed; boundary=b')],
      [inside, type('multipart/form-data')],
      [inside, type('multipart/form-data; boundary=')],
      [inside, type(`multipart/form-data; boundary=${'b'.repeat(5000)}`)],
      ['', type(own)],
      ['--b', type(own)],
      ['--b--', type(own)],
      ['--b\r\n\r\n--b--\r\n', type(own)],
      [inside.slice(0, -4), type(own)],
      [inside.slice(0, 60), type(own)],
      [
        `--b\r\nContent-Disposition: form-data; name="title"\r\nX: ${'x'.repeat(100_000)}\r\n\r\nx\r\n--b--\r\n`,
        type(own),
      ],
      [`--b\r\n${Array.from({ length: 500 }, (_, n) => `X${n}: y`).join('\r\n')}\r\n\r\nx\r\n--b--\r\n`, type(own)],
      [`${'--b\r\n\r\nx\r\n'.repeat(2000)}--b--\r\n`, type(own)],
      [written('Content-Disposition: attachment; name="title"\r\n\r\nx').body, type(own)],
      [written('Content-Disposition: form-data\r\n\r\nx').body, type(own)],
      [written(part('ti\ntle', 'x')).body, type(own)],
      [written(part('title', 'x', "; filename*=UTF-8''%zz")).body, type(own)],
      [
        written(`${part('title', 'x').replace('\r\n\r\n', '\r\nContent-Type: text/plain; charset=nonsense\r\n\r\n')}`)
          .body,
        type(own),
      ],
      [written(part('picture', '\u0000'.repeat(6000), '; filename="a"'), part('picture', 'y')).body, type(own)],
    ]
    for (const [body, headers] of hostile) {
      const answer = await ask(form, 'POST', body, headers)
      const what = `${JSON.stringify(headers)} ${String(body).slice(0, 80)}`
      expect(answer.status, what).toBeGreaterThanOrEqual(400)
      expect(answer.status, what).toBeLessThan(500)
      expect(FailureBody.safeParse(answer.body).success, what).toBe(true)
      expect(failuresOf(sendForm).get(answer.status), what).toContain(answer.body.code)
    }
  })

  test('changed at random, in its bytes and in its pieces: done or 4xx of the document, never a 5xx', async () => {
    const errors = vi.spyOn(log, 'error')
    const marks = [
      '--b',
      '--b--',
      '\r\n',
      '\r\n\r\n',
      '\r',
      '\u0000',
      '"',
      'Content-Disposition: form-data; name="',
      '\ud83d',
    ]
    const more = ["filename*=UTF-16''%00", '; charset=utf-16', 'Content-Transfer-Encoding: base64', '; name="picture"']
    const words = [...marks, ...more, '__proto__', 'Content-Type: text/plain; charset=x']
    const any = (below: number) => Math.floor(Math.random() * below)
    const picture = Buffer.from(samples['image/png']).toString('latin1')
    const whole = written(part('title', 'x'), part('picture', picture, '; filename="a.png"')).body
    for (let n = 0; n < 400; n++) {
      let text = whole
      for (let changes = 1 + any(4); changes > 0; changes--) {
        const [at, to] = [any(text.length), any(12)]
        const instead = [
          words[any(words.length)] ?? '',
          String.fromCharCode(any(256)),
          text.slice(any(text.length)).slice(0, 90),
        ]
        text = text.slice(0, at) + instead[any(3)] + text.slice(at + to)
      }
      const bytes = Buffer.from(text, any(2) ? 'latin1' : 'utf8')
      const size = 1 + any(400)
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.subarray(at, at + size))
          controller.close()
        },
      })
      const answer = await ask(form, 'POST', body, { 'content-type': 'multipart/form-data; boundary=b' })
      const what = JSON.stringify(bytes.toString('latin1'))
      expect(answer.status, what).toBeLessThan(500)
      if (answer.status !== 200) expect(failuresOf(sendForm).get(answer.status), what).toContain(answer.body.code)
    }
    expect(errors).not.toHaveBeenCalled()
  })

  test('broken off anywhere: 400, nothing of ours at fault, nothing done', async () => {
    const errors = vi.spyOn(log, 'error')
    const before = runs
    const gone = () => Object.assign(new Error('aborted'), { code: 'ECONNRESET' })
    const large = new Uint8Array(300_000)
    large.set(samples['image/png'])
    const encoded = new Request('http://x', { method: 'POST', body: formOf({ ...well, picture: blob(large) }) })
    const headers = { 'content-type': encoded.headers.get('content-type') ?? '' }
    const whole = new Uint8Array(await encoded.arrayBuffer())
    for (let at = 0; at < whole.length; at += at < 600 ? 13 : 40_000) {
      let sent = false
      const body = new ReadableStream<Uint8Array>({
        pull(controller) {
          if (sent || at === 0) controller.error(gone())
          else controller.enqueue(whole.slice(0, at))
          sent = true
        },
      })
      expect((await ask(form, 'POST', body, headers)).status, String(at)).toBe(400)
    }
    expect(runs).toBe(before)
    expect(errors).not.toHaveBeenCalled()
  })

  test('sent again under its key it is done once, however it was encoded; another file under it is refused', async () => {
    const key = { 'idempotency-key': crypto.randomUUID(), 'x-platform-ip': '198.51.100.77' }
    const before = runs
    const first = await ask(form, 'POST', formOf(well), key)
    expect(await ask(form, 'POST', formOf(well), key)).toEqual(first)
    expect(runs).toBe(before + 1)
    expect(await ask(form, 'POST', formOf({ ...well, picture: blob(samples['image/gif']) }), key)).toMatchObject({
      status: 415,
    })
    expect(await ask(form, 'POST', formOf({ ...well, picture: blob(samples['image/webp']) }), key)).toMatchObject({
      status: 400,
      body: { code: 'idempotencyKeyReused' },
    })
  })

  test('30 at once by one address: as many as there are places, the others hear when to come again', async () => {
    const own = { 'x-platform-ip': '198.51.100.78' }
    const answers = await Promise.all(Array.from({ length: 30 }, () => ask(form, 'POST', formOf(well), own)))
    const statuses = answers.map(({ status }) => status)
    expect(new Set(statuses)).toEqual(new Set([200, 429]))
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(4)
    expect((await ask(form, 'POST', formOf(well), own)).status).toBe(200)
  })

  test('thirty at once by one network, each from an address of its own, have the places of one', async () => {
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        ask(form, 'POST', formOf(well), { 'x-platform-ip': `2001:db8:7:7::${(n + 1).toString(16)}` }),
      ),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]))
  })
})

describe('one file as the body', () => {
  async function cookie() {
    const browser = new Browser()
    await signInByPassword(browser, (await createUser()).login, password)
    return { cookie: [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ') }
  }

  test('nobody, and a foreign origin, are refused before a byte is read', async () => {
    const known = await cookie()
    for (const [headers, status] of [
      [{}, 401],
      [{ ...known, 'sec-fetch-site': 'cross-site' }, 403],
    ] as const) {
      const { stream, pulled } = endless(samples['image/png'])
      expect((await ask(raw, 'PUT', stream, headers)).status).toBe(status)
      expect(pulled.bytes).toBe(0)
    }
  })

  test('is taken by its content; empty, of another type, too large, in a form: refused', async () => {
    const known = await cookie()
    const put = (body: BodyInit | null, type?: string) =>
      ask(raw, 'PUT', body, type ? { ...known, 'content-type': type } : known)
    expect((await put(png, 'text/html')).status).toBe(200)
    expect(await put(new Uint8Array())).toMatchObject(faults(400, ['', 'errorEmpty']))
    expect(await put(blob(lies.html as Uint8Array<ArrayBuffer>), 'image/png')).toMatchObject(
      faults(415, ['', 'errorFileType']),
    )
    expect((await put(formOf(well))).status).toBe(415)
    const large = endless(samples['image/png'])
    expect((await put(large.stream)).status).toBe(413)
    expect(large.pulled.bytes).toBeLessThan(MiB + 2 * 64 * 1024)
  })

  test('a verb that fails leaves nothing either', async () => {
    const failing = route(sendRaw, async () => {
      throw new AppError(409)
    })
    expect((await ask(failing, 'PUT', png, await cookie())).status).toBe(409)
  })
})
