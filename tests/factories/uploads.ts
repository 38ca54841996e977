import { mkdtemp, readdir, readlink, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, vi } from 'vitest'
import { z } from 'zod'
import { type Access, contract, Done, line, requiredLine } from '@/lib/base/contracts/contract'
import { type FileType, file, fileAnswer } from '@/lib/base/contracts/file'
import type { FailureBody } from '@/lib/base/http/openapi'
import type { RouteHandler } from '@/lib/base/http/route'
import { route } from '@/lib/request/route'
import { Browser } from './browser'
import { samples } from './file-samples'

export const MiB = 1024 ** 2
export const pictures: FileType[] = ['image/png', 'image/jpeg', 'image/webp']
export const odd = { tag: 'files', summary: '', access: 'public' } as const

/** Three calls: one takes a form with a file, one takes a file, and one returns a file. */
export const fileCalls = (access: Access) => {
  const common = { tag: 'files', summary: '', access }
  const picture = file({ types: ['image/png', 'text/csv'], max: 10_000 })
  return {
    take: contract({
      ...common,
      name: 'take',
      method: 'POST',
      path: '/take/{id}',
      params: z.strictObject({ id: z.guid('errorFormat') }),
      query: z.strictObject({ how: line(10).optional() }),
      body: z.strictObject({ title: requiredLine(20), count: z.coerce.number().int().optional(), picture }),
      response: z.strictObject({ size: z.number() }),
    }),
    put: contract({ ...common, name: 'put', method: 'PUT', path: '/put', body: picture, response: Done }),
    give: contract({
      ...common,
      name: 'give',
      method: 'GET',
      path: '/give',
      query: z.strictObject({ name: line().optional() }),
      response: fileAnswer({ types: ['text/csv'] }),
    }),
  }
}
/** The content that the third call returns. */
export async function* csv() {
  yield 'a;b'
}

export const sendForm = contract({
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
type Sent = { title: string; count?: number; picture: { name: string; type: string; size: number; digest: string } }

/** How often the verb of `form` ran, and the files that it got last, which must be deleted by now. */
export const ran: { times: number; kept?: AsyncIterable<Uint8Array> } = { times: 0 }
export const form = route(sendForm, async (_, { body }) => {
  ran.times++
  const { picture, more, ...texts } = body
  ran.kept = picture.chunks()
  const read = (await picture.bytes()).equals(await picture.bytes())
  const { name, type, size, digest } = picture
  return {
    said: { ...texts, picture: { name, type, size, digest }, read, more: more && (await more.bytes()).toString() },
  }
})

type Answer = { status: number; body: z.output<typeof FailureBody> & { said: Sent & { read: boolean; more?: string } } }
export async function ask(
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
export const faults = (status: number, ...list: [field: string, code: string][]) => ({
  status,
  body: { data: { errorList: list.map(([field, code]) => expect.objectContaining({ field, code })) } },
})
export const blob = (content: Uint8Array<ArrayBuffer>, type = 'image/png') => new Blob([content], { type })
export const png = blob(samples['image/png'])
export function formOf(parts: Record<string, string | Blob | [Blob, string]>) {
  const data = new FormData()
  for (const [name, part] of Object.entries(parts))
    if (Array.isArray(part)) data.append(name, ...part)
    else data.append(name, part)
  return data
}
export const well = { title: 'x', picture: png }
/** Returns a form as bytes, with its parts unchanged. */
export const written = (...parts: string[]) => ({
  body: `${parts.map((part) => `--b\r\n${part}\r\n`).join('')}--b--\r\n`,
  headers: { 'content-type': 'multipart/form-data; boundary=b' },
})
export const part = (name: string, content: string, more = '') =>
  `Content-Disposition: form-data; name="${name}"${more}\r\n\r\n${content}`

/** A body without an end, which counts the bytes that were read; `stop` breaks it off. */
export function endless(beginning: Uint8Array | string, size = Number.POSITIVE_INFINITY, stop?: () => Error) {
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

/** Expects that no file of an upload exists: they have no names. */
const leftovers = async () => (await readdir(tmpdir())).filter((name) => name.startsWith('platform-upload-'))
const openFiles = async () =>
  process.platform === 'linux'
    ? (
        await Promise.all((await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')))
      ).filter((path) => path.includes('platform-upload-'))
    : []

/**
 * Gives the test file a folder for uploads. After each test it checks that no upload left a file there, and removes
 * mocks.
 */
export function leaveNoUpload() {
  const { TMPDIR: before } = process.env
  let ownFolder = ''
  beforeAll(async () => {
    ownFolder = await mkdtemp(join(tmpdir(), 'platform-test-'))
    process.env.TMPDIR = ownFolder
  })
  afterAll(async () => {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
    await rm(ownFolder, { recursive: true })
  })
  afterEach(async () => {
    expect([await leftovers(), await openFiles()]).toEqual([[], []])
    vi.restoreAllMocks()
  })
}
