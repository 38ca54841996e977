import { folded, isSameCell, longestCell, optionOf, partsOf, type TableField } from '@/lib/accounts/user-table/cells'
import { targetOf } from '@/lib/accounts/user-table/columns'
import { decrypt, encrypt } from '@/lib/base/crypto/encryption'
import { hashFormat } from '@/lib/base/crypto/hash-formats'
import type { TableRow } from '@/lib/base/tables/rows'
import { isStorable, oneLine } from '@/lib/base/text/characters'
import { loginOf } from '@/lib/base/text/email'
import { type FieldView, isChosen, storedUnder } from '@/lib/fields/values/definition'
import type { DayOrder } from './offered'
import { type Plan, slashed } from './plan'

type Params = Record<string, string | number>
export type RowFault = { code: string; params: Params }

/** What is wrong with a row. `column` in its values is the name of the column at fault. */
export class CellFault extends Error {
  override name = 'CellFault'
  readonly fault: RowFault
  constructor(code: string, params: Params = {}) {
    super(code)
    this.fault = { code, params }
  }
}

/** What the cells of a row say. An empty cell says nothing. */
export type RowInput = {
  /** By what the account is found. */
  key: string
  values: Record<string, string | boolean | string[]>
  /** The cells of the values. */
  cells: Record<string, string>
  externalId?: string
  password?: string
  roles: string[]
  organization: string
  contractors: string[]
}

const words = { yes: ['true', '1', 'yes', 'y', 'да', 'x', '+'], no: ['false', '0', 'no', 'n', 'нет', '-'] }

const dotted = /^(\d{1,2})\.(\d{1,2})\.(\d{4})(?: 0?0:00(?::00)?)?$/

/** Returns a day as it is stored: 24.11.2026 and 2026-11-24 00:00 are 2026-11-24. Anything else stays as it is. */
function dayOf(cell: string, order: DayOrder): string {
  const [, first = '', second = '', year] = dotted.exec(cell) ?? slashed.exec(cell) ?? []
  if (!year) return cell.replace(/[ T]00:00(?::00)?$/, '')
  const [day, month] = order === 'month' && slashed.test(cell) ? [second, first] : [first, second]
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
}

function toggleOf({ others, ...own }: TableField, cell: string): string | boolean {
  const text = folded(cell)
  const said = (on: boolean) => [own, ...others].some(({ yesNo }) => folded(yesNo(on)) === text)
  if (words.yes.includes(text) || said(true)) return true
  return words.no.includes(text) || said(false) ? false : cell
}

function inputOf(field: TableField, cell: string, order: DayOrder): string | boolean | string[] {
  if (field.fieldType === 'toggle') return toggleOf(field, cell)
  if (field.fieldType === 'date') return dayOf(cell, order)
  if (!isChosen(field)) return cell
  return field.multiple ? [...new Set(partsOf(cell).map((part) => optionOf(field, part)))] : optionOf(field, cell)
}

/** How long an external id may be. */
const longestId = 255

/** Invisible characters are refused as where people sign in: with them nobody would be found by what they type. */
export function requireVisible(cell: string, column: string) {
  if (!oneLine.test(cell)) throw new CellFault('errorChars', { column })
}

/** Throws CellFault for a cell without a value that isn't empty: an error, a formula without a result, broken bytes. */
function requireValue(broken: TableRow['broken'], at: number, text: string, column: string) {
  if (broken?.[at] === 'value') throw new CellFault('userImportBroken', { column, text })
  if (broken?.[at] === 'text') throw new CellFault('userImportUnreadable', { column })
}

