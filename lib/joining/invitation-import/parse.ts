import { cellText, csvRecords, detectSeparator, QuotesFault } from '@/lib/base/tables/csv'

/** The columns that a file of invitations may have. */
export const columns = ['email', 'inn', 'kpp', 'organization', 'roles'] as const
export type Column = (typeof columns)[number]

/** How many people one file may invite. */
export const mostRows = 5_000
/** How many lines a file may have, including empty ones. */
const mostLines = 20 * mostRows
/** The longest cell. */
export const longestCell = 1_000

/** The names that people give the columns, without case, spaces and punctuation. */
const names = new Map<string, Column>(
  Object.entries({
    email: 'email',
    mail: 'email',
    почта: 'email',
    электроннаяпочта: 'email',
    элпочта: 'email',
    адресэлектроннойпочты: 'email',
    inn: 'inn',
    инн: 'inn',
    иннкомпании: 'inn',
    иннконтрагента: 'inn',
    kpp: 'kpp',
    кпп: 'kpp',
    organization: 'organization',
    organisation: 'organization',
    организация: 'organization',
    role: 'roles',
    roles: 'roles',
    роль: 'roles',
    роли: 'roles',
  }),
)
const plainName = (cell: string) =>
  cell
    .toLowerCase()
    .replaceAll('ё', 'е')
    .replace(/[^\p{L}]/gu, '')

/** The cells of one row of the file. */
export type ParsedRow = { row: number; cells: Record<Column, string> }
export type Parsed =
  | { rows: ParsedRow[]; ignored: string[] }
  /** The file can't be read, because of this fault in this row; or it is too long. */
  | { fault: 'importQuotes' | 'importNoEmail' | 'importEmpty'; row: number }
  | { fault: 'importTooMany'; max: number }

const tooMany = { fault: 'importTooMany', max: mostRows } as const

const emptyCells = (): Record<Column, string> => ({ email: '', inn: '', kpp: '', organization: '', roles: '' })

/** Returns the addresses of a cell: `one@example.com two@example.com`, or `Name <one@example.com>`. */
const addressesIn = (cell: string): string[] => {
  const [, bracketed] = /<([^<>]*)>\s*$/.exec(cell) ?? []
  return (bracketed === undefined ? cell : bracketed).split(/[\s,;]+/).filter(Boolean)
}

type Records = { row: number; cells: string[] }[]

/** Returns the records that aren't empty: at most the names of the columns, the allowed rows, and one more. */
function recordsOf(text: string): Records | (Parsed & { fault: string }) {
  const records: Records = []
  let row = 0
  try {
    const { separator, text: table } = detectSeparator(text)
    for (const record of csvRecords(table, separator, requireWithin)) {
      row++
      const cells = record.map((cell) => cellText(cell).trim())
      if (cells.some(Boolean) && records.push({ row, cells }) > mostRows + 1) break
    }
    return records
  } catch (error) {
    if (error instanceof RangeError) return tooMany
    if (error instanceof QuotesFault) return { fault: 'importQuotes', row: error.row }
    throw error
  }
}

function requireWithin(line: number, cell: number) {
  if (line >= mostLines || cell > mostRows) throw new RangeError('the list is too long')
}

/**
 * Reads the invitations of a text: CSV with `;`, `,` or tabs whose first row names the columns, or only e-mail
 * addresses. The number of a row is the one that a spreadsheet shows. It stops at the first row above the limit.
 */
export function parseInvitations(text: string): Parsed {
  // mail programs quote names: "Orlov, Dmitry" <name@example.com>
  const clean = text.replace(/^\ufeff/, '').replace(/"[^"\r\n]*"[ \t]*(?=<)/g, '')
  const records = recordsOf(clean)
  if ('fault' in records) return records
  const [head] = records
  if (!head) return { fault: 'importEmpty', row: 1 }
  const headColumns = head.cells.map((cell) => names.get(plainName(cell)))
  if (!headColumns.includes('email')) return listOf(records)
  const positions = new Map<Column, number>()
  headColumns.forEach((column, index) => {
    if (column && !positions.has(column)) positions.set(column, index)
  })
  const usedPositions = new Set(positions.values())
  const rows = records.slice(1).map(({ row, cells }) => {
    const values = emptyCells()
    for (const [column, index] of positions) values[column] = cells[index] ?? ''
    return { row, cells: values }
  })
  if (rows.length === 0) return { fault: 'importEmpty', row: head.row }
  if (rows.length > mostRows) return tooMany
  return { rows, ignored: head.cells.filter((cell, index) => cell && !usedPositions.has(index)) }
}

/** Reads a text that is a list of addresses. If a row has several, the numbers of the rows count addresses. */
function listOf(records: Records): Parsed {
  const [head] = records
  if (!head?.cells.some((cell) => cell.includes('@'))) return { fault: 'importNoEmail', row: head?.row ?? 1 }
  const lines = records.map(({ row, cells }) => ({ row, addresses: cells.flatMap(addressesIn) }))
  // a table without names of its columns is refused: the meaning of the columns isn't guessed
  const tableLine = lines.find(
    ({ addresses }) => addresses.length > 1 && addresses.some((address) => !address.includes('@')),
  )
  if (tableLine) return { fault: 'importNoEmail', row: tableLine.row }
  if (lines.reduce((sum, { addresses }) => sum + addresses.length, 0) > mostRows) return tooMany
  const severalInLine = lines.some(({ addresses }) => addresses.length > 1)
  const rows = lines
    .flatMap(({ row, addresses }) => addresses.map((email) => ({ row, cells: { ...emptyCells(), email } })))
    .map(({ row, cells }, index) => ({ row: severalInLine ? index + 1 : row, cells }))
  return { rows, ignored: [] }
}
