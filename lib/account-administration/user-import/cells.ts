import { folded, isSameCell, longestCell, optionOf, partsOf, type TableField } from '@/lib/accounts/user-table/cells'
import { targetOf } from '@/lib/accounts/user-table/columns'
import { decrypt, encrypt } from '@/lib/base/crypto/encryption'
import { hashFormat } from '@/lib/base/crypto/hash-formats'
import type { TableRow } from '@/lib/base/tables/rows'
import { isStorable, oneLine } from '@/lib/base/text/characters'
import { loginOf } from '@/lib/base/text/email'
import { type FieldView, isChosen, storedUnder } from '@/lib/fields/values/definition'
import { importedKey } from '@/lib/sign-in/factors/totp/totp'
import type { DayOrder } from './offered'
import { type Plan, slashedDate } from './plan'

type Params = Record<string, string | number>
export type RowFault = { code: string; params: Params }

/** The fault of a row. `column` in its params is the name of the column at fault. */
export class CellFault extends Error {
  override name = 'CellFault'
  readonly fault: RowFault
  constructor(code: string, params: Params = {}) {
    super(code)
    this.fault = { code, params }
  }
}

/** What the cells of a row contain, without empty cells. */
export type RowInput = {
  /** The value by which the account is found. */
  key: string
  values: Record<string, string | boolean | string[]>
  /** The texts of the cells of `values`. */
  cells: Record<string, string>
  externalId?: string
  password?: string
  /** The key of an authenticator app, in base32. */
  appKey?: string
  roles: string[]
  organization: string
  contractors: string[]
}

const toggleWords = { yes: ['true', '1', 'yes', 'y', 'да', 'x', '+'], no: ['false', '0', 'no', 'n', 'нет', '-'] }

const dottedDate = /^(\d{1,2})\.(\d{1,2})\.(\d{4})(?: 0?0:00(?::00)?)?$/

/** Returns a day as it is stored: 24.11.2026 and 2026-11-24 00:00 are 2026-11-24. Anything else stays as it is. */
function dayOf(cell: string, order: DayOrder): string {
  const [, first = '', second = '', year] = dottedDate.exec(cell) ?? slashedDate.exec(cell) ?? []
  if (!year) return cell.replace(/[ T]00:00(?::00)?$/, '')
  const [day, month] = order === 'month' && slashedDate.test(cell) ? [second, first] : [first, second]
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
}

function toggleOf({ others, ...ownField }: TableField, cell: string): string | boolean {
  const text = folded(cell)
  const isWordFor = (on: boolean) => [ownField, ...others].some(({ yesNo }) => folded(yesNo(on)) === text)
  if (toggleWords.yes.includes(text) || isWordFor(true)) return true
  return toggleWords.no.includes(text) || isWordFor(false) ? false : cell
}

function inputOf(field: TableField, cell: string, order: DayOrder): string | boolean | string[] {
  if (field.fieldType === 'toggle') return toggleOf(field, cell)
  if (field.fieldType === 'date') return dayOf(cell, order)
  if (!isChosen(field)) return cell
  return field.multiple ? [...new Set(partsOf(cell).map((part) => optionOf(field, part)))] : optionOf(field, cell)
}

/** How long an external id may be. */
const longestExternalId = 255

/** Throws CellFault for invisible characters, as sign-in refuses them: nobody could be found by typing them. */
export function requireVisible(cell: string, column: string) {
  if (!oneLine.test(cell)) throw new CellFault('errorChars', { column })
}

/**
 * Throws CellFault for a cell that isn't empty but has no value: an error, a formula without a result, broken bytes.
 */
function requireValue(broken: TableRow['broken'], index: number, text: string, column: string) {
  if (broken?.[index] === 'value') throw new CellFault('userImportBroken', { column, text })
  if (broken?.[index] === 'text') throw new CellFault('userImportUnreadable', { column })
}

