import { isStorable } from '@/lib/kernel/characters'
import { hashFormat } from '@/lib/kernel/crypto/hash-formats'
import { seal, unseal } from '@/lib/kernel/crypto/secrets'
import { type FieldView, isChosen } from '@/lib/people/fields/definition'
import { type Plan, targetOf } from './plan'

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
  externalId?: string
  password?: string
  roles: string[]
  organization: string
  contractors: string[]
}

const folded = (text: string) => text.toLowerCase().replaceAll('ё', 'е').trim()
const words = { yes: ['true', '1', 'yes', 'y', 'да', 'x', '+'], no: ['false', '0', 'no', 'n', 'нет', '-'] }

/** Returns the parts of a cell with several values, which stand on lines or with `;` or `|` between them. */
const listOf = (cell: string) =>
  cell
    .split(/[;|\n]/)
    .map((part) => part.trim())
    .filter(Boolean)

/** Returns a day as it is stored: 24.11.2026 and 2026-11-24 00:00 are 2026-11-24. Anything else stays as it is. */
function dayOf(cell: string): string {
  const [, day = '', month = '', year] = /^(\d{1,2})[./](\d{1,2})[./](\d{4})(?: 0?0:00(?::00)?)?$/.exec(cell) ?? []
  if (year) return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return cell.replace(/[ T]00:00(?::00)?$/, '')
}

/** Returns the code of an option that is named by its code or its title. What is neither stays, and is refused later. */
const optionOf = ({ options }: FieldView, text: string) =>
  (
    options.find(({ code }) => code === text) ??
    options.find(({ title, code }) => [title, code].some((name) => folded(name) === folded(text)))
  )?.code ?? text

function inputOf(field: FieldView, cell: string): string | boolean | string[] {
  if (field.fieldType === 'toggle') {
    if (words.yes.includes(folded(cell))) return true
    if (words.no.includes(folded(cell))) return false
    return cell
  }
  if (field.fieldType === 'date') return dayOf(cell)
  if (!isChosen(field)) return cell
  return field.multiple ? [...new Set(listOf(cell).map((part) => optionOf(field, part)))] : optionOf(field, cell)
}

/** How long an external id may be. */
const longestId = 255

/** Returns a function that reads a row by a plan. It throws CellFault. */
export function rowReader({ columns, by, head }: Plan, fields: readonly FieldView[]) {
  const places = columns.flatMap((target, at) => (target ? [{ target, at, column: head[at] || String(at + 1) }] : []))
  const byTarget = new Map(fields.map((field) => [targetOf(field.code), field]))
  const keyPlace = places.find(({ target }) => target === (by === 'externalId' ? by : targetOf(by)))
  return (cells: readonly string[]): RowInput => {
    const row: RowInput = { key: '', values: {}, roles: [], organization: '', contractors: [] }
    for (const { target, at, column } of places) {
      const cell = cells[at] ?? ''
      if (cell === '') continue
      if (cell.length > 10_000) throw new CellFault('errorTooLong', { column })
      if (!isStorable(cell)) throw new CellFault('errorChars', { column })
      const field = byTarget.get(target)
      if (field) row.values[field.code] = inputOf(field, cell)
      else if (target === 'externalId') {
        if (cell.length > longestId) throw new CellFault('errorTooLong', { column })
        row.externalId = cell
      } else if (target === 'password') {
        if (!hashFormat(cell)) throw new CellFault('userImportHash', { column })
        row.password = cell
      } else if (target === 'organization') row.organization = cell
      else if (target === 'roles' || target === 'contractors') row[target] = listOf(cell)
    }
    const key = (keyPlace && cells[keyPlace.at]) || ''
    row.key = by === 'externalId' ? key : key.toLowerCase()
    if (!row.key) throw new CellFault('errorEmpty', { column: keyPlace?.column ?? '' })
    return row
  }
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
  return { cells: kept.with(at, sealedElsewhere), password: seal('imports', hash, boundTo(runId, row)) }
}

/** Returns the cells as they were in the file. Throws if the hash is that of another row. An earlier version sealed none. */
export function openCells(plan: Plan, { cells, password }: StoredCells, runId: string, row: number): string[] {
  if (!password) return cells
  return cells.with(plan.columns.indexOf('password'), unseal('imports', password, boundTo(runId, row)))
}

/** Returns the name of the column that holds a field which a call has refused, such as `values.email`. */
export function columnOf({ columns, head }: Plan, field: string, fields: readonly FieldView[] = []): string {
  const [first = '', second = ''] = field.split('.')
  const at = columns.indexOf(first === 'values' ? targetOf(second) : first)
  // a required field may have no column
  return at < 0 ? (fields.find(({ code }) => code === second)?.title ?? '') : head[at] || String(at + 1)
}
