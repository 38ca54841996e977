import { setImmediate } from 'node:timers/promises'
import { AppError } from '../runtime/errors'
import { cellText, csvRecords, decodedFile, isErrorValue, QuotesFault, separated } from './csv'
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

/** How many records are read before others get their turn. */
const atOnce = 1_000

/** Returns which cells of a row have no value: errors of spreadsheets, and where bytes were broken. */
function brokenIn(cells: readonly string[], isBroken: boolean): Record<number, Broken> {
  const found: Record<number, Broken> = {}
  for (const [at, cell] of cells.entries()) {
    if (isErrorValue(cell.trim())) found[at] = 'value'
    else if (isBroken && cell.includes('\ufffd')) found[at] = 'text'
  }
  return found
}

async function readCsv(bytes: Uint8Array, wishes: TableWishes): Promise<Table> {
  const { text: decoded, encoding, broken } = decodedFile(bytes, wishes.encoding)
  const { separator, text } = separated(decoded.replace(/^\ufeff/, ''))
  if (control.test(text)) throw new TableFault('tableFormat')
  const rows = createRows()
  let row = 0
  try {
    for (const cells of csvRecords(text, separator, requireWithin)) {
      // exports write an apostrophe before what would be a formula
      rows.add(++row, cells.map(cellText), brokenIn(cells, broken))
      if (row % atOnce === 0) await setImmediate()
    }
  } catch (error) {
    throw error instanceof QuotesFault ? new TableFault('tableQuotes', { row: error.row }) : error
  }
  return { source: { kind: 'csv', encoding, separator }, ...rows.end() }
}

/**
 * Reads the table of a file: a workbook (xlsx), or CSV in one of `encodings` with one of the `separators`.
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
