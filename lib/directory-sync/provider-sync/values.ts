import type { UserChange } from '@/lib/accounts/user-table/fields'
import type { ContactKind } from '@/lib/accounts/users/own'
import type { Ctx } from '@/lib/base/context/ctx'
import { AppError, type FieldError } from '@/lib/base/runtime/errors'
import { emailOf } from '@/lib/base/text/email'
import { namesAfter } from '@/lib/fields/names'
import { concerns } from '@/lib/fields/values/actions'
import { type Definition, type FieldView, isBase, isFilled, storedUnder, viewOf } from '@/lib/fields/values/definition'
import { checkValue } from '@/lib/fields/values/schema'
import { peopleFields } from '@/lib/fields/values/service'
import type { Changes, Values } from '@/lib/fields/values/values'
import type { DirectoryPerson, SourceValue } from '@/lib/identity-providers/connections/directory'
import { accessSource } from '@/lib/identity-providers/connections/kinds'

/** A mapper with what a run needs of it. */
export type UsedMapper = {
  type: 'users-base' | 'users-access'
  name: string
  before: string
  after: string
  customAttributes: boolean
  /** What happens to the field if the provider doesn't send it. */
  absent: 'keep' | 'clear'
  attributes: readonly { attribute: string; value: string }[]
}

/** The data that mappers make from a person of a provider. */
export type MappedPerson = {
  /** Values by the codes of fields, null for an empty one; a missing field stays unchanged. */
  values: Record<string, unknown>
  /** Fields whose value can't be read. */
  broken: string[]
  /** Ids of the roles that mappers give to the person, and of roles for which the value can't be read. */
  roles: string[]
  rolesUnread: string[]
  /** The contacts that the provider has proven. */
  proven: ContactKind[]
}

const [on, off] = [
  ['true', '1', 'yes', 'on', 'да'],
  ['false', '0', 'no', 'off', 'нет'],
]

/** Returns a value in the form of its field, unchecked. */
function inFieldForm(
  { fieldType, multiple }: Pick<Definition, 'fieldType' | 'multiple'>,
  texts: readonly string[],
): unknown {
  const [text] = texts
  if (text === undefined) return null
  if (multiple) return texts
  if (fieldType === 'toggle') {
    const word = text.trim().toLowerCase()
    return on?.includes(word) ? true : off?.includes(word) ? false : text
  }
  // a date with a time is cut to the date
  if (fieldType === 'date') return text.replace(/^(\d{4}-\d{2}-\d{2})[T ]\d{2}:\d{2}.*$/s, '$1')
  return text
}

const valueUnder = (values: Readonly<Record<string, SourceValue>>, name: string): SourceValue | undefined =>
  Object.hasOwn(values, name) ? values[name] : undefined

/** Returns the value that a person has for a mapper; undefined if it isn't sent. */
function sourceValueFor(
  { before, customAttributes }: Pick<UsedMapper, 'before' | 'customAttributes'>,
  { fields, attributes }: DirectoryPerson,
): SourceValue | undefined {
  if (customAttributes) return attributes === null ? null : valueUnder(attributes, before)
  return valueUnder(fields, before)
}

/**
 * Returns the roles that a mapper of access gives, by value, or by key if it names no attribute; and the unreadable
 * ones.
 */
function rolesFrom(person: DirectoryPerson, { before, customAttributes, attributes }: UsedMapper) {
  const roles: string[] = []
  const unread: string[] = []
  for (const { attribute, value } of attributes) {
    const byKey = before === ''
    const sourceValue =
      !customAttributes && before === accessSource
        ? person.roles
        : sourceValueFor({ before: byKey ? attribute : before, customAttributes: true }, person)
    const isGiven = byKey
      ? sourceValue?.some((text) => text.toLowerCase() !== 'false')
      : sourceValue?.includes(attribute)
    if (isGiven) roles.push(value)
    if (sourceValue === null) unread.push(value)
  }
  return { given: roles, unread }
}

