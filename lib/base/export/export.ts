import type { GivenFile } from '../contracts/file'
import { csvBeginning, csvOf, textCell } from '../tables/csv'
import { type ExportFormat, exportTypes } from './query'
import { type ExportCell, xlsxOf } from './xlsx'

/**
 * A column of an exported list: its head, and its cell for a row. Moments are shown in the reader's time zone, which
 * the head names.
 */
export type ExportColumn<R> =
  | { head: string; cell: (row: R) => Exclude<ExportCell, Date> }
  | { head: string; moment: (row: R) => Date | null }

export type Export<R> = {
  format: ExportFormat
  /** The name of the file, without its extension. */
  name: string
  timeZone: string
  columns: readonly ExportColumn<R>[]
  /** Returns a page of the list after a cursor, or the first one. */
  read: (after: string | undefined) => Promise<{ rows: R[]; after: string | null }>
}

/** Returns a function that shifts a moment so that its UTC time is the local time of the zone. */
function localIn(timeZone: string) {
  const format = new Intl.DateTimeFormat('en', {
    ...{ timeZone, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric' },
    ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
  })
  return (moment: Date) => {
    const parts = Object.fromEntries(format.formatToParts(moment).map(({ type, value }) => [type, Number(value)]))
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
    return new Date(Date.UTC(year, month - 1, day, hour, minute, second))
  }
}

/** Returns a text without control characters, which neither workbooks nor readers of CSV accept. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a table may not hold
const printable = (text: string) => text.replace(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/g, '').toWellFormed()

const csvCell = (cell: ExportCell): string => {
  if (cell === null) return ''
  if (cell instanceof Date) return cell.toISOString().slice(0, 19).replace('T', ' ')
  // a workbook leaves the same signs out
  return textCell(typeof cell === 'object' ? cell.day : printable(String(cell)))
}

/**
 * Returns a list as a file that is written while the list is read, page by page (docs/rules/rest.md#exports): a
 * workbook, or CSV whose cells no spreadsheet takes for formulas. Service functions call `auditedExport`, so that each
 * export is recorded.
 */
export function exportFile<R>({ format, name, timeZone, columns, read }: Export<R>): GivenFile {
  const toLocal = localIn(timeZone)
  const heads = columns.map((column) => ('moment' in column ? `${column.head} (${timeZone})` : column.head))
  const cellsOf = (row: R) =>
    columns.map((column) => {
      if (!('moment' in column)) return column.cell(row)
      const moment = column.moment(row)
      return moment && toLocal(moment)
    })
  async function* pages() {
    let after: string | undefined
    do {
      const page = await read(after)
      yield page.rows.map(cellsOf)
      after = page.after ?? undefined
    } while (after !== undefined)
  }
  async function* csv() {
    yield csvBeginning + csvOf([heads])
    for await (const page of pages()) if (page.length > 0) yield csvOf(page.map((cells) => cells.map(csvCell)))
  }
  return {
    name: `${name}.${format}`,
    type: exportTypes[format],
    chunks: format === 'csv' ? csv() : xlsxOf(heads, pages()),
  }
}
