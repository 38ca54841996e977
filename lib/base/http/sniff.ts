import { fileTypeFromBuffer } from 'file-type'
import type { FileType } from '../contracts/file'

/** The number of bytes by which a type is recognized. */
export const headSize = 4100

const textTypes: readonly FileType[] = ['image/svg+xml', 'application/json', 'text/csv', 'text/plain']
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a text may not hold
const controlCharacter = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/

/**
 * Returns a check that takes bytes chunk by chunk and tells at the end whether they are a text: valid UTF-8 without
 * control characters other than tabs and line ends.
 */
export function createTextCheck() {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let isText = true
  const check = (decode: () => string) => {
    if (!isText) return
    try {
      isText = !controlCharacter.test(decode())
    } catch {
      isText = false
    }
  }
  return {
    add: (chunk: Uint8Array) => check(() => decoder.decode(chunk, { stream: true })),
    end: () => {
      check(() => decoder.decode())
      return isText
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
 * Returns the accepted type of a content, recognized by its first bytes; undefined if it has none. `isText` says
 * whether all of the content is text.
 */
export async function typeOf(
  head: Uint8Array,
  accepted: readonly FileType[],
  isText: boolean,
): Promise<FileType | undefined> {
  // the library may throw for a broken file: then it has no type
  const recognized = (await fileTypeFromBuffer(head).catch(() => undefined))?.mime
  const binaryType = accepted.find((type) => type === recognized && !textTypes.includes(type))
  if (binaryType) return binaryType
  const anyType = accepted.find((type) => type === 'application/octet-stream')
  if (!isText) return anyType
  const text = new TextDecoder().decode(head)
  return accepted.find((type) => textTypes.includes(type) && (beginnings[type]?.test(text) ?? true)) ?? anyType
}

/** Returns whether one of these types is a text; then every byte must be checked. */
export const acceptsText = (accepted: readonly FileType[]) => accepted.some((type) => textTypes.includes(type))
