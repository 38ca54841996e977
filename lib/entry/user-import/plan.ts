import { z } from 'zod'
import { fieldError } from '@/lib/kernel/errors'
import type { FieldView } from '@/lib/people/fields/definition'
import { type ImportKey, importKeys, importModes, importTargets, lackingTargets } from './offered'

/** What is done with the rows of a file; it is kept with the run, and offered for the next file. */
export const Plan = z.object({
  head: z.array(z.string()),
  columns: z.array(z.string().nullable()),
  by: z.enum(importKeys),
  mode: z.enum(importModes),
  sendLinks: z.boolean(),
})
export type Plan = z.infer<typeof Plan>

const prefix = 'field.'
export const targetOf = (code: string) => `${prefix}${code}`

/** Returns what a column may hold, and which of it a new account needs. Its e-mail is its login if it has none. */
export const targetsOf = (fields: readonly FieldView[]) => [
  ...fields.map(({ base, code, title, required }) => ({
    id: targetOf(code),
    title,
    required: required && !(base && code === 'login'),
  })),
  ...importTargets.map((id) => ({ id, title: '', required: false })),
]

/** Returns the required fields of new accounts that no column of a file holds; none if no account is created. */
export const lackingIn = ({ columns, mode }: Pick<Plan, 'columns' | 'mode'>, fields: readonly FieldView[]) =>
  mode === 'update' ? [] : lackingTargets(columns, targetsOf(fields))

/** Returns where the column of the key stands. */
const keyTarget = (by: ImportKey) => (by === 'externalId' ? 'externalId' : targetOf(by))

const Columns = z.array(z.string().max(80).nullable()).max(200)

/**
 * Returns the plan of a file from what was sent. Throws 400 by field for columns that can't be read, are unknown or are
 * chosen twice, and for a key without a column.
 */
export function planOf(
  head: string[],
  fields: readonly FieldView[],
  sent: { columns: string; by: ImportKey; mode: Plan['mode']; sendLinks: 'true' | 'false' },
): Plan {
  const known = new Set<string>([...importTargets, ...fields.map(({ code }) => targetOf(code))])
  const columns = (() => {
    try {
      return Columns.parse(JSON.parse(sent.columns))
    } catch {
      throw fieldError('columns', 'userImportColumns')
    }
  })()
  if (columns.length > head.length || columns.some((target) => target !== null && !known.has(target)))
    throw fieldError('columns', 'userImportColumns')
  const twice = columns.find((target, at) => target !== null && columns.indexOf(target) !== at)
  if (twice) throw fieldError('columns', 'userImportTwice', { name: head[columns.lastIndexOf(twice)] ?? '' })
  if (!columns.includes(keyTarget(sent.by))) throw fieldError('by', 'userImportKey')
  return { head, columns, by: sent.by, mode: sent.mode, sendLinks: sent.sendLinks === 'true' }
}

/** What people call what an import writes, besides the titles and codes of its fields. */
const called: Record<string, readonly string[]> = {
  externalId: ['external id', 'внешний код', 'внешний id', 'внешний идентификатор', 'табельный номер', 'id'],
  password: ['password hash', 'password', 'hash', 'хеш пароля', 'хэш пароля', 'пароль'],
  roles: ['roles', 'role', 'роли', 'роль'],
  organization: ['organization', 'organisation', 'organization for roles', 'организация', 'организация для ролей'],
  contractors: ['contractors', 'contractor', 'company', 'inn', 'контрагент', 'контрагенты', 'компания', 'инн'],
  'field.email': ['email', 'mail', 'почта', 'электронная почта', 'адрес электронной почты'],
  'field.mobile': ['mobile', 'phone', 'телефон', 'мобильный', 'мобильный телефон'],
  'field.login': ['login', 'username', 'логин', 'имя пользователя'],
  'field.fio': ['full name', 'name', 'фио', 'имя фамилия'],
  'field.lastName': ['last name', 'surname', 'фамилия'],
  'field.firstName': ['first name', 'given name', 'имя'],
  'field.middleName': ['middle name', 'patronymic', 'отчество'],
  'field.locale': ['language', 'locale', 'язык'],
}
const plainName = (text: string) =>
  text
    .toLowerCase()
    .replaceAll('ё', 'е')
    .replace(/[^\p{L}\p{N}]/gu, '')

/** Returns what each column seems to hold: what a column of this name held in the last import, or what its name says. */
export function suggestedColumns(head: readonly string[], fields: readonly FieldView[], last: Plan | null) {
  const possible = new Set<string>([...importTargets, ...fields.map(({ code }) => targetOf(code))])
  const names = new Map<string, string>()
  const learn = (name: string, target: string) => {
    const plain = plainName(name)
    if (plain && possible.has(target) && !names.has(plain)) names.set(plain, target)
  }
  last?.columns.forEach((target, at) => {
    if (target) learn(last.head[at] ?? '', target)
  })
  for (const { code, title } of fields) for (const name of [title, code]) learn(name, targetOf(code))
  for (const [target, list] of Object.entries(called)) for (const name of [target, ...list]) learn(name, target)
  const used = new Set<string>()
  return head.map((name) => {
    const target = names.get(plainName(name))
    if (!target || used.has(target)) return null
    used.add(target)
    return target
  })
}