/** Returns a function that reads a row by a plan. It throws CellFault. */
export function rowReader({ columns, by, head, dayOrders }: Plan, fields: readonly TableField[]) {
  const places = columns.flatMap((target, at) => (target ? [{ target, at, column: head[at] || String(at + 1) }] : []))
  const byTarget = new Map(fields.map((field) => [targetOf(field.code), field]))
  const keyPlace = places.find(({ target }) => target === (by === 'externalId' ? by : targetOf(by)))
  return (cells: readonly string[], broken?: TableRow['broken']): RowInput => {
    const row: RowInput = { key: '', values: {}, cells: {}, roles: [], organization: '', contractors: [] }
    for (const { target, at, column } of places) {
      const cell = cells[at] ?? ''
      if (cell === '') continue
      requireValue(broken, at, cell, column)
      if (cell.length > longestCell) throw new CellFault('errorTooLong', { column })
      if (!isStorable(cell)) throw new CellFault('errorChars', { column })
      const field = byTarget.get(target)
      if (field) {
        row.values[field.code] = inputOf(field, cell, dayOrders?.[at] ?? 'day')
        row.cells[field.code] = cell
      } else if (target === 'externalId') {
        if (cell.length > longestId) throw new CellFault('errorTooLong', { column })
        row.externalId = cell
      } else if (target === 'password') {
        if (!hashFormat(cell)) throw new CellFault('userImportHash', { column })
        row.password = cell
      } else if (target === 'organization') row.organization = cell
      else if (target === 'roles' || target === 'contractors') row[target] = partsOf(cell)
    }
    const key = (keyPlace && cells[keyPlace.at]) || ''
    requireVisible(key, keyPlace?.column ?? '')
    row.key = by === 'externalId' ? key : loginOf(key)
    if (!row.key) throw new CellFault('errorEmpty', { column: keyPlace?.column ?? '' })
    return row
  }
}

/** Whose values are compared with the cells of a row. */
type Account = { externalId: string | null; values: Readonly<Record<string, unknown>> }

/**
 * Returns what of a row isn't what its account has already, as an export writes it. What is the same is neither checked nor
 * changed, also if it couldn't be written: a directory keeps it, or its field has other rules by now.
 */
export function differingValues(fields: readonly TableField[], input: RowInput, account: Account): RowInput['values'] {
  const own = account as unknown as Record<string, unknown>
  return Object.fromEntries(
    fields.flatMap((field) => {
      const { code, base } = field
      const value = input.values[code]
      if (value === undefined || !Object.hasOwn(input.values, code)) return []
      const stored = base ? own[code] : storedUnder(account.values, code)
      return isSameCell(field, input.cells[code] ?? '', stored) ? [] : [[code, value] as const]
    }),
  )
}

/** Returns how people recognize a row: its login, e-mail, external id or name. */
export function rowTitle({ columns }: Plan, cells: readonly string[]): string {
  for (const target of ['field.login', 'field.email', 'externalId', 'field.fio', 'field.lastName']) {
    const cell = cells[columns.indexOf(target)]
    if (cell && columns.includes(target)) return cell.slice(0, 255)
  }
  return ''
}

/**
 * Returns the cells without passwords, for what people download and for what is kept: those of the column that holds them,
 * and hashes in columns of which nothing is taken.
 */
export const shownCells = ({ columns }: Plan, cells: readonly string[]): string[] =>
  cells.map((cell, at) => (columns[at] === 'password' || (!columns[at] && hashFormat(cell)) ? '' : cell))

/** Stands in the cells for a hash that is sealed beside them: an earlier version refuses such a row. */
const sealedElsewhere = '*'

type StoredCells = { cells: string[]; password?: string | undefined }
const boundTo = (runId: string, row: number) => `${runId} ${row}`

/** Returns the cells of a row as they wait for their turn: the hash is sealed for this row alone. */
export function sealCells(plan: Plan, cells: readonly string[], runId: string, row: number): StoredCells {
  const kept = shownCells(plan, cells)
  const at = plan.columns.indexOf('password')
  const hash = cells[at]
  if (!hash) return { cells: kept }
  return { cells: kept.with(at, sealedElsewhere), password: encrypt('imports', hash, boundTo(runId, row)) }
}

/** Returns the cells as they were in the file. Throws if the hash is that of another row. An earlier version sealed none. */
export function openCells(plan: Plan, { cells, password }: StoredCells, runId: string, row: number): string[] {
  if (!password) return cells
  return cells.with(plan.columns.indexOf('password'), decrypt('imports', password, boundTo(runId, row)))
}

/** Returns the name of the column that holds a field which a call has refused, such as `values.email`. */
export function columnOf({ columns, head }: Plan, field: string, fields: readonly FieldView[] = []): string {
  const [first = '', second = ''] = field.split('.')
  const at = columns.indexOf(first === 'values' ? targetOf(second) : first)
  // a required field may have no column
  return at < 0 ? (fields.find(({ code }) => code === second)?.title ?? '') : head[at] || String(at + 1)
}
