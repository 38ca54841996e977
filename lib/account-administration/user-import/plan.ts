import { z } from 'zod'
import type { TableField } from '@/lib/accounts/user-table/cells'
import { isHeadOf, plainHead, type TableColumn, targetOf } from '@/lib/accounts/user-table/columns'
import { fieldError } from '@/lib/base/runtime/errors'
import { inTurns } from '@/lib/base/runtime/turns'
import type { TableRow } from '@/lib/base/tables/rows'
import type { FieldView } from '@/lib/fields/values/definition'
import {
  dayOrders,
  type ImportKey,
  type ImportMode,
  importKeys,
  importModes,
  importTargets,
  missingTargets,
  nameParts,
  wholeName,
} from './offered'

/** How the rows of a file are imported. It is stored with the batch job, and offered for the next file. */
export const Plan = z.object({
  head: z.array(z.string()),
  columns: z.array(z.string().nullable()),
  /** Which part is the first in the dates of a column. An earlier version didn't ask, and read the day first. */
  dayOrders: z.array(z.enum(dayOrders).nullable()).optional(),
  by: z.enum(importKeys),
  mode: z.enum(importModes),
  sendLinks: z.boolean(),
})
export type Plan = z.infer<typeof Plan>

/**
 * Returns the targets that a column may have, and which of them a new account needs. The e-mail becomes its login if it
 * has none.
 */
export const targetsOf = (fields: readonly FieldView[]) => [
  ...fields.map(({ base, code, title, required, fieldType }) => ({
    id: targetOf(code),
    title,
    required: required && !(base && code === 'login'),
    date: fieldType === 'date',
  })),
  ...importTargets.map((id) => ({ id, title: '', required: false, date: false })),
]

/** Returns the required fields of new accounts that no column of a file holds; none if no account is created. */
export const missingFields = ({ columns, mode }: Pick<Plan, 'columns' | 'mode'>, fields: readonly FieldView[]) =>
  mode === 'update' ? [] : missingTargets(columns, targetsOf(fields))

/**
 * Returns whether rows of a file may change how an administrator signs in, by a role or a contact. Such rows take the
 * lock of administrators before every other lock of the transaction, as calls that change roles and contacts do.
 */
export const concernsAdministrators = ({ columns, mode }: Pick<Plan, 'columns' | 'mode'>): boolean =>
  columns.includes('roles') ||
  (mode !== 'create' && ['email', 'mobile'].some((code) => columns.includes(targetOf(code))))

/** Returns the target of the column that holds the key. */
const keyTarget = (by: ImportKey) => (by === 'externalId' ? 'externalId' : targetOf(by))

const Columns = z.array(z.string().max(80).nullable()).max(200)
const DayOrders = z.array(z.enum(dayOrders).nullable()).max(200)

/** Reads a list that was sent as JSON. Throws 400 for what isn't one. */
function listFrom<T>(schema: z.ZodType<T>, text: string): T {
  try {
    return schema.parse(JSON.parse(text))
  } catch {
    throw fieldError('columns', 'userImportColumns')
  }
}

type SentPlan = {
  columns: string
  dayOrders?: string | undefined
  by: ImportKey
  mode: ImportMode
  sendLinks: 'true' | 'false'
}

/**
 * Returns the plan of a file from what was sent. Throws 400 by field for columns that can't be read, are unknown or are
 * chosen twice, for a name that is whole and in parts, for dates with slashes without an order, and for a key without a
 * column.
 */
