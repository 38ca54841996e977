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

/** A quoted cell isn't closed, or more follows it: in which record, from 1. */
export class QuotesFault extends Error {
  constructor(readonly row: number) {
    super('quotes')
  }
}

const [quote, newline, back, space] = [0x22, 0x0a, 0x0d, 0x20]

/**
 * Reads the records of CSV one by one, so that whoever reads them can stop; they have no cell or one too, if they are
 * empty. Calls `within` for each record and cell, from 0, before it is read. Throws QuotesFault.
 */
export function* csvRecords(text: string, separator: string, within: (record: number, cell: number) => void) {
  const between = separator.charCodeAt(0)
  let record = 0
  let at = 0
  const isEnd = (sign: number) => sign === between || sign === newline || sign === back
  const plain = () => {
    const from = at
    while (at < text.length && !isEnd(text.charCodeAt(at))) at++
    return text.slice(from, at)
  }
  const quoted = () => {
    const from = ++at
    do {
      const close = text.indexOf('"', at)
      if (close < 0) throw new QuotesFault(record + 1)
      at = close + 2
    } while (text.charCodeAt(at - 1) === quote)
    const cell = text.slice(from, --at - 1).replaceAll('""', '"')
    while (text.charCodeAt(at) === space) at++
    if (at < text.length && !isEnd(text.charCodeAt(at))) throw new QuotesFault(record + 1)
    return cell
  }
  for (; at < text.length; record++) {
    const cells: string[] = []
    do {
      within(record, cells.length)
      cells.push(text.charCodeAt(at) === quote ? quoted() : plain())
    } while (text.charCodeAt(at) === between && ++at)
    yield cells
    at += text.charCodeAt(at) === back && text.charCodeAt(at + 1) === newline ? 2 : 1
  }
}

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
