import { z } from 'zod'

/** The types of files, recognized by content. Text types have no signature: the first type in the rule counts. */
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
  // any content of no other declared type, such as a text in an older encoding: the service function checks it
  'application/octet-stream',
] as const
export type FileType = (typeof fileTypes)[number]

/** An uploaded file, complete and checked. It can be read until the service function returns, and is deleted then. */
export type UploadedFile = {
  /**
   * The name that the client sent: no path, no invisible characters, at most 255 characters. Empty when it sent none.
   */
  readonly name: string
  /** The type of its content. */
  readonly type: FileType
  readonly size: number
  /** SHA-256 of its bytes, base64url. */
  readonly digest: string
  /** Yields its bytes from the beginning; can be called repeatedly. */
  chunks(): AsyncIterable<Uint8Array>
  /** Returns all of its bytes at once, for small files. */
  bytes(): Promise<Buffer>
}

export type FileRule = { types: readonly FileType[]; max: number }
const rules = new WeakMap<z.ZodType, FileRule>()

/** Returns a size in megabytes, rounded for the texts of errors. */
export const inMegabytes = (bytes: number) => Math.max(0.1, Math.round((bytes / 1024 ** 2) * 10) / 10)

const isBlob = (value: unknown): value is Blob => typeof Blob !== 'undefined' && value instanceof Blob
const isFile = (value: unknown) =>
  isBlob(value) || (typeof value === 'object' && value !== null && 'digest' in value && 'chunks' in value)

/**
 * Declares a file in a call's body: of these types, at most `max` bytes. As the body itself it is sent as it is; as a
 * field of a strict object it makes the body a form (multipart), whose other fields are texts. The browser checks the
 * size.
 */
export function file({ types, max }: FileRule): z.ZodType<UploadedFile, Blob> {
  const schema = z
    .custom<Blob>(isFile, 'errorEmpty')
    .superRefine((value, check) => {
      if (!isBlob(value)) return
      const addFault = (code: string) => check.addIssue({ code: 'custom', message: code })
      if (value.size === 0) addFault('errorEmpty')
      else if (value.size > max) addFault('errorFileSize')
    })
    .meta({ type: 'string', format: 'binary', contentMediaType: types.join(', '), description: `At most ${max} bytes` })
  const fileSchema = schema as unknown as z.ZodType<UploadedFile, Blob>
  rules.set(fileSchema, { types, max })
  return fileSchema
}

const withoutOptional = (schema: z.ZodType): z.ZodType =>
  schema instanceof z.ZodOptional ? withoutOptional(schema.unwrap() as z.ZodType) : schema

/** Returns the rule of a file's schema; undefined for other schemas. */
export const fileRuleOf = (schema: z.ZodType): FileRule | undefined => rules.get(withoutOptional(schema))

const shapeOf = (body: z.ZodType) =>
  body instanceof z.ZodObject ? Object.entries(body.shape as Record<string, z.ZodType>) : []

/** Returns the files, and the names of all other fields, of a body that is a form. */
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

/** Returns how a body is sent: as JSON (undefined), as a form with files, or as one file. */
export function contentOf(body: z.ZodType | undefined): 'form' | 'file' | undefined {
  if (!body) return undefined
  if (fileRuleOf(body)) return 'file'
  return formParts(body).files.size > 0 ? 'form' : undefined
}

/** A file that a service function returns. Its chunks are requested one by one, as fast as the client reads. */
export type GivenFile = {
  name: string
  /** One of the types in the contract. */
  type: string
  /** Bytes, if known in advance. */
  size?: number
  chunks: AsyncIterable<Uint8Array | string>
}

export type AnswerRule = {
  types: readonly string[]
  /** `inline` is for pictures in a page. */
  disposition: 'attachment' | 'inline'
  /** Whether browsers may cache it forever: its address identifies its content. */
  lasting: boolean
  /** Whether pages of other origins may show it. */
  anywhere: boolean
}
const answers = new WeakMap<z.ZodType, AnswerRule>()
const pictureTypes: readonly string[] = ['image/png', 'image/jpeg', 'image/webp', 'image/gif']

/**
 * Declares the response of a call that answers with a file of these types, to be saved unless it is `inline`. Clients
 * receive a `File`.
 */
export function fileAnswer({
  types,
  disposition = 'attachment',
  lasting = false,
  anywhere = false,
}: Pick<AnswerRule, 'types'> & Partial<AnswerRule>): z.ZodType<File, GivenFile> {
  if (disposition === 'inline' && !types.every((type) => pictureTypes.includes(type)))
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
  answers.set(schema, { types, disposition, lasting, anywhere })
  return schema
}

/** Returns the rule of a response that is a file; undefined for other responses. */
export const answerRuleOf = (response: z.ZodType): AnswerRule | undefined => answers.get(response)