export function planOf(
  head: string[],
  slashed: ReadonlySet<number>,
  fields: readonly FieldView[],
  sent: SentPlan,
): Plan {
  const targets = new Map(targetsOf(fields).map((target) => [target.id, target]))
  const columns = listFrom(Columns, sent.columns)
  const orders = listFrom(DayOrders, sent.dayOrders ?? '[]')
  if (columns.length > head.length || columns.some((target) => target !== null && !targets.has(target)))
    throw fieldError('columns', 'userImportColumns')
  const columnParams = (index: number) => ({ name: head[index] || String(index + 1) })
  const repeated = columns.find((target, index) => target !== null && columns.indexOf(target) !== index)
  if (repeated) throw fieldError('columns', 'userImportTwice', columnParams(columns.lastIndexOf(repeated)))
  if (columns.includes(wholeName) && nameParts.some((part) => columns.includes(part)))
    throw fieldError('columns', 'userImportNames', columnParams(columns.indexOf(wholeName)))
  const isUnclear = (index: number) =>
    targets.get(columns[index] ?? '')?.date === true && !orders[index] && slashed.has(index)
  const unclearIndex = columns.findIndex((_, index) => isUnclear(index))
  if (unclearIndex >= 0) throw fieldError('columns', 'userImportDayOrder', columnParams(unclearIndex))
  if (!columns.includes(keyTarget(sent.by))) throw fieldError('by', 'userImportKey')
  const dayOrdersOfColumns = columns.map((_, index) => orders[index] ?? null)
  return {
    head,
    columns,
    dayOrders: dayOrdersOfColumns,
    by: sent.by,
    mode: sent.mode,
    sendLinks: sent.sendLinks === 'true',
  }
}

/** A date such as 04/01/1981, which is in April for some and in January for others. */
export const slashedDate = /^(\d{1,2})\/(\d{1,2})\/(\d{4})(?: 0?0:00(?::00)?)?$/

/** Returns the indexes of the columns that have a date with slashes. */
export async function slashedColumns(rows: readonly TableRow[]): Promise<Set<number>> {
  const slashed = new Set<number>()
  for await (const { cells } of inTurns(rows))
    for (const [index, cell] of cells.entries()) if (!slashed.has(index) && slashedDate.test(cell)) slashed.add(index)
  return slashed
}

/** Usual names of what an import writes, besides the titles and codes of its fields. */
const usualNames: Record<string, readonly string[]> = {
  externalId: [
    'external id',
    'внешний код',
    'внешний id',
    'внешний идентификатор',
    'табельный номер',
    'id',
    'employee id',
    'employee number',
  ],
  password: ['password hash', 'password', 'hash', 'хеш пароля', 'хэш пароля', 'пароль'],
  authenticatorKey: ['authenticator key', 'totp', 'totp secret', 'totp key', 'otp secret', 'ключ приложения'],
  roles: ['roles', 'role', 'роли', 'роль'],
  organization: ['organization', 'organisation', 'organization for roles', 'организация', 'организация для ролей'],
  contractors: ['contractors', 'contractor', 'company', 'inn', 'контрагент', 'контрагенты', 'компания', 'инн'],
  'field.email': ['email', 'mail', 'почта', 'электронная почта', 'адрес электронной почты'],
  'field.mobile': ['mobile', 'phone', 'телефон', 'мобильный', 'мобильный телефон', 'phone number', 'telephone number'],
  'field.login': ['login', 'username', 'sam account name', 'логин', 'имя пользователя'],
  'field.fio': ['full name', 'display name', 'фио', 'имя фамилия', 'фамилия имя', 'фамилия имя отчество'],
  'field.lastName': ['last name', 'surname', 'family name', 'sn', 'фамилия'],
  'field.firstName': ['first name', 'given name', 'forename'],
  'field.middleName': ['middle name', 'patronymic', 'отчество'],
  'field.birthDate': ['birth date', 'birthday', 'date of birth', 'dob', 'дата рождения', 'день рождения'],
  'field.gender': ['gender', 'sex', 'пол'],
  'field.locale': ['language', 'locale', 'preferred language', 'язык'],
}

/** Heads that mean the whole name or the first name. */
const ambiguousHeads = new Set(['name', 'имя'])

/**
 * Returns the targets of the columns if the table is an export, which its heads tell in any language; null for any
 * other table.
 */
export function exportedTargets(head: readonly string[], tables: readonly (readonly TableColumn[])[]) {
  const exportTable = tables.find(
    (columns) =>
      columns.length === head.length && columns.every((column, index) => isHeadOf(column, head[index] ?? '')),
  )
  return exportTable?.map(({ target }) => target) ?? null
}

