import { z } from 'zod'

/** What files may be, told by their content. Texts can't be told from one another: the first that is declared counts. */
export const fileTypes = [
  'image/png',
  'image/jpeg',
  'image/webp',
  'image/gif',
  'application/pdf',
  'application/zip',
  'image/svg+xml',
  'application/json',
  'text/csv',
  'text/plain',
] as const
export type FileType = (typeof fileTypes)[number]

/** A file that somebody sent, whole and checked. It can be read until the verb is over, and is gone then. */
export type UploadedFile = {
  /** As the client calls it: no path, nothing that nobody sees, at most 255 characters. Empty when it told none. */
  readonly name: string
  /** As its content says. */
  readonly type: FileType
  readonly size: number
  /** SHA-256 of its bytes, base64url. */
  readonly digest: string
  /** Its bytes from the beginning, as often as wished. */
  chunks(): AsyncIterable<Uint8Array>
  /** All of its bytes at once, for small files. */
  bytes(): Promise<Buffer>
}

export type FileRule = { types: readonly FileType[]; max: number }
const rules = new WeakMap<z.ZodType, FileRule>()

/** Files as `limit` of an error's text names their size. */
export const inMegabytes = (bytes: number) => Math.max(0.1, Math.round((bytes / 1024 ** 2) * 10) / 10)

const isBlob = (value: unknown): value is Blob => typeof Blob !== 'undefined' && value instanceof Blob
const isFile = (value: unknown) =>
  isBlob(value) || (typeof value === 'object' && value !== null && 'digest' in value && 'chunks' in value)

/**
 * A file in a call's body: of these types, at most `max` bytes. As the body itself it is sent as it stands; as a field
 * of a strict object the body is a form (multipart), whose other fields are texts. The browser checks what it can tell.
 */
export function file({ types, max }: FileRule): z.ZodType<UploadedFile, Blob> {
  const schema = z
    .custom<Blob>(isFile, 'errorEmpty')
    .superRefine((value, check) => {
      if (!isBlob(value)) return
      const fault = (code: string) => check.addIssue({ code: 'custom', message: code })
      if (value.size === 0) fault('errorEmpty')
      else if (value.size > max) fault('errorFileSize')
    })
    .meta({ type: 'string', format: 'binary', contentMediaType: types.join(', '), description: `At most ${max} bytes` })
  const typed = schema as unknown as z.ZodType<UploadedFile, Blob>
  rules.set(typed, { types, max })
  return typed
}

const inner = (schema: z.ZodType): z.ZodType =>
  schema instanceof z.ZodOptional ? inner(schema.unwrap() as z.ZodType) : schema

/** The rule of a file's schema; undefined for every other. */
export const fileRuleOf = (schema: z.ZodType): FileRule | undefined => rules.get(inner(schema))

const shapeOf = (body: z.ZodType) =>
  body instanceof z.ZodObject ? Object.entries(body.shape as Record<string, z.ZodType>) : []

/** The files and the names of all other fields of a body that is a form. */
export function formParts(body: z.ZodType): { files: Map<string, FileRule>; texts: Set<string> } {
  const files = new Map<string, FileRule>()
  const texts = new Set<string>()
  for (const [name, schema] of shapeOf(body)) {
    const rule = fileRuleOf(schema)
    if (rule) files.set(name, rule)
    else texts.add(name)
  }
  return { files, texts }
}

/** How a body is sent: as JSON (undefined), as a form with files in it, or as one file. */
export function contentOf(body: z.ZodType | undefined): 'form' | 'file' | undefined {
  if (!body) return undefined
  if (fileRuleOf(body)) return 'file'
  return formParts(body).files.size > 0 ? 'form' : undefined
}

/** A file that a verb gives. Its chunks are asked for one by one, as fast as the client takes them. */
export type GivenFile = {
  name: string
  /** One of the types that the contract names. */
  type: string
  /** Bytes, if known beforehand. */
  size?: number
  chunks: AsyncIterable<Uint8Array | string>
}

export type AnswerRule = {
  types: readonly string[]
  /** `inline` is for pictures that a page shows. */
  disposition: 'attachment' | 'inline'
  /** Whether browsers may keep it for good: its address then names its content. */
  lasting: boolean
}
const answers = new WeakMap<z.ZodType, AnswerRule>()
const shown: readonly string[] = ['image/png', 'image/jpeg', 'image/webp', 'image/gif']

/** The response of a call that gives a file: of these types, to be saved unless it is `inline`. Clients get a `File`. */
export function fileAnswer({
  types,
  disposition = 'attachment',
  lasting = false,
}: Pick<AnswerRule, 'types'> & Partial<AnswerRule>): z.ZodType<File, GivenFile> {
  if (disposition === 'inline' && !types.every((type) => shown.includes(type)))
    throw new Error('only pictures that hold no scripts are shown in place')
  const schema = z
    .custom<GivenFile>(
      (value) => {
        const { type, chunks } = (value ?? {}) as Partial<GivenFile>
        return (
          type !== undefined && types.includes(type) && typeof chunks === 'object' && Symbol.asyncIterator in chunks
        )
      },
      `a file of another type than ${types.join(', ')}`,
    )
    .meta({ type: 'string', format: 'binary' }) as unknown as z.ZodType<File, GivenFile>
  answers.set(schema, { types, disposition, lasting })
  return schema
}

/** What a response that is a file is declared as; undefined for every other. */
export const answerRuleOf = (response: z.ZodType): AnswerRule | undefined => answers.get(response)
