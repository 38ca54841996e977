import { z } from 'zod'
import type { TableField } from '@/lib/accounts/user-table/cells'
import { isHeadOf, plainHead, type TableColumn, targetOf } from '@/lib/accounts/user-table/columns'
import { fieldError } from '@/lib/base/runtime/errors'
import type { TableRow } from '@/lib/base/tables/rows'
import type { FieldView } from '@/lib/fields/values/definition'
import {
  dayOrders,
  type ImportKey,
  type ImportMode,
  importKeys,
  importModes,
  importTargets,
  lackingTargets,
  nameParts,
  wholeName,
} from './offered'

/** What is done with the rows of a file; it is kept with the run, and offered for the next file. */
export const Plan = z.object({
  head: z.array(z.string()),
  columns: z.array(z.string().nullable()),
  /** What stands first in the dates of a column. An earlier version asked nothing, and read the day first. */
  dayOrders: z.array(z.enum(dayOrders).nullable()).optional(),
  by: z.enum(importKeys),
  mode: z.enum(importModes),
  sendLinks: z.boolean(),
})
export type Plan = z.infer<typeof Plan>

/** Returns what a column may hold, and which of it a new account needs. Its e-mail is its login if it has none. */
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
export const lackingIn = ({ columns, mode }: Pick<Plan, 'columns' | 'mode'>, fields: readonly FieldView[]) =>
  mode === 'update' ? [] : lackingTargets(columns, targetsOf(fields))

/**
 * Whether rows of a file may change how an administrator signs in, by a role or a contact: then they take the lock of
 * administrators before every other one of the transaction, as calls that change these do.
 */
export const concernsAdministrators = ({ columns, mode }: Pick<Plan, 'columns' | 'mode'>): boolean =>
  columns.includes('roles') ||
  (mode !== 'create' && ['email', 'mobile'].some((code) => columns.includes(targetOf(code))))

/** Returns where the column of the key stands. */
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

type Sent = {
  columns: string
  dayOrders?: string | undefined
  by: ImportKey
  mode: ImportMode
  sendLinks: 'true' | 'false'
}

/**
 * Returns the plan of a file from what was sent. Throws 400 by field for columns that can't be read, are unknown or are
 * chosen twice, for a name that is whole and in parts, for dates of which nobody has said what stands first, and for a
 * key without a column.
 */
export function planOf(head: string[], rows: readonly TableRow[], fields: readonly FieldView[], sent: Sent): Plan {
  const targets = new Map(targetsOf(fields).map((target) => [target.id, target]))
  const columns = listFrom(Columns, sent.columns)
  const orders = listFrom(DayOrders, sent.dayOrders ?? '[]')
  if (columns.length > head.length || columns.some((target) => target !== null && !targets.has(target)))
    throw fieldError('columns', 'userImportColumns')
  const named = (at: number) => ({ name: head[at] || String(at + 1) })
  const twice = columns.find((target, at) => target !== null && columns.indexOf(target) !== at)
  if (twice) throw fieldError('columns', 'userImportTwice', named(columns.lastIndexOf(twice)))
  if (columns.includes(wholeName) && nameParts.some((part) => columns.includes(part)))
    throw fieldError('columns', 'userImportNames', named(columns.indexOf(wholeName)))
  const isUnclear = (at: number) =>
    targets.get(columns[at] ?? '')?.date === true &&
    !orders[at] &&
    rows.some(({ cells }) => slashed.test(cells[at] ?? ''))
  const unclear = columns.findIndex((_, at) => isUnclear(at))
  if (unclear >= 0) throw fieldError('columns', 'userImportDayOrder', named(unclear))
  if (!columns.includes(keyTarget(sent.by))) throw fieldError('by', 'userImportKey')
  const own = columns.map((_, at) => orders[at] ?? null)
  return { head, columns, dayOrders: own, by: sent.by, mode: sent.mode, sendLinks: sent.sendLinks === 'true' }
}

/** A date such as 04/01/1981, which is in April for some and in January for others. */
export const slashed = /^(\d{1,2})\/(\d{1,2})\/(\d{4})(?: 0?0:00(?::00)?)?$/

