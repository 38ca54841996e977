import type { z } from 'zod'
import { AppError, type FieldError } from '../errors'
import type { Contract } from './contract'
import { fieldErrors, issueCode } from './issues'

/** Parses by a contract's schema. Throws 400 with the field errors. */
export function parseOrThrow<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value, { error: (issue) => issueCode(issue) })
  if (result.success) return result.data
  throw new AppError(400, undefined, { errorList: fieldErrors(result.error) })
}

/** Reads `a=1&ids=1&ids=2&filter[name]=x` into plain objects, arrays and strings. */
export function readQuery(search: URLSearchParams): Record<string, unknown> {
  const result: Record<string, unknown> = Object.create(null)
  const put = (target: Record<string, unknown>, name: string, value: string) => {
    const held = target[name]
    if (held === undefined) target[name] = value
    else if (Array.isArray(held)) held.push(value)
    else target[name] = [held, value]
  }
  for (const [key, value] of search) {
    const nested = /^(\w{1,64})\[(\w{1,64})\]$/.exec(key)
    if (!nested) {
      put(result, key, value)
      continue
    }
    const [, group = '', name = ''] = nested
    const held = result[group]
    const object = typeof held === 'object' && held !== null && !Array.isArray(held) ? held : Object.create(null)
    result[group] = object
    put(object as Record<string, unknown>, name, value)
  }
  // plain prototypes again: zod's strict objects refuse others
  return JSON.parse(JSON.stringify(result))
}

const wrongBody = (code: string) =>
  new AppError(400, undefined, { errorList: [{ field: '', code } satisfies FieldError] })

/** Reads a JSON body up to its limit. Throws 413, 415, or 400 when it is not JSON. */
export async function readBody(
  request: Request,
  { bodyLimit = 64 * 1024 }: Contract,
): Promise<{ text: string; value: unknown }> {
  if (!/^application\/json\s*(;|$)/i.test(request.headers.get('content-type') ?? '')) throw new AppError(415)
  if (Number(request.headers.get('content-length') ?? 0) > bodyLimit) throw new AppError(413)
  const chunks: Uint8Array[] = []
  let size = 0
  const reader = request.body?.getReader()
  while (reader) {
    const { done, value } = await reader.read()
    if (done) break
    size += value.byteLength
    if (size > bodyLimit) {
      await reader.cancel()
      throw new AppError(413)
    }
    chunks.push(value)
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))
    return { text, value: JSON.parse(text) }
  } catch {
    throw wrongBody('errorJson')
  }
}
