import Papa from 'papaparse'
import type { Encoding } from './encodings'

/**
 * The beginnings that a spreadsheet may take for those of a formula, also after spaces and line ends that it ignores,
 * and with the full-width signs of East Asian ones. A text that already has an apostrophe before it matches too: it
 * gets one more, so that reading the file restores it.
 */
const formula = /^'*(?:[\s\ufeff]*[=+\-@＝＋－＠]|[\t\r\n])/

/** The texts that spreadsheets show in place of a value that they couldn't calculate. */
const errorWords =
  '#(?:N/A|NULL!|DIV/0!|VALUE!|REF!|NAME\\?|NUM!|CALC!|SPILL!|Н/Д|ПУСТО!|ДЕЛ/0!|ЗНАЧ!|ССЫЛКА!|ИМЯ\\?|ЧИСЛО!|ВЫЧИСЛ!)'
const errorValue = new RegExp(`^${errorWords}$`)
const errorText = new RegExp(`^'*${errorWords}$`)

/** Returns whether a cell of CSV is an error of a spreadsheet. A text with these words has an apostrophe before it. */
export const isErrorValue = (cell: string): boolean => errorValue.test(cell)

/** Returns a text as a cell of an exported list, so that an import doesn't take it for an error. */
export const textCell = (text: string): string => (errorText.test(text) ? `'${text}` : text)

/** Returns the text of a cell as it was before `csvOf` and `textCell` wrote it. */
export const cellText = (cell: string): string =>
  cell.startsWith("'") && (formula.test(cell) || errorText.test(cell)) ? cell.slice(1) : cell

/** The byte order mark, by which spreadsheets recognize UTF-8. */
export const csvBeginning = '\ufeff'

/**
 * Returns rows as CSV for a spreadsheet: with semicolons, which Russian and English ones recognize, and with an
 * apostrophe before a text that would be a formula. Cells with commas or tabs are quoted, because these could be taken
 * for separators.
 */
export const csvOf = (rows: readonly (readonly string[])[]): string =>
  `${Papa.unparse(rows as string[][], {
    delimiter: ';',
    newline: '\r\n',
    escapeFormulae: formula,
    quotes: (cell: string) => /[,\t]/.test(cell),
  })}\r\n`

/** Thrown if a quoted cell isn't closed, or if text follows its closing quote; `row` is the record, from 1. */
export class QuotesFault extends Error {
  constructor(readonly row: number) {
    super('quotes')
  }
}

const [quote, newline, carriageReturn, space] = [0x22, 0x0a, 0x0d, 0x20]

/**
 * Yields the records of CSV one by one, so that the caller can stop. An empty record has no cell or one. Calls
 * `checkLimits` with the number of each record and cell, from 0, before it reads the cell. Throws QuotesFault.
 */
export function* csvRecords(text: string, separator: string, checkLimits: (record: number, cell: number) => void) {
  const separatorCode = separator.charCodeAt(0)
  let record = 0
  let position = 0
  const isEnd = (sign: number) => sign === separatorCode || sign === newline || sign === carriageReturn
  const readPlain = () => {
    const start = position
    while (position < text.length && !isEnd(text.charCodeAt(position))) position++
    return text.slice(start, position)
  }
  const readQuoted = () => {
    const start = ++position
    do {
      const close = text.indexOf('"', position)
      if (close < 0) throw new QuotesFault(record + 1)
      position = close + 2
    } while (text.charCodeAt(position - 1) === quote)
    const cell = text.slice(start, --position - 1).replaceAll('""', '"')
    while (text.charCodeAt(position) === space) position++
    if (position < text.length && !isEnd(text.charCodeAt(position))) throw new QuotesFault(record + 1)
    return cell
  }
  for (; position < text.length; record++) {
    const cells: string[] = []
    do {
      checkLimits(record, cells.length)
      cells.push(text.charCodeAt(position) === quote ? readQuoted() : readPlain())
    } while (text.charCodeAt(position) === separatorCode && ++position)
    yield cells
    position += text.charCodeAt(position) === carriageReturn && text.charCodeAt(position + 1) === newline ? 2 : 1
  }
}