/** What people call what an import writes, besides the titles and codes of its fields. */
const called: Record<string, readonly string[]> = {
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
const doubtful = new Set(['name', 'имя'])

/** Returns the columns of a table that was exported, by their heads in any language; null for any other table. */
export function exportedTargets(head: readonly string[], tables: readonly (readonly TableColumn[])[]) {
  const own = tables.find(
    (columns) => columns.length === head.length && columns.every((column, at) => isHeadOf(column, head[at] ?? '')),
  )
  return own?.map(({ target }) => target) ?? null
}

/** A way to call things: what one name means. A name of several things means none of them. */
function createNames(possible: ReadonlySet<string>) {
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

type Known = { fields: readonly TableField[]; tables: readonly (readonly TableColumn[])[]; last: Plan | null }
type Suggested = { target: string | null; doubt: boolean }

/**
 * Returns what each column seems to hold: what a column of this name held in the last import, or what its name says in any
 * language. A name that means two things is a `doubt` and holds nothing; a whole name beside its parts isn't taken.
 */
export function suggestedColumns(head: readonly string[], { fields, tables, last }: Known): Suggested[] {
  const possible = new Set<string>([...importTargets, ...fields.map(({ code }) => targetOf(code))])
  const [kept, titles, words] = [createNames(possible), createNames(possible), createNames(possible)]
  last?.columns.forEach((target, at) => {
    if (target) kept.learn(last.head[at] ?? '', target)
  })
  for (const { code, title, others } of fields)
    for (const name of [title, code, ...others.map((other) => other.title)]) titles.learn(name, targetOf(code))
  for (const { target, head: name } of tables.flat()) if (target) titles.learn(name, target)
  for (const [target, list] of Object.entries(called)) for (const name of [target, ...list]) words.learn(name, target)
  const own = exportedTargets(head, tables)
  const of = (name: string, at: number): Suggested => {
    if (own) return { target: own[at] && possible.has(own[at]) ? own[at] : null, doubt: false }
    if (kept.has(name)) return { target: kept.meaning(name), doubt: false }
    if (doubtful.has(plainHead(name))) return { target: null, doubt: true }
    if (titles.has(name)) return { target: titles.meaning(name), doubt: titles.meaning(name) === null }
    return { target: words.meaning(name), doubt: false }
  }
  const used = new Set<string>()
  const found = head.map((name, at) => {
    const { target, doubt } = of(name, at)
    if (!target || used.has(target)) return { target: null, doubt }
    used.add(target)
    return { target, doubt }
  })
  if (!nameParts.some((part) => used.has(part))) return found
  // beside a last name it is the first one, and a whole name would be the same once more
  const isFirst = ({ target, doubt }: Suggested, at: number) =>
    doubtful.has(plainHead(head[at] ?? '')) && (target === wholeName || (doubt && target === null))
  const first = used.has('field.firstName') || !possible.has('field.firstName') ? -1 : found.findIndex(isFirst)
  return found.map((each, at) => {
    if (at === first) return { target: 'field.firstName', doubt: false }
    return each.target === wholeName ? { target: null, doubt: false } : each
  })
}

/** Returns the choices with which a file begins: those of the caller's last import, as far as they fit it. */
export function suggestedChoices(
  rows: readonly TableRow[],
  columns: readonly Suggested[],
  { isExported, last }: { isExported: boolean; last: Plan | null },
): Pick<Plan, 'by' | 'mode' | 'sendLinks'> {
  const { mode = 'both', sendLinks = false } = last ?? {}
  const placeOf = (key: ImportKey) => columns.findIndex(({ target }) => target === keyTarget(key))
  const held = importKeys.filter((key) => placeOf(key) >= 0)
  // every account has a login, but an external id may be that of a directory
  if (isExported && held.includes('login')) return { by: 'login', mode: mode === 'create' ? 'both' : mode, sendLinks }
  const full = held.find((key) => rows.every(({ cells }) => cells[placeOf(key)] !== ''))
  const by = last && held.includes(last.by) ? last.by : (full ?? held[0] ?? last?.by ?? 'login')
  return { by, mode, sendLinks }
}