/** Returns a function that reads a row by a plan. The function throws CellFault. */
export function rowReader({ columns, by, head, dayOrders }: Plan, fields: readonly TableField[]) {
  const inputs = columns.flatMap((target, at) => (target ? [{ target, at, column: head[at] || String(at + 1) }] : []))
  const byTarget = new Map(fields.map((field) => [targetOf(field.code), field]))
  const keyColumn = inputs.find(({ target }) => target === (by === 'externalId' ? by : targetOf(by)))
  return (cells: readonly string[], broken?: TableRow['broken']): RowInput => {
    const row: RowInput = { key: '', values: {}, cells: {}, roles: [], organization: '', contractors: [] }
    for (const { target, at, column } of inputs) {
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
        if (cell.length > longestExternalId) throw new CellFault('errorTooLong', { column })
        row.externalId = cell
      } else if (target === 'password') {
        if (!hashFormat(cell)) throw new CellFault('userImportHash', { column })
        row.password = cell
      } else if (target === 'authenticatorKey') {
        const key = importedKey(cell)
        if (!key) throw new CellFault('userImportAppKey', { column })
        row.appKey = key
      } else if (target === 'organization') row.organization = cell
      else if (target === 'roles' || target === 'contractors') row[target] = partsOf(cell)
    }
    const key = (keyColumn && cells[keyColumn.at]) || ''
    requireVisible(key, keyColumn?.column ?? '')
    row.key = by === 'externalId' ? key : loginOf(key)
    if (!row.key) throw new CellFault('errorEmpty', { column: keyColumn?.column ?? '' })
    return row
  }
}

/** The account with whose values the cells of a row are compared. */
type Account = { externalId: string | null; values: Readonly<Record<string, unknown>> }

/**
 * Returns the values of a row that differ from what an export writes for its account. Equal values are neither checked
 * nor changed, even if they couldn't be written because a directory keeps the field or its rules have changed.
 */
export function differingValues(fields: readonly TableField[], input: RowInput, account: Account): RowInput['values'] {
  const columnValues = account as unknown as Record<string, unknown>
  return Object.fromEntries(
    fields.flatMap((field) => {
      const { code, base } = field
      const value = input.values[code]
      if (value === undefined || !Object.hasOwn(input.values, code)) return []
      const stored = base ? columnValues[code] : storedUnder(account.values, code)
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

/** The columns with secrets: hashes of passwords, and keys of authenticator apps. */
const secretTargets = ['password', 'authenticatorKey'] as const
const isSecret = (cell: string) => Boolean(hashFormat(cell)) || /^\s*otpauth[:-]/i.test(cell)

/**
 * Returns the cells without secrets, for downloads and for storage: without those of the columns with secrets, and
 * without what looks like one in unused columns.
 */
export const cellsWithoutSecrets = ({ columns }: Plan, cells: readonly string[]): string[] =>
  cells.map((cell, index) => {
    const target = columns[index]
    return secretTargets.some((secret) => secret === target) || (!target && isSecret(cell)) ? '' : cell
  })

/** Stands in the cells for a secret that is stored encrypted beside them: an earlier version refuses such a row. */
const encryptedElsewhere = '*'

type StoredCells = { cells: string[]; password?: string | undefined; authenticatorKey?: string | undefined }
/** A hash and a key are encrypted for different places, so that neither can stand for the other. */
const boundContext = (runId: string, row: number, target: (typeof secretTargets)[number]) =>
  target === 'password' ? `${runId} ${row}` : `${runId} ${row} ${target}`

/** Returns the cells of a row as they are stored until it is written: secrets are encrypted for this row only. */
export function encryptCells(plan: Plan, cells: readonly string[], runId: string, row: number): StoredCells {
  const stored: StoredCells = { cells: cellsWithoutSecrets(plan, cells) }
  for (const target of secretTargets) {
    const index = plan.columns.indexOf(target)
    const secret = cells[index]
    if (!secret) continue
    stored.cells = stored.cells.with(index, encryptedElsewhere)
    stored[target] = encrypt('imports', secret, boundContext(runId, row, target))
  }
  return stored
}

/**
 * Returns the cells as they were in the file. Throws if a secret was encrypted for another row. An earlier version
 * encrypted no hash.
 */
export function decryptCells(plan: Plan, { cells, ...secrets }: StoredCells, runId: string, row: number): string[] {
  return secretTargets.reduce((plainCells, target) => {
    const secret = secrets[target]
    return secret
      ? plainCells.with(plan.columns.indexOf(target), decrypt('imports', secret, boundContext(runId, row, target)))
      : plainCells
  }, cells)
}

/** Returns the name of the column that holds a field which a call has refused, such as `values.email`. */
export function columnOf({ columns, head }: Plan, field: string, fields: readonly FieldView[] = []): string {
  const [first = '', second = ''] = field.split('.')
  const index = columns.indexOf(first === 'values' ? targetOf(second) : first)
  // a required field may have no column
  return index < 0 ? (fields.find(({ code }) => code === second)?.title ?? '') : head[index] || String(index + 1)
}