/** The mappers of a provider, and whether an administrator vouches for it. Without that it proves no contacts. */
export type MappingSource = { mappers: readonly UsedMapper[]; vouched: boolean }

/** Returns the data that mappers make from a person (docs/rules/providers.md#absent-empty-and-broken). */
export function mapPerson(
  person: DirectoryPerson,
  { mappers, vouched }: MappingSource,
  fields: readonly Definition[],
): MappedPerson {
  const result: MappedPerson = { values: {}, broken: [], roles: [], rolesUnread: [], proven: [] }
  const { values, broken, proven } = result
  const givenRoles = new Set<string>()
  const unreadRoles = new Set<string>()
  for (const mapper of mappers) {
    if (mapper.type === 'users-access') {
      const roles = rolesFrom(person, mapper)
      for (const id of roles.given) givenRoles.add(id)
      for (const id of roles.unread) unreadRoles.add(id)
      continue
    }
    const field = fields.find(({ code }) => code === mapper.after)
    if (!field) continue
    const sourceValue = sourceValueFor(mapper, person)
    if (sourceValue === undefined) {
      if (mapper.absent === 'clear') values[mapper.after] = null
      continue
    }
    if (sourceValue === null) {
      broken.push(mapper.after)
      continue
    }
    const pairs = new Map(mapper.attributes.map(({ attribute, value }) => [attribute, value]))
    const texts = sourceValue.map((text) => pairs.get(text) ?? text).filter(isFilled)
    values[mapper.after] = inFieldForm(field, texts)
    const isReliable = vouched && !mapper.customAttributes && isBase(field) && texts[0] === sourceValue[0]
    if (isReliable && (mapper.after === 'email' || mapper.after === 'mobile') && person.proven.includes(mapper.before))
      proven.push(mapper.after)
  }
  return {
    ...result,
    roles: [...givenRoles].sort(),
    rolesUnread: [...unreadRoles].filter((id) => !givenRoles.has(id)).sort(),
  }
}

/** Returns the title by which people recognize a person of a directory. */
export function titleOf({ fields, externalId }: DirectoryPerson): string {
  const text = (name: string) => valueUnder(fields, name)?.[0]
  const name = [text('lastName'), text('firstName'), text('middleName')].filter(Boolean).join(' ')
  return (name || text('username') || text('login') || text('email') || externalId).slice(0, 255)
}

const nameCodes = ['lastName', 'firstName', 'middleName'] as const

type Account = Record<(typeof nameCodes)[number] | 'fio' | 'login', string> &
  Record<'email', string | null> & { values: Values }

/** The change of an account, and the faults of the values that can't be written. */
export type SyncChecked = { change: UserChange; notes: FieldError[] }
export type SyncCheck = (mapped: Pick<MappedPerson, 'values' | 'broken'>, account: Account | null) => SyncChecked

/** Returns a fault with its field as `fieldCode`: readers see its title in their language. */
const noteOf = (code: string, fault: string, params: FieldError['params'] = {}): FieldError => ({
  field: code,
  code: fault === 'errorEmpty' ? 'syncRequired' : fault,
  params: { ...params, fieldCode: code },
})

/**
 * Returns a function that checks mapped data of a person by the definitions of the fields. It leaves out and notes a
 * value that its field refuses, and an empty value of a field that synchronization requires. For a new account (null)
 * it throws 400 by field if a field is missing that synchronization requires; an invalid login is made from the e-mail
 * (docs/rules/providers.md#absent-empty-and-broken).
 */
