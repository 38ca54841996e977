import Papa from 'papaparse'
import type { Encoding } from './tables/encodings'

/**
 * What a spreadsheet may take for the beginning of a formula, also after spaces and line ends that it ignores, and in the
 * full-width signs of an East Asian one.
 */
const formula = /^[\s\ufeff]*[=+\-@＝＋－＠]|^[\t\r\n]/

/** Tells spreadsheets that the file is UTF-8. */
export const csvBeginning = '\ufeff'

/**
 * Returns rows as CSV for a spreadsheet: with semicolons, which Russian and English ones recognize, and with an
 * apostrophe before what would be calculated as a formula.
 */
export const csvOf = (rows: readonly (readonly string[])[]): string =>
  `${Papa.unparse(rows as string[][], { delimiter: ';', newline: '\r\n', escapeFormulae: formula, quotes: false })}\r\n`

const separators = [';', '\t', ','] as const

/** Returns the separator that the first record uses most, outside of quotes; of a long one its first 100 000 signs tell. */
export function separatorOf(text: string): (typeof separators)[number] {
  let quoted = false
  const counts = new Map<string, number>(separators.map((each) => [each, 0]))
  for (const sign of text.trimStart().slice(0, 100_000)) {
    if (sign === '"') quoted = !quoted
    else if (!quoted && (sign === '\n' || sign === '\r')) break
    else if (!quoted && counts.has(sign)) counts.set(sign, (counts.get(sign) ?? 0) + 1)
  }
  return separators.reduce((best, each) => ((counts.get(each) ?? 0) > (counts.get(best) ?? 0) ? each : best))
}

/**
 * Returns the text of a file, and how it was read: as UTF-8 or UTF-16 by its byte order mark, otherwise as UTF-8 if it is
 * valid, otherwise as windows-1251, in which Russian spreadsheets write.
 */
export function decodedFile(bytes: Uint8Array): { text: string; encoding: Encoding } {
  const as = (encoding: Encoding) => ({ text: new TextDecoder(encoding).decode(bytes), encoding })
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return as('utf-16le')
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return as('utf-16be')
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), encoding: 'utf-8' }
  } catch {
    return as('windows-1251')
  }
}

/** Returns the text of a file, as `decodedFile` reads it. */
export const decodedText = (bytes: Uint8Array): string => decodedFile(bytes).text
