import Papa from 'papaparse'
import type { Encoding } from './encodings'

/**
 * What a spreadsheet may take for the beginning of a formula, also after spaces and line ends that it ignores, and in the
 * full-width signs of an East Asian one. A text that has an apostrophe before it gets one more, so that readers tell them
 * apart.
 */
const formula = /^'*(?:[\s\ufeff]*[=+\-@＝＋－＠]|[\t\r\n])/

/** What a spreadsheet shows in place of a value that it couldn't calculate. */
const errorWords =
  '#(?:N/A|NULL!|DIV/0!|VALUE!|REF!|NAME\\?|NUM!|CALC!|SPILL!|Н/Д|ПУСТО!|ДЕЛ/0!|ЗНАЧ!|ССЫЛКА!|ИМЯ\\?|ЧИСЛО!|ВЫЧИСЛ!)'
const errorValue = new RegExp(`^${errorWords}$`)
const errorText = new RegExp(`^'*${errorWords}$`)

/** Returns whether a cell of CSV is an error of a spreadsheet; a text that reads so has an apostrophe before it. */
export const isErrorValue = (cell: string): boolean => errorValue.test(cell)

/** Returns a text as a cell of an exported list, which isn't taken for an error when it is read again. */
export const textCell = (text: string): string => (errorText.test(text) ? `'${text}` : text)

/** Returns the text of a cell as it was before `csvOf` and `textCell` wrote it. */
export const cellText = (cell: string): string =>
  cell.startsWith("'") && (formula.test(cell) || errorText.test(cell)) ? cell.slice(1) : cell

/** Tells spreadsheets that the file is UTF-8. */
export const csvBeginning = '\ufeff'

/**
 * Returns rows as CSV for a spreadsheet: with semicolons, which Russian and English ones recognize, and with an
 * apostrophe before what would be calculated as a formula. What could be another separator stands in quotes.
 */
export const csvOf = (rows: readonly (readonly string[])[]): string =>
  `${Papa.unparse(rows as string[][], {
    delimiter: ';',
    newline: '\r\n',
    escapeFormulae: formula,
    quotes: (cell: string) => /[,\t]/.test(cell),
  })}\r\n`

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

const separators = [';', '\t', ',', '|'] as const
export type Separator = (typeof separators)[number]

/** The first line by which a file tells spreadsheets its separator; they don't count it. */
const said = /^(?:\ufeff)?"?sep=([;,\t|])"?[ \t]*(?:\r\n|\n|\r|$)/i

/**
 * Returns the separator of a text, and the text without a line that says it. Otherwise it is the one that the first record
 * uses most, outside of quotes; of a long record its first 100 000 signs tell.
 */
export function separated(text: string): { separator: Separator; text: string } {
  const line = said.exec(text)
  if (line) return { separator: line[1] as Separator, text: text.slice(line[0].length) }
  let quoted = false
  const counts = new Map<string, number>([';', '\t', ','].map((each) => [each, 0]))
  for (const sign of text.trimStart().slice(0, 100_000)) {
    if (sign === '"') quoted = !quoted
    else if (!quoted && (sign === '\n' || sign === '\r')) break
    else if (!quoted && counts.has(sign)) counts.set(sign, (counts.get(sign) ?? 0) + 1)
  }
  const most = (one: Separator, other: Separator) => ((counts.get(other) ?? 0) > (counts.get(one) ?? 0) ? other : one)
  return { separator: separators.reduce(most), text }
}

/** Stands for bytes that aren't text in the encoding. */
const replaced = '\ufffd'

/** Whether a text was UTF-8 but for a few bytes: one of another encoding has hardly a letter that isn't broken. */
function isMostlyRight(text: string): boolean {
  let broken = 0
  let right = 0
  for (const sign of text) {
    if (sign === replaced) broken++
    else if (sign > '\x7f') right++
  }
  return right > 10 * broken
}

/** How many bytes of a file tell whether it is UTF-16. */
const toldBy = 4_000

/** Second bytes of the letters and signs that lists in Latin and Cyrillic letters have. */
const highBytes = [0x00, 0x04, 0x20]

/** Returns which UTF-16 a file without a mark is: nearly all of its signs have such a byte at one side, some of them NUL. */
function utf16Of(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const units = Math.min(bytes.length - (bytes.length % 2), toldBy) / 2
  const isAt = (side: 0 | 1) => {
    let [high, zero] = [0, 0]
    for (let unit = 0; unit < units; unit++) {
      const byte = bytes[2 * unit + side] ?? 0
      if (highBytes.includes(byte)) high++
      if (byte === 0) zero++
    }
    return zero > 0 && high > 0.95 * units
  }
  if (bytes.length % 2 === 1) return null
  return isAt(1) ? 'utf-16le' : isAt(0) ? 'utf-16be' : null
}

type Decoded = { text: string; encoding: Encoding; broken: boolean }

/**
 * Returns the text of a file, and how it was read: in the encoding that was chosen, as UTF-8 or UTF-16 by its byte order
 * mark, as UTF-16 by the bytes of its letters, as UTF-8 if it is that but for a few bytes, otherwise as windows-1251, in
 * which Russian spreadsheets write. `broken`: U+FFFD stands for bytes that aren't text.
 */
export function decodedFile(bytes: Uint8Array, chosen?: Encoding): Decoded {
  const as = (encoding: Encoding, broken = false): Decoded => ({
    ...{ text: new TextDecoder(encoding).decode(bytes), encoding, broken },
  })
  const begins = (...mark: number[]) => mark.every((byte, at) => bytes[at] === byte)
  const inUtf8 = (): Decoded => {
    try {
      return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), encoding: 'utf-8', broken: false }
    } catch {
      return as('utf-8', true)
    }
  }
  if (chosen) {
    if (chosen === 'utf-8') return inUtf8()
    const read = as(chosen)
    return { ...read, broken: read.text.includes(replaced) }
  }
  if (begins(0xff, 0xfe)) return as('utf-16le')
  if (begins(0xfe, 0xff)) return as('utf-16be')
  const utf16 = utf16Of(bytes)
  if (utf16) return as(utf16)
  const read = inUtf8()
  if (!read.broken || begins(0xef, 0xbb, 0xbf) || isMostlyRight(read.text)) return read
  return as('windows-1251')
}

/** Returns the text of a file, as `decodedFile` reads it. */
export const decodedText = (bytes: Uint8Array): string => decodedFile(bytes).text
