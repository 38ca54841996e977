import { cellText, csvRecords, detectSeparator, QuotesFault } from '@/lib/base/tables/csv'

/** The columns that a file of invitations may have. */
export const columns = ['email', 'inn', 'kpp', 'organization', 'roles'] as const
export type Column = (typeof columns)[number]

/** How many people one file may invite. */
export const mostRows = 5_000
/** How many lines a file may have, the empty ones too. */
const mostLines = 20 * mostRows
/** The longest cell. */
export const longestCell = 1_000

/** What people call the columns, without case, spaces and punctuation. */
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

/** One invitation as the file has it. */
export type ParsedRow = { row: number; cells: Record<Column, string> }
export type Parsed =
  | { rows: ParsedRow[]; ignored: string[] }
  /** The file can't be read: why, and at which row; or it is too long. */
  | { fault: 'importQuotes' | 'importNoEmail' | 'importEmpty'; row: number }
  | { fault: 'importTooMany'; max: number }

const tooMany = { fault: 'importTooMany', max: mostRows } as const

const empty = (): Record<Column, string> => ({ email: '', inn: '', kpp: '', organization: '', roles: '' })

/** Returns the addresses of a cell: `one@example.com two@example.com`, or `Name <one@example.com>`. */
const addressesIn = (cell: string): string[] => {
  const [, inside] = /<([^<>]*)>\s*$/.exec(cell) ?? []
  return (inside === undefined ? cell : inside).split(/[\s,;]+/).filter(Boolean)
}

type Records = { row: number; cells: string[] }[]

/** Returns the records that say something: at most the names of the columns, the rows, and one more. */
function recordsOf(text: string): Records | (Parsed & { fault: string }) {
  const records: Records = []
  let row = 0
  try {
    const { separator, text: table } = detectSeparator(text)
    for (const all of csvRecords(table, separator, requireWithin)) {
      row++
      const cells = all.map((cell) => cellText(cell).trim())
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
 * Reads the invitations of a text: CSV with `;`, `,` or tabs whose first row names the columns, or nothing but e-mail
 * addresses. A row has the number that a spreadsheet shows. It stops at the first row that is too many.
 */
export function parseInvitations(text: string): Parsed {
  // mail programs quote names: "Orlov, Dmitry" <name@example.com>
  const clean = text.replace(/^\ufeff/, '').replace(/"[^"\r\n]*"[ \t]*(?=<)/g, '')
  const records = recordsOf(clean)
  if ('fault' in records) return records
  const [head] = records
  if (!head) return { fault: 'importEmpty', row: 1 }
  const named = head.cells.map((cell) => names.get(plainName(cell)))
  if (!named.includes('email')) return listOf(records)
  const place = new Map<Column, number>()
  named.forEach((column, at) => {
    if (column && !place.has(column)) place.set(column, at)
  })
  const used = new Set(place.values())
  const rows = records.slice(1).map(({ row, cells }) => {
    const found = empty()
    for (const [column, at] of place) found[column] = cells[at] ?? ''
    return { row, cells: found }
  })
  if (rows.length === 0) return { fault: 'importEmpty', row: head.row }
  if (rows.length > mostRows) return tooMany
  return { rows, ignored: head.cells.filter((cell, at) => cell && !used.has(at)) }
}

/** Reads a text that is a list of addresses; the numbers of its rows count addresses if one row has several. */
function listOf(records: Records): Parsed {
  const [head] = records
  if (!head?.cells.some((cell) => cell.includes('@'))) return { fault: 'importNoEmail', row: head?.row ?? 1 }
  const found = records.map(({ row, cells }) => ({ row, addresses: cells.flatMap(addressesIn) }))
  // a table without names of its columns: which column is which isn't guessed
  const strange = found.find(({ addresses }) => addresses.length > 1 && addresses.some((each) => !each.includes('@')))
  if (strange) return { fault: 'importNoEmail', row: strange.row }
  if (found.reduce((sum, { addresses }) => sum + addresses.length, 0) > mostRows) return tooMany
  const several = found.some(({ addresses }) => addresses.length > 1)
  const rows = found
    .flatMap(({ row, addresses }) => addresses.map((email) => ({ row, cells: { ...empty(), email } })))
    .map(({ row, cells }, at) => ({ row: several ? at + 1 : row, cells }))
  return { rows, ignored: [] }
}
