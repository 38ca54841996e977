import { describe, expect, test } from 'vitest'
import { contract, Done } from '@/lib/base/contracts/contract'
import { file } from '@/lib/base/contracts/file'
import { AppError } from '@/lib/base/runtime/errors'
import { route } from '@/lib/request/route'
import { Browser } from '../../factories/browser'
import { lies, samples, wordyPicture } from '../../factories/file-samples'
import { signInByPassword } from '../../factories/sign-in'
import {
  ask,
  blob,
  endless,
  faults,
  form,
  formOf,
  leaveNoUpload,
  MiB,
  odd,
  part,
  pictures,
  png,
  ran,
  well,
  written,
} from '../../factories/uploads'
import { createUser, password } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()
leaveNoUpload()

const sendRaw = contract({
  ...odd,
  name: 'sendRaw',
  method: 'PUT',
  path: '/files/raw',
  access: 'user',
  body: file({ types: pictures, max: MiB }),
  response: Done,
})
const raw = route(sendRaw, async (_, { body }) => {
  if (body.size < 10) throw new Error('too little')
  return {}
})

describe('a form with files', () => {
  test('reaches its verb with parsed texts, the whole file, and its actual type and name', async () => {
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

  test('a file is deleted when its verb has ended', async () => {
    await ask(form, 'POST', formOf(well))
    await expect(
      (async () => {
        for await (const _ of ran.kept ?? []) break
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
  ])('a name is cleaned: %j', async (fileName, name) => {
    const { body } = await ask(form, 'POST', formOf({ ...well, picture: [png, fileName] }))
    // a browser encodes quotes and line breaks in a name as %22 and %0A
    expect(body.said.picture.name.replaceAll('%22', '"').replace('%0A', '')).toBe(name)
  })

  test.each(Object.entries(lies))('%s with the name and type of a picture: 415, by field', async (_, content) => {
    const before = ran.times
    for (const type of ['image/png', 'image/svg+xml', ''])
      expect(await ask(form, 'POST', formOf({ ...well, picture: [blob(content, type), 'a.png'] }))).toMatchObject({
        ...faults(415, ['picture', 'errorFileType']),
        body: { code: 'unsupportedType' },
      })
    expect(ran.times).toBe(before)
  })

  test('the type of a picture is recognized by its content, whatever its name', async () => {
    for (const type of pictures) {
      const lying = [new Blob([samples[type]], { type: 'text/html' }), 'a.html'] as [Blob, string]
      expect(await ask(form, 'POST', formOf({ ...well, picture: lying }))).toMatchObject({
        status: 200,
        body: { said: { picture: { type, name: 'a.html' } } },
      })
    }
  })

  test('a picture is recognized even if its data begins late', async () => {
    expect((await ask(form, 'POST', formOf({ ...well, picture: blob(wordyPicture) }))).status).toBe(200)
  })

  test('texts are checked to their end; types that differ only at the beginning are recognized by it', async () => {
    const more = async (content: Uint8Array<ArrayBuffer> | string) =>
      ask(form, 'POST', formOf({ ...well, more: new Blob([content]) }))
    expect((await more(samples['text/csv'])).body.said.more).toBe('\ufeffимя;код\nАнна;1\n')
    expect((await more(samples['image/svg+xml'])).status).toBe(200)
    // a heading that is also the signature of another type
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

  test('a file that is too large: 413 by field, with its limit', async () => {
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

  test('a form that is too large, by its header or its content: 413, before it is read', async () => {
    const beginning = `--b\r\n${part('title', 'x')}\r\n--b\r\n${part('picture', '', '; filename="a"')}`
    for (const claim of ['10000000000', '99999999999999999999']) {
      const { stream, pulled } = endless(beginning)
      const headers = { 'content-type': 'multipart/form-data; boundary=b', 'content-length': claim }
      expect((await ask(form, 'POST', stream, headers)).status).toBe(413)
      expect(pulled.bytes).toBe(0)
    }
  })

  test('200 MB with a limit of 1 MB are refused after 1 MB, or as soon as the type is known; the rest is never read', async () => {
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

  test('a missing, unknown, repeated, empty or long field, or one without a file: 400 by field', async () => {
    const before = ran.times
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
    // an empty file field, as browsers send it
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
    expect(ran.times).toBe(before)
  })
})

describe('one file as the body', () => {
  async function cookie() {
    const browser = new Browser()
    await signInByPassword(browser, (await createUser()).login, password)
    return { cookie: [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ') }
  }

  test('callers who aren’t signed in and foreign origins are refused before a byte is read', async () => {
    const cookieHeaders = await cookie()
    for (const [headers, status] of [
      [{}, 401],
      [{ ...cookieHeaders, 'sec-fetch-site': 'cross-site' }, 403],
    ] as const) {
      const { stream, pulled } = endless(samples['image/png'])
      expect((await ask(raw, 'PUT', stream, headers)).status).toBe(status)
      expect(pulled.bytes).toBe(0)
    }
  })

  test('is accepted by its content; an empty, large or wrong file, or one in a form, is refused', async () => {
    const cookieHeaders = await cookie()
    const put = (body: BodyInit | null, type?: string) =>
      ask(raw, 'PUT', body, type ? { ...cookieHeaders, 'content-type': type } : cookieHeaders)
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

  test('a verb that fails leaves no file either', async () => {
    const failing = route(sendRaw, async () => {
      throw new AppError(409)
    })
    expect((await ask(failing, 'PUT', png, await cookie())).status).toBe(409)
  })
})
