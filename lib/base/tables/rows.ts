import { trimmed } from '../text/characters'
import type { Separator } from './csv'
import type { Encoding } from './encodings'

/** Why a cell has no value, though it isn't empty: an error or a formula without a result, or bytes that are no text. */
export type Broken = 'value' | 'text'

/**
 * A row of a table with the number that a spreadsheet shows; it has a cell for each column of the first row. `broken` has
 * the cells without a value by their places; what these show stands in `cells`.
 */
export type TableRow = { row: number; cells: string[]; broken?: Record<number, Broken> }

/** How a file was read, for people to see. */
export type TableSource =
  | { kind: 'csv'; encoding: Encoding; separator: Separator }
  /** `sheets` are those that people see, `sheet` is the number of the one that was read, from 1. */
  | { kind: 'xlsx'; sheet: number; sheets: string[] }

/** How a file is read where its own signs mislead. */
export type TableWishes = { encoding?: Encoding | undefined; sheet?: number | undefined }

/** What a table may have. Both kinds of files are held to it, so that neither fills the memory. */
export const tableLimits = { rows: 100_000, columns: 200, cells: 5_000_000, cell: 10_000, characters: 60_000_000 }

/** How many lines and cells a file may have, the empty ones too: a small file can have more of them than anybody reads. */
const most = { lines: 1_048_576, cells: 1_000 }

/** Throws TableFault for a line of a file, or a cell of it, that no table has: both count from 0. */
export function requireWithin(line: number, cell: number): void {
  if (line >= most.lines) throw new TableFault('tableTooMany', { max: tableLimits.rows })
  if (cell >= most.cells) throw new TableFault('tableTooWide', { max: tableLimits.columns })
}

type FaultCode =
  | 'tableSheet'
  | 'tableFormat'
  | 'tableQuotes'
  | 'tableEmpty'
  | 'tableTooMany'
  | 'tableTooWide'
  | 'tableTooLong'

/** The file can't be taken: why, by a code and values for its text. Throw it as a fault of the field of the file. */
export class TableFault extends Error {
  override name = 'TableFault'
  constructor(
    readonly code: FaultCode,
    readonly params: Record<string, string | number> = {},
  ) {
    super(code)
  }
}

/** Gathers the rows of a table: empty ones are left out, and everything beyond the limits is refused at once. */
export function createRows() {
  let head: string[] | null = null
  let width = 0
  let characters = 0
  const rows: TableRow[] = []
  const add = (row: number, raw: readonly string[], broken: Record<number, Broken> = {}) => {
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
