import { fileTypeFromBuffer } from 'file-type'
import type { FileType } from '../contracts/file'

/** How many bytes the recognition of a type needs. */
export const headSize = 4100

const textual: readonly FileType[] = ['image/svg+xml', 'application/json', 'text/csv', 'text/plain']
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a text may not hold
const control = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/

/**
 * Returns a check that collects bytes and tells whether they are a text: valid UTF-8 without control characters other
 * than tabs and line ends.
 */
export function createTextCheck() {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let sound = true
  const look = (decode: () => string) => {
    if (!sound) return
    try {
      sound = !control.test(decode())
    } catch {
      sound = false
    }
  }
  return {
    add: (chunk: Uint8Array) => look(() => decoder.decode(chunk, { stream: true })),
    end: () => {
      look(() => decoder.decode())
      return sound
    },
  }
}

/** The beginning of an SVG. Document type declarations are refused, because they can define entities. */
const svg = /^\ufeff?\s*(?:<\?xml[^>]*\?>\s*)?(?:<!--(?:[^-]|-(?!->))*-->\s*)*<svg[\s>/]/
const beginnings: Partial<Record<FileType, RegExp>> = {
  'image/svg+xml': svg,
  'application/json': /^\ufeff?\s*[[{"\d\-tfn]/,
}

/**
 * Returns the type of the content among those accepted, recognized by its first bytes; `isText` says whether all of it
 * is text.
 */
export async function typeOf(
  head: Uint8Array,
  accepted: readonly FileType[],
  isText: boolean,
): Promise<FileType | undefined> {
  // the library may throw for a broken file: then it has no type
  const found = (await fileTypeFromBuffer(head).catch(() => undefined))?.mime
  const known = accepted.find((type) => type === found && !textual.includes(type))
  if (known) return known
  const any = accepted.find((type) => type === 'application/octet-stream')
  if (!isText) return any
  const text = new TextDecoder().decode(head)
  return accepted.find((type) => textual.includes(type) && (beginnings[type]?.test(text) ?? true)) ?? any
}

/** Returns whether one of these types is a text; then every byte must be checked. */
export const acceptsText = (accepted: readonly FileType[]) => accepted.some((type) => textual.includes(type))
