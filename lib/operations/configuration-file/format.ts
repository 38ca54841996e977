import { z } from 'zod'
import { fieldErrors, issueCode } from '@/lib/base/contracts/issues'
import { AppError, type FieldError, fieldError } from '@/lib/base/runtime/errors'
import { isStorable } from '@/lib/base/text/characters'
import { type Content, isSection, keyOf, list, schemaOf, sections } from './sections'

/** The header of a file. A change of the sections that makes older files invalid raises the version. */
export const formatName = 'identity-platform/configuration'
export const formatVersion = 2

/** The largest size of a file in bytes: it contains texts of documents, and pictures. */
export const largestFile = 16 * 1024 ** 2

/**
 * How secrets are encrypted with a passphrase. The parameters are fixed, so that a file can't make an import compute
 * for hours.
 */
export const encryptionParameters = { kdf: 'scrypt', cipher: 'aes-256-gcm', N: 131_072, r: 8, p: 1 } as const
const EncryptionHeader = z.strictObject({
  kdf: z.literal(encryptionParameters.kdf),
  cipher: z.literal(encryptionParameters.cipher),
  N: z.literal(encryptionParameters.N),
  r: z.literal(encryptionParameters.r),
  p: z.literal(encryptionParameters.p),
  salt: z.base64().length(24),
  /** A constant text, encrypted: a wrong passphrase doesn't decrypt it. */
  check: z.string().max(200),
})
export type EncryptionHeader = z.output<typeof EncryptionHeader>

const contentShape = Object.fromEntries(
  sections.map((name) => [name, list(schemaOf(name) as z.ZodType, 20_000).optional()]),
)
const ConfigurationFile = z.strictObject({
  format: z.literal(formatName),
  version: z.literal(formatVersion),
  secrets: z.union([z.literal('omitted'), EncryptionHeader]),
  content: z.strictObject(contentShape),
})
export type ConfigurationFile = {
  format: typeof formatName
  version: typeof formatVersion
  secrets: 'omitted' | EncryptionHeader
  /** A section that a file leaves out isn't changed. */
  content: Partial<Content>
}

/** Returns a configuration as text: equal configurations give equal bytes. */
export const textOf = (configuration: ConfigurationFile): string => `${JSON.stringify(configuration, null, 2)}\n`

const refused = (errorList: FieldError[]) => new AppError(400, 'configurationRefused', { errorList })

/** Throws 400 for texts and keys that can't be stored, and for nesting that no configuration has. */
function requireStorable(value: unknown, path: string, depth = 0): void {
  if (depth > 20) throw refused([{ field: path.slice(0, 200), code: 'errorFormat' }])
  if (typeof value === 'string' && !isStorable(value))
    throw refused([{ field: path.slice(0, 200), code: 'errorChars' }])
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) {
    if (!isStorable(key) || key === '__proto__')
      throw refused([{ field: path.slice(0, 200), code: 'errorUnknownField' }])
    requireStorable(inner, path ? `${path}.${key}` : key, depth + 1)
  }
}

/**
 * Returns the path of a field with the key of its object in place of its index: `banners.3.title` is
 * `banners[maintenance].title`.
 */
function namedPath(field: string, file: unknown): string {
  const [, section = '', index = '', ...rest] = field.split('.')
  const object = (file as { content?: Record<string, unknown[]> } | null)?.content?.[section]?.[Number(index)]
  if (!isSection(section) || typeof object !== 'object' || object === null) return field
  const parsed = schemaOf(section).safeParse(object)
  const key = parsed.success
    ? keyOf(section, parsed.data as never)
    : (['code', 'name', 'role', 'setting', 'key', 'of']
        .map((name) => (object as Record<string, unknown>)[name])
        .find((name) => typeof name === 'string') ?? index)
  return [`${section}[${String(key).slice(0, 80)}]`, ...rest].join('.')
}

/**
 * Reads a file. Throws 400 configurationRefused for one that isn't of this format, has another version or an unknown
 * key, or contains an object twice; each error has its path and its code
 * (docs/rules/administration-screens.md#configuration).
 */
export function parseConfiguration(text: string): ConfigurationFile {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw fieldFault('file', 'errorConfigurationJson')
  }
  const { format, version } = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>
  if (format !== formatName) throw fieldFault('format', 'errorConfigurationForeign')
  if (version !== formatVersion) {
    const newer = typeof version === 'number' && version > formatVersion
    throw fieldFault('version', newer ? 'errorConfigurationNewer' : 'errorConfigurationOlder', {
      version: typeof version === 'number' ? version : '?',
      known: formatVersion,
    })
  }
  requireStorable(value, '')
  const parsed = ConfigurationFile.safeParse(value, { error: issueCode })
  if (!parsed.success)
    throw refused(
      fieldErrors(parsed.error)
        .slice(0, 100)
        .map((error) => ({ ...error, field: namedPath(error.field, value) })),
    )
  const file = parsed.data as ConfigurationFile
  const duplicates = sections.flatMap((section) => {
    const keys = (file.content[section] ?? []).map((object) => keyOf(section, object as never))
    const repeatedKeys = new Set(keys.filter((key, index) => keys.indexOf(key) < index))
    return [...repeatedKeys].map((key): FieldError => ({ field: `${section}[${key}]`, code: 'errorNamedTwice' }))
  })
  if (duplicates.length > 0) throw refused(duplicates.slice(0, 100))
  return file
}

function fieldFault(field: string, code: string, params?: FieldError['params']) {
  return refused(fieldError(field, code, params).data.errorList ?? [])
}