/** A dictionary from names to targets. A name of several targets means none of them. */
function createDictionary(possible: ReadonlySet<string>) {
  const meanings = new Map<string, Set<string>>()
  return {
    learn: (name: string, target: string) => {
      const plain = plainHead(name)
      if (plain && possible.has(target)) meanings.set(plain, (meanings.get(plain) ?? new Set()).add(target))
    },
    has: (name: string) => meanings.has(plainHead(name)),
    meaning: (name: string) => {
      const [target, second] = meanings.get(plainHead(name)) ?? []
      return target && !second ? target : null
    },
  }
}

type Hints = { fields: readonly TableField[]; tables: readonly (readonly TableColumn[])[]; last: Plan | null }
type Suggestion = { target: string | null; doubt: boolean }

/**
 * Returns for each column the target that it seems to have: the one of a column with this name in the last import, or
 * the one that its name means in any language. A name with two meanings is a `doubt` and has no target; a whole name
 * beside its parts has none either.
 */
export function suggestedColumns(head: readonly string[], { fields, tables, last }: Hints): Suggestion[] {
  const possible = new Set<string>([...importTargets, ...fields.map(({ code }) => targetOf(code))])
  const [lastNames, titles, usualWords] = [
    createDictionary(possible),
    createDictionary(possible),
    createDictionary(possible),
  ]
  last?.columns.forEach((target, index) => {
    if (target) lastNames.learn(last.head[index] ?? '', target)
  })
  for (const { code, title, others } of fields)
    for (const name of [title, code, ...others.map((other) => other.title)]) titles.learn(name, targetOf(code))
  for (const { target, head: name } of tables.flat()) if (target) titles.learn(name, target)
  for (const [target, list] of Object.entries(usualNames))
    for (const name of [target, ...list]) usualWords.learn(name, target)
  const exported = exportedTargets(head, tables)
  const suggestionFor = (name: string, index: number): Suggestion => {
    if (exported)
      return { target: exported[index] && possible.has(exported[index]) ? exported[index] : null, doubt: false }
    if (lastNames.has(name)) return { target: lastNames.meaning(name), doubt: false }
    if (ambiguousHeads.has(plainHead(name))) return { target: null, doubt: true }
    if (titles.has(name)) return { target: titles.meaning(name), doubt: titles.meaning(name) === null }
    return { target: usualWords.meaning(name), doubt: false }
  }
  const used = new Set<string>()
  const suggestions = head.map((name, index) => {
    const { target, doubt } = suggestionFor(name, index)
    if (!target || used.has(target)) return { target: null, doubt }
    used.add(target)
    return { target, doubt }
  })
  if (!nameParts.some((part) => used.has(part))) return suggestions
  // beside a last name, a head such as "name" means the first name; a whole name would repeat the parts
  const isFirst = ({ target, doubt }: Suggestion, index: number) =>
    ambiguousHeads.has(plainHead(head[index] ?? '')) && (target === wholeName || (doubt && target === null))
  const firstNameIndex =
    used.has('field.firstName') || !possible.has('field.firstName') ? -1 : suggestions.findIndex(isFirst)
  return suggestions.map((suggestion, index) => {
    if (index === firstNameIndex) return { target: 'field.firstName', doubt: false }
    return suggestion.target === wholeName ? { target: null, doubt: false } : suggestion
  })
}

/** Returns the first choices for a file: those of the caller's last import, as far as they fit the file. */
export function suggestedChoices(
  rows: readonly TableRow[],
  columns: readonly Suggestion[],
  { isExported, last }: { isExported: boolean; last: Plan | null },
): Pick<Plan, 'by' | 'mode' | 'sendLinks'> {
  const { mode = 'both', sendLinks = false } = last ?? {}
  const indexOfKey = (key: ImportKey) => columns.findIndex(({ target }) => target === keyTarget(key))
  const availableKeys = importKeys.filter((key) => indexOfKey(key) >= 0)
  // every account has a login, but an external id may be that of a directory
  if (isExported && availableKeys.includes('login'))
    return { by: 'login', mode: mode === 'create' ? 'both' : mode, sendLinks }
  const fullKey = availableKeys.find((key) => {
    const index = indexOfKey(key)
    return rows.every(({ cells }) => cells[index] !== '')
  })
  const by = last && availableKeys.includes(last.by) ? last.by : (fullKey ?? availableKeys[0] ?? last?.by ?? 'login')
  return { by, mode, sendLinks }
}
