import { fileTypeFromBuffer } from 'file-type'
import type { FileType } from './file'

/** As many first bytes as telling a type takes. */
export const headSize = 4100

const textual: readonly FileType[] = ['image/svg+xml', 'application/json', 'text/csv', 'text/plain']
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a text may not hold
const control = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/

/** Whether bytes are a text: UTF-8 throughout, without controls but tabs and ends of lines. */
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

/** What an SVG begins with. Declarations of types are refused: they bring entities. */
const svg = /^\ufeff?\s*(?:<\?xml[^>]*\?>\s*)?(?:<!--(?:[^-]|-(?!->))*-->\s*)*<svg[\s>/]/
const beginnings: Partial<Record<FileType, RegExp>> = {
  'image/svg+xml': svg,
  'application/json': /^\ufeff?\s*[[{"\d\-tfn]/,
}

/** Which of these types the content has, told by its first bytes; `isText` says whether all of it is a text. */
export async function typeOf(
  head: Uint8Array,
  accepted: readonly FileType[],
  isText: boolean,
): Promise<FileType | undefined> {
  // a broken file may be an error to the library: then it is of no type
  const found = (await fileTypeFromBuffer(head).catch(() => undefined))?.mime
  const known = accepted.find((type) => type === found && !textual.includes(type))
  if (known || !isText) return known
  const text = new TextDecoder().decode(head)
  return accepted.find((type) => textual.includes(type) && (beginnings[type]?.test(text) ?? true))
}

/** Whether any of these types is a text, whose every byte counts. */
export const acceptsText = (accepted: readonly FileType[]) => accepted.some((type) => textual.includes(type))
