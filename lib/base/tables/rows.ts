import { trimmed } from '../text/characters'
import type { Separator } from './csv'
import type { Encoding } from './encodings'

/**
 * Why a cell that isn't empty has no value. `value`: it is an error or a formula without a result; `text`: its bytes
 * aren't text.
 */
export type BrokenCell = 'value' | 'text'

/**
 * A row of a table with its number in a spreadsheet; it has a cell for each column of the first row. `broken` has the
 * cells without a value by their index; `cells` has their displayed text.
 */
export type TableRow = { row: number; cells: string[]; broken?: Record<number, BrokenCell> }

/** How a file was read; pages show it. */
export type TableSource =
  | { kind: 'csv'; encoding: Encoding; separator: Separator }
  /** `sheets` are the names of the visible sheets, `sheet` is the number of the one that was read, from 1. */
  | { kind: 'xlsx'; sheet: number; sheets: string[] }

/** How to read a file that isn't recognized correctly. */
export type TableOptions = { encoding?: Encoding | undefined; sheet?: number | undefined }

/** The limits of a table. Both kinds of files are checked against them, so that neither fills the memory. */
export const tableLimits = { rows: 100_000, columns: 200, cells: 5_000_000, cell: 10_000, characters: 60_000_000 }

/** The most lines of a file and cells of a line, empty ones included: even a small file can have very many of them. */
const fileLimits = { lines: 1_048_576, cells: 1_000 }

/** Throws TableFault if the number of a line, or of a cell in it, exceeds the limits of a file; both count from 0. */
export function requireFileLimits(line: number, cell: number): void {
  if (line >= fileLimits.lines) throw new TableFault('tableTooMany', { max: tableLimits.rows })
  if (cell >= fileLimits.cells) throw new TableFault('tableTooWide', { max: tableLimits.columns })
}

type FaultCode =
  | 'tableSheet'
  | 'tableFormat'
  | 'tableQuotes'
  | 'tableEmpty'
  | 'tableTooMany'
  | 'tableTooWide'
  | 'tableTooLong'

/**
 * Thrown if a file has no readable table: a code with values for its text. Answer it as a fault of the file's field.
 */
export class TableFault extends Error {
  override name = 'TableFault'
  constructor(
    readonly code: FaultCode,
    readonly params: Record<string, string | number> = {},
  ) {
    super(code)
  }
}

/**
 * Returns a collector of a table's rows. It leaves out empty ones and throws TableFault as soon as a limit is exceeded.
 */
export function createRows() {
  let head: string[] | null = null
  let width = 0
  let characters = 0
  const rows: TableRow[] = []
  const add = (row: number, raw: readonly string[], broken: Record<number, BrokenCell> = {}) => {
    const cells = raw.map((cell) => (cell.trim() === '' ? '' : trimmed(cell)))
    while (cells.length > 0 && cells.at(-1) === '') cells.pop()
    if (cells.length === 0) return
    if (cells.length > tableLimits.columns) throw new TableFault('tableTooWide', { max: tableLimits.columns })
    characters += cells.reduce((sum, cell) => sum + cell.length, 0)
    if (characters > tableLimits.characters) throw new TableFault('tableTooLong')
    width = Math.max(width, cells.length)
    // each row gets as many cells as the longest one
    if (width * (rows.length + 1) > tableLimits.cells) throw new TableFault('tableTooLong')
    if (!head) head = cells
    else if (rows.push({ row, cells, ...(Object.keys(broken).length > 0 ? { broken } : {}) }) > tableLimits.rows)
      throw new TableFault('tableTooMany', { max: tableLimits.rows })
  }
  const end = () => {
    if (!head || rows.length === 0) throw new TableFault('tableEmpty')
    const widened = (cells: string[]) => {
      while (cells.length < width) cells.push('')
      return cells
    }
    for (const { cells } of rows) widened(cells)
    return { head: widened(head), rows }
  }
  return { add, end }
}
