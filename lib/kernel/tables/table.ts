import Papa from 'papaparse'
import { cellText, decodedFile, isErrorValue, separated } from '../csv'
import { AppError } from '../errors'
import {
  type Broken,
  createRows,
  requireWithin,
  TableFault,
  type TableRow,
  type TableSource,
  type TableWishes,
} from './rows'
import { readWorkbook } from './workbook'

export type Table = { source: TableSource; head: string[]; rows: TableRow[] }

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a text may not hold
const control = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/

const [quote, newline, back, space] = [0x22, 0x0a, 0x0d, 0x20]

/**
 * Looks at every cell before the text is parsed, which makes a list of a line and of each fault in it: a million separators
 * are 200 MB, a million quotes are seconds. Throws TableFault for what no table has.
 */
function requireReadable(text: string, separator: string) {
  const between = separator.charCodeAt(0)
  let line = 0
  let cell = 0
  let isBegin = true
  for (let at = 0; at < text.length; at++) {
    let sign = text.charCodeAt(at)
    if (isBegin && sign === quote) {
      at = text.indexOf('"', at + 1)
      while (at >= 0 && text.charCodeAt(at + 1) === quote) at = text.indexOf('"', at + 2)
      if (at < 0) throw new TableFault('tableQuotes', { row: line + 1 })
      do sign = text.charCodeAt(++at)
      while (sign === space)
      const isEnd = at >= text.length || sign === between || sign === newline || sign === back
      if (!isEnd) throw new TableFault('tableQuotes', { row: line + 1 })
    }
    isBegin = sign === between || sign === newline || sign === back
    if (sign === between) requireWithin(line, ++cell)
    else if (sign === newline || (sign === back && text.charCodeAt(at + 1) !== newline)) {
      requireWithin(++line, 0)
      cell = 0
    }
  }
}

/** Returns which cells of a row have no value: errors of spreadsheets, and where bytes were broken. */
function brokenIn(cells: readonly string[], isBroken: boolean): Record<number, Broken> {
  const found: Record<number, Broken> = {}
  for (const [at, cell] of cells.entries()) {
    if (isErrorValue(cell.trim())) found[at] = 'value'
    else if (isBroken && cell.includes('\ufffd')) found[at] = 'text'
  }
  return found
}

function readCsv(bytes: Uint8Array, wishes: TableWishes): Table {
  const { text: decoded, encoding, broken } = decodedFile(bytes, wishes.encoding)
  const { separator, text } = separated(decoded.replace(/^\ufeff/, ''))
  if (control.test(text)) throw new TableFault('tableFormat')
  requireReadable(text, separator)
  const rows = createRows()
  let row = 0
  Papa.parse<string[]>(text, {
    delimiter: separator,
    step: ({ data, errors }) => {
      requireWithin(row++, data.length - 1)
      if (errors.some(({ type }) => type === 'Quotes')) throw new TableFault('tableQuotes', { row })
      // exports write an apostrophe before what would be a formula
      rows.add(row, data.map(cellText), brokenIn(data, broken))
    },
  })
  return { source: { kind: 'csv', encoding, separator }, ...rows.end() }
}

/**
 * Reads the table of a file: a workbook (xlsx), or CSV in UTF-8, UTF-16 or windows-1251 with semicolons, commas or tabs.
 * The first row that isn't empty names the columns. `wishes` choose the encoding or the sheet. Throws TableFault for
 * anything else, and for more than the limits.
 */
export const readTable = async (bytes: Uint8Array, wishes: TableWishes = {}): Promise<Table> =>
  bytes[0] === 0x50 && bytes[1] === 0x4b ? readWorkbook(bytes, wishes.sheet) : readCsv(bytes, wishes)

/** Runs what reads a table; throws a fault of the table as 400 of this field. */
export async function faultOfFile<T>(field: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof TableFault)) throw error
    const { code, params } = error
    throw new AppError(400, undefined, { errorList: [{ field, code, params }] })
  }
}