export async function syncChecker(ctx: Ctx): Promise<SyncCheck> {
  const definitions = await peopleFields()
  const views = new Map<string, { field: Definition; view: FieldView; optional: FieldView }>(
    definitions.map((field) => {
      const view = viewOf(field, { locale: ctx.locale, locales: ctx.domain.locales, required: field.integration })
      return [field.code, { field, view, optional: { ...view, required: false } }]
    }),
  )
  const required = definitions.filter(({ integration, fieldType }) => integration && fieldType !== 'picture')

  return ({ values: input, broken }, account) => {
    const notes = broken.filter((code) => views.has(code)).map((code) => noteOf(code, 'errorFormat'))
    const columns: Record<string, unknown> = {}
    const dynamic: Changes = {}
    const storedOf = (field: Definition) =>
      account &&
      (isBase(field) ? (account as Record<string, unknown>)[field.code] : storedUnder(account.values, field.code))
    const after = { ...account?.values, ...input }
    const requiredNow = required.filter((field) => concerns(definitions, field, after))
    const email = typeof input.email === 'string' ? emailOf(input.email) : (account?.email ?? undefined)
    for (const [code, value] of Object.entries(input)) {
      const { field, view, optional } = views.get(code) ?? {}
      // the field was deleted since the run began
      if (!field || !view || !optional) continue
      const valueContext = { now: ctx.now(), stored: storedOf(field), ...(email ? { email } : {}), field: code }
      // the same definitions for each account: their schemas are made once
      const rules = view.required && concerns(definitions, field, after) ? view : optional
      const checked = checkValue(rules, value, valueContext)
      if ('fault' in checked) notes.push(noteOf(code, checked.fault.code, checked.fault.params))
      else if (isBase(field)) columns[code] = checked.value
      else dynamic[code] = checked.value
    }
    if (typeof columns.email === 'string') columns.email = columns.email.toLowerCase()
    const names = namesOf(ctx, columns, account)
    for (const code of ['fio', ...nameCodes]) delete columns[code]
    // an account keeps its login if the directory leaves it out
    if (columns.login === null) delete columns.login
    if (Object.hasOwn(columns, 'comment')) columns.comment ??= ''
    const change = { ...(columns as UserChange['columns']), ...names }
    const isFilledAfter = (field: Definition) => {
      const changed: Record<string, unknown> = isBase(field) ? change : dynamic
      if (Object.hasOwn(changed, field.code)) return isFilled(changed[field.code])
      // without a login the e-mail serves as login
      return isFilled(storedOf(field)) || (!account && isBase(field) && field.code === 'login' && Boolean(change.email))
    }
    const lacking = requiredNow.filter((field) => !isFilledAfter(field))
    for (const { code } of lacking)
      if (!notes.some(({ field }) => field === code)) notes.push(noteOf(code, 'syncRequired'))
    if (!account && !change.login && !change.email && !lacking.some(({ code }) => code === 'login')) {
      if (!notes.some(({ field }) => field === 'login')) notes.push(noteOf('login', 'syncRequired'))
      lacking.push(...definitions.filter((field) => isBase(field) && field.code === 'login'))
    }
    if (!account && lacking.length > 0)
      throw new AppError(400, undefined, {
        errorList: notes.filter(({ field }) => lacking.some(({ code }) => code === field)),
      })
    const fields = definitions.filter((field) => !isBase(field) && Object.hasOwn(dynamic, field.code))
    return { change: { columns: change, dynamic, fields }, notes }
  }
}

/** Returns the whole name and its parts, from the form that the mappers fill; the parts win over the whole name. */
function namesOf(ctx: Ctx, columns: Record<string, unknown>, account: Account | null): UserChange['columns'] {
  const text = (code: string) => (typeof columns[code] === 'string' ? (columns[code] as string) : '')
  const partCodes = nameCodes.filter((code) => Object.hasOwn(columns, code))
  const hasWhole = Object.hasOwn(columns, 'fio')
  if (partCodes.length === 0 && !hasWhole) return {}
  if (hasWhole && partCodes.every((code) => text(code) === ''))
    return namesAfter({ fio: text('fio') }, account, ctx.locale)
  const part = (code: (typeof nameCodes)[number]) =>
    Object.hasOwn(columns, code) ? text(code) : (account?.[code] ?? '')
  return namesAfter(
    { lastName: part('lastName'), firstName: part('firstName'), middleName: part('middleName') },
    account,
    ctx.locale,
  )
}
