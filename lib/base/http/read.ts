import type { z } from 'zod'
import type { Contract } from '../contracts/contract'
import { fieldErrors, issueCode } from '../contracts/issues'
import { AppError, type FieldError } from '../runtime/errors'
import { isStorable } from '../text/characters'

/** The deepest nesting of objects and lists. Later code may recurse through them. */
const maxDepth = 64

/** Returns the faults that no schema checks: texts and keys that can not be stored, and nesting that is too deep. */
function unfitFields(input: unknown): FieldError[] {
  const faults: FieldError[] = []
  let level: { path: string; value: unknown }[] = [{ path: '', value: input }]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxDepth) return [{ field: '', code: 'errorFormat' }]
    const next: typeof level = []
    for (const { path, value } of level) {
      if (typeof value === 'string' && !isStorable(value))
        faults.push({ field: path.slice(0, 200), code: 'errorChars' })
      if (typeof value !== 'object' || value === null) continue
      for (const [key, inner] of Object.entries(value)) {
        const field = path ? `${path}.${key}` : key
        if (isStorable(key)) next.push({ path: field, value: inner })
        else faults.push({ field: path, code: 'errorChars' })
      }
    }
    level = next
  }
  return faults.slice(0, 100)
}

/** Parses a value by a schema of a contract and returns it. Throws 400 with the field errors. */
export function parseOrThrow<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const unfit = unfitFields(value)
  if (unfit.length > 0) throw new AppError(400, undefined, { errorList: unfit })
  const result = schema.safeParse(value, { error: (issue) => issueCode(issue) })
  if (result.success) return result.data
  throw new AppError(400, undefined, { errorList: fieldErrors(result.error) })
}

/** Reads `a=1&ids=1&ids=2&filter[name]=x` into plain objects, arrays and strings. */
export function readQuery(search: URLSearchParams): Record<string, unknown> {
  const result: Record<string, unknown> = Object.create(null)
  const put = (target: Record<string, unknown>, name: string, value: string) => {
    const existing = target[name]
    if (existing === undefined) target[name] = value
    else if (Array.isArray(existing)) existing.push(value)
    else target[name] = [existing, value]
  }
  for (const [key, value] of search) {
    const nested = /^(\w{1,64})\[(\w{1,64})\]$/.exec(key)
    if (!nested) {
      put(result, key, value)
      continue
    }
    const [, group = '', name = ''] = nested
    const existing = result[group]
    const object =
      typeof existing === 'object' && existing !== null && !Array.isArray(existing) ? existing : Object.create(null)
    result[group] = object
    put(object as Record<string, unknown>, name, value)
  }
  // zod's strict objects refuse objects without a prototype
  return JSON.parse(JSON.stringify(result))
}

const wrongBody = (code: string) =>
  new AppError(400, undefined, { errorList: [{ field: '', code } satisfies FieldError] })

/** Bytes that are collected before they are yielded: a body may arrive byte by byte, and each chunk has a cost. */
const chunkBytes = 16 * 1024

/**
 * Yields the bytes of a body up to its limit, in chunks. Throws 413 beyond the limit, and 400 for a body that breaks
 * off. Unread bytes stay in the connection, which the server process closes: cancelling them would cut off the answer.
 */
export async function* bytesOf(request: Request, limit: number): AsyncGenerator<Uint8Array> {
  if (Number(request.headers.get('content-length') ?? 0) > limit) throw new AppError(413)
  const reader = request.body?.getReader()
  let size = 0
  let [pieces, bytesHeld]: [Uint8Array[], number] = [[], 0]
  while (reader) {
    const { done, value } = await reader.read().catch(() => {
      throw wrongBody('errorFormat')
    })
    if (value) {
      size += value.byteLength
      bytesHeld += value.byteLength
      pieces.push(value)
    }
    if (size > limit) throw new AppError(413)
    if (bytesHeld > 0 && (done || bytesHeld >= chunkBytes)) {
      const [first] = pieces
      yield pieces.length === 1 && first ? first : Buffer.concat(pieces)
      ;[pieces, bytesHeld] = [[], 0]
    }
    if (done) return
  }
}

/** Reads a form that a program posts, up to a limit. Throws 413, 415, and 400 for a body that breaks off. */
export async function readForm(request: Request, limit: number): Promise<URLSearchParams> {
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(request.headers.get('content-type') ?? ''))
    throw new AppError(415)
  const chunks: Uint8Array[] = []
  for await (const chunk of bytesOf(request, limit)) chunks.push(chunk)
  return new URLSearchParams(Buffer.concat(chunks).toString('utf8'))
}

/** Returns whether every field of a call's body is optional, so that a request may have no body. */
export const needsNoBody = ({ body, content }: Contract): boolean =>
  body !== undefined && !content && body.safeParse({}).success

/**
 * Reads a JSON body up to its limit and returns its text and value. If all fields are optional, a request without a
 * body and without a type counts as `{}`. Throws 413, 415, or 400 for invalid JSON.
 */
export async function readBody(request: Request, contract: Contract): Promise<{ text: string; value: unknown }> {
  const type = request.headers.get('content-type') ?? ''
  const mayBeAbsent = type === '' && needsNoBody(contract)
  if (!mayBeAbsent && !/^application\/json\s*(;|$)/i.test(type)) throw new AppError(415)
  const chunks: Uint8Array[] = []
  for await (const chunk of bytesOf(request, contract.bodyLimit ?? 64 * 1024)) chunks.push(chunk)
  if (mayBeAbsent) {
    if (chunks.some(({ length }) => length > 0)) throw new AppError(415)
    return { text: '', value: {} }
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))
    return { text, value: JSON.parse(text) }
  } catch {
    throw wrongBody('errorJson')
  }
}