const separators = [';', '\t', ',', '|'] as const
export type Separator = (typeof separators)[number]

/** The first line by which a file tells spreadsheets its separator; they don't count it as a row. */
const separatorLine = /^(?:\ufeff)?"?sep=([;,\t|])"?[ \t]*(?:\r\n|\n|\r|$)/i

/**
 * Returns the separator of a text, and the text without the line that states it. If no line states it, it is the most
 * frequent one in the first record, outside of quotes, or in the first 100 000 signs of a long record.
 */
export function detectSeparator(text: string): { separator: Separator; text: string } {
  const line = separatorLine.exec(text)
  if (line) return { separator: line[1] as Separator, text: text.slice(line[0].length) }
  let inQuotes = false
  const counts = new Map<string, number>([';', '\t', ','].map((candidate) => [candidate, 0]))
  for (const sign of text.trimStart().slice(0, 100_000)) {
    if (sign === '"') inQuotes = !inQuotes
    else if (!inQuotes && (sign === '\n' || sign === '\r')) break
    else if (!inQuotes && counts.has(sign)) counts.set(sign, (counts.get(sign) ?? 0) + 1)
  }
  const moreFrequent = (a: Separator, b: Separator) => ((counts.get(b) ?? 0) > (counts.get(a) ?? 0) ? b : a)
  return { separator: separators.reduce(moreFrequent), text }
}

/** The replacement for bytes that aren't text in the encoding. */
const replacementSign = '\ufffd'

/** Whether a text was UTF-8 except for a few bytes: in a text of another encoding most letters are broken. */
function isMostlyRight(text: string): boolean {
  let broken = 0
  let right = 0
  for (const sign of text) {
    if (sign === replacementSign) broken++
    else if (sign > '\x7f') right++
  }
  return right > 10 * broken
}

/** The number of bytes by which UTF-16 is recognized. */
const sampledBytes = 4_000

/** The high bytes of the letters and signs in lists in Latin and Cyrillic letters. */
const highBytes = [0x00, 0x04, 0x20]

/**
 * Returns the byte order of a UTF-16 file without a byte order mark; null for other files. In UTF-16 nearly all signs
 * have such a high byte on one side, and some of these bytes are NUL.
 */
function utf16Of(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const units = Math.min(bytes.length - (bytes.length % 2), sampledBytes) / 2
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
 * Returns the text of a file and its encoding: the chosen one; else UTF-8 or UTF-16 by the byte order mark; else UTF-16
 * by the bytes of the letters; else UTF-8 if at most a few bytes are wrong; else windows-1251, in which Russian
 * spreadsheets write. `broken`: the text contains U+FFFD for bytes that aren't text.
 */
export function decodeFile(bytes: Uint8Array, chosen?: Encoding): Decoded {
  const decodeAs = (encoding: Encoding, broken = false): Decoded => ({
    ...{ text: new TextDecoder(encoding).decode(bytes), encoding, broken },
  })
  const beginsWith = (...mark: number[]) => mark.every((byte, index) => bytes[index] === byte)
  const decodeUtf8 = (): Decoded => {
    try {
      return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), encoding: 'utf-8', broken: false }
    } catch {
      return decodeAs('utf-8', true)
    }
  }
  if (chosen) {
    if (chosen === 'utf-8') return decodeUtf8()
    const result = decodeAs(chosen)
    return { ...result, broken: result.text.includes(replacementSign) }
  }
  if (beginsWith(0xff, 0xfe)) return decodeAs('utf-16le')
  if (beginsWith(0xfe, 0xff)) return decodeAs('utf-16be')
  const utf16 = utf16Of(bytes)
  if (utf16) return decodeAs(utf16)
  const result = decodeUtf8()
  if (!result.broken || beginsWith(0xef, 0xbb, 0xbf) || isMostlyRight(result.text)) return result
  return decodeAs('windows-1251')
}

/** Returns the text of a file, as `decodeFile` reads it. */
export const decodedText = (bytes: Uint8Array): string => decodeFile(bytes).text
