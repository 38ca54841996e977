import { createHash, randomUUID } from 'node:crypto'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type FileRule, inMegabytes, type UploadedFile } from '../contracts/file'
import { AppError } from '../runtime/errors'
import { acceptsText, createTextCheck, headSize, typeOf } from './sniff'

const refusal = (status: 400 | 413 | 415, field: string, code: string, params?: Record<string, number>) =>
  new AppError(status, undefined, { errorList: [params ? { field, code, params } : { field, code }] })

/** Creates a file without a name in the temporary folder, so that it is deleted even if the process dies. */
async function openUnnamedFile(): Promise<FileHandle> {
  const path = join(tmpdir(), `platform-upload-${randomUUID()}`)
  const handle = await open(path, 'wx+', 0o600)
  try {
    await unlink(path)
    return handle
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** Returns a tidy file name: no path, no line breaks or invisible characters, at most 255 characters. */
export function tidyFileName(sentName: string | undefined): string {
  const name = (sentName ?? '')
    .toWellFormed()
    .replace(/^.*[/\\]/su, '')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\p{DI}\ufff9-\ufffb]/gu, '')
    .trim()
  if (/^\.*$/.test(name)) return ''
  if (name.length <= 255) return name
  const extension = /\.[\p{L}\p{N}]{1,16}$/u.exec(name)?.[0] ?? ''
  return `${name
    .slice(0, 255 - extension.length)
    .toWellFormed()
    .replace(/\ufffd$/, '')}${extension}`
}

/** Returns whether the disk is full or there are too many open files, which is temporary. */
const isFull = (error: unknown) => /^(?:ENOSPC|EDQUOT|EMFILE|ENFILE)$/.test(String((error as { code?: unknown })?.code))

class StoredFile implements UploadedFile {
  readonly #handle: FileHandle
  constructor(
    handle: FileHandle,
    readonly name: string,
    readonly type: UploadedFile['type'],
    readonly size: number,
    readonly digest: string,
  ) {
    this.#handle = handle
  }
  chunks(): AsyncIterable<Uint8Array> {
    return this.#handle.createReadStream({ start: 0, autoClose: false })
  }
  async bytes(): Promise<Buffer> {
    const collected: Uint8Array[] = []
    for await (const chunk of this.chunks()) collected.push(chunk)
    return Buffer.concat(collected)
  }
}

export type StoredUpload = { file: UploadedFile | undefined; close: () => Promise<void> }

/**
 * Stores the bytes of a file as they arrive, and checks them against its rule. Without bytes and without a name there
 * is no file. Throws 413 and 415 with the field as soon as that is certain, and 400 for an empty file; the bytes are
 * deleted then.
 */
export async function storeFile(
  field: string,
  givenName: string | undefined,
  source: AsyncIterable<Uint8Array>,
  { types, max }: FileRule,
): Promise<StoredUpload> {
  const handle = await openUnnamedFile()
  const close = () => handle.close()
  try {
    const hash = createHash('sha256')
    const mayBeText = acceptsText(types)
    const text = createTextCheck()
    let head = Buffer.alloc(0)
    let size = 0
    for await (const chunk of source) {
      size += chunk.byteLength
      if (size > max) throw refusal(413, field, 'errorFileSize', { limit: inMegabytes(max) })
      if (head.length < headSize) {
        head = Buffer.concat([head, chunk]).subarray(0, headSize)
        // a file that can not have an accepted type is not read to its end
        if (head.length === headSize && !mayBeText && !(await typeOf(head, types, false)))
          throw refusal(415, field, 'errorFileType')
      }
      if (mayBeText) text.add(chunk)
      hash.update(chunk)
      await handle.writeFile(chunk)
    }
    const name = tidyFileName(givenName)
    if (size === 0 && !givenName) {
      await close()
      return { file: undefined, close: async () => {} }
    }
    if (size === 0) throw refusal(400, field, 'errorEmpty')
    const type = await typeOf(head, types, mayBeText && text.end())
    if (!type) throw refusal(415, field, 'errorFileType')
    return { file: new StoredFile(handle, name, type, size, hash.digest('base64url')), close }
  } catch (error) {
    await close()
    throw isFull(error) ? new AppError(503, undefined, {}, 30) : error
  }
}
