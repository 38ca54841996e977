import { setImmediate } from 'node:timers/promises'
import { AppError } from '../runtime/errors'
import { cellText, csvRecords, decodeFile, detectSeparator, isErrorValue, QuotesFault } from './csv'
import {
  type BrokenCell,
  createRows,
  requireFileLimits,
  TableFault,
  type TableOptions,
  type TableRow,
  type TableSource,
} from './rows'
import { readWorkbook } from './workbook'

export type Table = { source: TableSource; head: string[]; rows: TableRow[] }

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a text may not hold
const controlCharacter = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/

/** How many records are read before other work of the process gets its turn. */
const recordsPerTurn = 1_000

/** Returns by index the cells of a row that have no value: errors of spreadsheets, and cells with broken bytes. */
function brokenIn(cells: readonly string[], isBroken: boolean): Record<number, BrokenCell> {
  const brokenCells: Record<number, BrokenCell> = {}
  for (const [index, cell] of cells.entries()) {
    if (isErrorValue(cell.trim())) brokenCells[index] = 'value'
    else if (isBroken && cell.includes('\ufffd')) brokenCells[index] = 'text'
  }
  return brokenCells
}

async function readCsv(bytes: Uint8Array, wishes: TableOptions): Promise<Table> {
  const { text: decoded, encoding, broken } = decodeFile(bytes, wishes.encoding)
  await setImmediate()
  const { separator, text } = detectSeparator(decoded.replace(/^\ufeff/, ''))
  if (controlCharacter.test(text)) throw new TableFault('tableFormat')
  await setImmediate()
  const rows = createRows()
  let row = 0
  try {
    for (const cells of csvRecords(text, separator, requireFileLimits)) {
      // exports write an apostrophe before what would be a formula
      rows.add(++row, cells.map(cellText), brokenIn(cells, broken))
      if (row % recordsPerTurn === 0) await setImmediate()
    }
  } catch (error) {
    throw error instanceof QuotesFault ? new TableFault('tableQuotes', { row: error.row }) : error
  }
  return { source: { kind: 'csv', encoding, separator }, ...rows.end() }
}

/**
 * Reads the table of a file: a workbook (xlsx), or CSV in one of `encodings` with one of the `separators`. The first
 * row that isn't empty names the columns. `wishes` choose the encoding or the sheet. Throws TableFault for any other
 * file, and for a table that exceeds the limits.
 */
export const readTable = async (bytes: Uint8Array, wishes: TableOptions = {}): Promise<Table> =>
  bytes[0] === 0x50 && bytes[1] === 0x4b ? readWorkbook(bytes, wishes.sheet) : readCsv(bytes, wishes)

/** Runs work that reads a table. Turns a TableFault into a 400 of this field. */
export async function faultOfFile<T>(field: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof TableFault)) throw error
    const { code, params } = error
    throw new AppError(400, undefined, { errorList: [{ field, code, params }] })
  }
}
