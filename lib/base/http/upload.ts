import { Busboy, type BusboyInstance } from '@fastify/busboy'
import { callerId } from '../context/access'
import type { Ctx } from '../context/ctx'
import type { Contract } from '../contracts/contract'
import { fileRuleOf, formParts } from '../contracts/file'
import { networkOf } from '../limits/client-ip'
import { AppError } from '../runtime/errors'
import { isStorable } from '../text/characters'
import { bytesOf } from './read'
import { type StoredUpload, storeFile } from './stored-file'

/** The size of a text field in a form, and of the bytes around each part. */
const fieldSize = 64 * 1024
const partOverhead = 16 * 1024

export type ReceivedBody = {
  value: unknown
  /** A text that is the same for the same content, and another one for any other content. */
  stamp: string
  /** Closes the files, which deletes them. */
  close: () => Promise<void>
}

const fieldFault = (field: string, code: string) =>
  new AppError(400, undefined, {
    errorList: [{ field: isStorable(field) ? field.slice(0, 200) : '', code }],
  })

/** The most simultaneous uploads of one caller and of this process. */
const maxOfCaller = 4
const maxOfProcess = 32
const uploadsByCaller = new Map<string, number>()

/**
 * Runs work that takes one of the slots for uploads. Callers who aren't signed in share those of their network. Throws
 * 429 if the caller has no free slot, and 503 if the process has none.
 */
export async function withUploadSlot<T>(ctx: Ctx, work: () => Promise<T>): Promise<T> {
  const caller = ctx.user || ctx.service ? callerId(ctx) : `address ${networkOf(ctx.ip)}`
  const ownUploads = uploadsByCaller.get(caller) ?? 0
  if (ownUploads >= maxOfCaller) throw new AppError(429, undefined, {}, 5)
  if ([...uploadsByCaller.values()].reduce((sum, count) => sum + count, 0) >= maxOfProcess)
    throw new AppError(503, undefined, {}, 5)
  uploadsByCaller.set(caller, ownUploads + 1)
  try {
    return await work()
  } finally {
    const remaining = (uploadsByCaller.get(caller) ?? 1) - 1
    if (remaining > 0) uploadsByCaller.set(caller, remaining)
    else uploadsByCaller.delete(caller)
  }
}

/** Returns the most bytes that a call's whole body may have. */
function uploadLimit({ body, bodyLimit }: Contract): number {
  if (bodyLimit !== undefined || !body) return bodyLimit ?? 0
  const fileRule = fileRuleOf(body)
  if (fileRule) return fileRule.max
  const { files, texts } = formParts(body)
  const parts = [...files.values()].map(({ max }) => max + partOverhead)
  return parts.reduce((sum, size) => sum + size, texts.size * (fieldSize + partOverhead) + partOverhead)
}

async function readFileBody(request: Request, contract: Contract): Promise<ReceivedBody> {
  const rule = contract.body && fileRuleOf(contract.body)
  if (!rule || /^multipart\//i.test(request.headers.get('content-type') ?? '')) throw new AppError(415)
  const { file, close } = await storeFile('', undefined, bytesOf(request, uploadLimit(contract)), rule)
  return { value: file, stamp: file?.digest ?? '', close }
}

/** Feeds a form to its parser, as fast as the parser reads. Stops at the first error and throws it. */
async function feed(parser: BusboyInstance, source: AsyncGenerator<Uint8Array>, failed: Promise<never>) {
  const finished = new Promise<void>((resolve) => parser.once('finish', resolve))
  for (;;) {
    const { done, value } = await Promise.race([source.next(), failed])
    if (done) break
    if (parser.write(value)) continue
    await Promise.race([new Promise((resolve) => parser.once('drain', resolve)), failed])
  }
  parser.end()
  await Promise.race([finished, failed])
}

async function readForm(request: Request, contract: Contract): Promise<ReceivedBody> {
  const type = request.headers.get('content-type') ?? ''
  if (!contract.body || !/^multipart\/form-data\s*(;|$)/i.test(type)) throw new AppError(415)
  const { files, texts } = formParts(contract.body)
  const values = new Map<string, string>()
  const storing = new Map<string, Promise<StoredUpload>>()
  const readNames = new Set<string>()
  const streams: { destroy(error: Error): unknown }[] = []
  const { promise: failed, reject } = Promise.withResolvers<never>()
  failed.catch(() => {})

  /** Refuses a part by its name before it is read. Only the contract decides whether a part is a file. */
  const isFile = (name = '') => {
    if (!files.has(name) && !texts.has(name)) reject(fieldFault(name, 'errorUnknownField'))
    else if (readNames.has(name)) reject(fieldFault(name, 'errorFileSingle'))
    readNames.add(name)
    return files.has(name)
  }
  let parser: BusboyInstance
  try {
    const parts = files.size + texts.size + 1
    const limits = { fieldSize, parts, headerPairs: 16, headerSize: partOverhead / 2 }
    parser = new Busboy({ headers: { 'content-type': type }, limits, preservePath: true, isPartAFile: isFile })
  } catch {
    throw fieldFault('', 'errorFormat')
  }
  parser.on('error', () => reject(fieldFault('', 'errorFormat')))
  parser.on('partsLimit', () => reject(fieldFault('', 'errorUnknownField')))
  parser.on('field', (name, value, _, truncated) => {
    if (truncated) reject(fieldFault(name, 'errorTooLong'))
    else values.set(name, value)
  })
  parser.on('file', (name, stream, givenName) => {
    streams.push(stream)
    // the reader receives the error; without a reader nobody handles it
    stream.on('error', () => {})
    const rule = files.get(name)
    if (!rule || storing.has(name)) return stream.resume()
    const stored = storeFile(name, givenName, stream, rule)
    // an error of the parser is the fault of the form, an error of the system is not
    stored.catch((error: Error) =>
      reject(error instanceof AppError || 'syscall' in error ? error : fieldFault('', 'errorFormat')),
    )
    storing.set(name, stored)
    return undefined
  })

  const close = async () => {
    for (const stored of await Promise.allSettled(storing.values()))
      if (stored.status === 'fulfilled') await stored.value.close()
  }
  try {
    await feed(parser, bytesOf(request, uploadLimit(contract)), failed)
    const body: Record<string, unknown> = Object.fromEntries(values)
    const stamp: unknown[] = [[...values].sort()]
    for (const name of [...files.keys()].filter((fieldName) => storing.has(fieldName))) {
      const { file } = await Promise.race([storing.get(name) as Promise<StoredUpload>, failed])
      if (!file) continue
      body[name] = file
      stamp.push([name, file.name, file.digest])
    }
    return { value: body, stamp: JSON.stringify(stamp), close }
  } catch (error) {
    for (const stream of streams) stream.destroy(new Error('the form is refused'))
    await close()
    throw error
  }
}

/**
 * Reads the body of a call with files: each file goes into an unnamed temporary file, and its type is recognized by its
 * content. Throws 400, 413 and 415 with the faulty field; the files are deleted then. The caller closes the result.
 */
export const readUpload = (request: Request, contract: Contract): Promise<ReceivedBody> =>
  contract.content === 'file' ? readFileBody(request, contract) : readForm(request, contract)
