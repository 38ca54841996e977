import Papa from 'papaparse'

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

/**
 * Returns the text of a file: UTF-8 or UTF-16 by its byte order mark, otherwise UTF-8 if it is valid, otherwise
 * windows-1251, in which Russian spreadsheets write.
 */
export function decodedText(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1251').decode(bytes)
  }
}
