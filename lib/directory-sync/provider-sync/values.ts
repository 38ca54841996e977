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
import type { DirectoryPerson, Told } from '@/lib/identity-providers/connections/directory'
import { accessSource } from '@/lib/identity-providers/connections/kinds'

/** A mapper as a run uses it. */
export type UsedMapper = {
  type: 'users-base' | 'users-access'
  name: string
  before: string
  after: string
  customAttributes: boolean
  /** What becomes of the field if the provider doesn't send it. */
  absent: 'keep' | 'clear'
  attributes: readonly { attribute: string; value: string }[]
}

/** What mappers make of a person. */
export type Mapped = {
  /** Values by the codes of fields, null for an empty one; a field that isn't there stays as it is. */
  values: Record<string, unknown>
  /** Fields whose value can't be read. */
  broken: string[]
  /** Ids of the roles that the person has by mappers, and of those of which nothing can be read. */
  roles: string[]
  rolesUnread: string[]
  /** The contacts that the provider has proven. */
  proven: ContactKind[]
}

const [on, off] = [
  ['true', '1', 'yes', 'on', 'да'],
  ['false', '0', 'no', 'off', 'нет'],
]

/** Returns a value in the form of its field; checks come later. */
function inForm(
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
  // a moment is a day here
  if (fieldType === 'date') return text.replace(/^(\d{4}-\d{2}-\d{2})[T ]\d{2}:\d{2}.*$/s, '$1')
  return text
}

const under = (told: Readonly<Record<string, Told>>, name: string): Told | undefined =>
  Object.hasOwn(told, name) ? told[name] : undefined

/** What a source says for a mapper; undefined for what isn't sent. */
function toldTo(
  { before, customAttributes }: Pick<UsedMapper, 'before' | 'customAttributes'>,
  { fields, attributes }: DirectoryPerson,
): Told | undefined {
  if (customAttributes) return attributes === null ? null : under(attributes, before)
  return under(fields, before)
}

/** Returns the roles that a mapper of access gives: by value, or by key if it names no attribute; and those unread. */
function rolesFrom(person: DirectoryPerson, { before, customAttributes, attributes }: UsedMapper) {
  const given: string[] = []
  const unread: string[] = []
  for (const { attribute, value } of attributes) {
    const byKey = before === ''
    const told =
      !customAttributes && before === accessSource
        ? person.roles
        : toldTo({ before: byKey ? attribute : before, customAttributes: true }, person)
    const has = byKey ? told?.some((text) => text.toLowerCase() !== 'false') : told?.includes(attribute)
    if (has) given.push(value)
    if (told === null) unread.push(value)
  }
  return { given, unread }
}

/** The mappers of a provider, and whether an administrator vouches for it: else it proves no contacts. */
export type Source = { mappers: readonly UsedMapper[]; vouched: boolean }

/** Returns what mappers make of a person (docs/rules/providers.md#absent-empty-and-broken). */
export function mapped(person: DirectoryPerson, { mappers, vouched }: Source, fields: readonly Definition[]): Mapped {
  const made: Mapped = { values: {}, broken: [], roles: [], rolesUnread: [], proven: [] }
  const { values, broken, proven } = made
  const given = new Set<string>()
  const unread = new Set<string>()
  for (const mapper of mappers) {
    if (mapper.type === 'users-access') {
      const found = rolesFrom(person, mapper)
      for (const id of found.given) given.add(id)
      for (const id of found.unread) unread.add(id)
      continue
    }
    const field = fields.find(({ code }) => code === mapper.after)
    if (!field) continue
    const told = toldTo(mapper, person)
    if (told === undefined) {
      if (mapper.absent === 'clear') values[mapper.after] = null
      continue
    }
    if (told === null) {
      broken.push(mapper.after)
      continue
    }
    const pairs = new Map(mapper.attributes.map(({ attribute, value }) => [attribute, value]))
    const texts = told.map((text) => pairs.get(text) ?? text).filter(isFilled)
    values[mapper.after] = inForm(field, texts)
    const own = vouched && !mapper.customAttributes && isBase(field) && texts[0] === told[0]
    if (own && (mapper.after === 'email' || mapper.after === 'mobile') && person.proven.includes(mapper.before))
      proven.push(mapper.after)
  }
  return { ...made, roles: [...given].sort(), rolesUnread: [...unread].filter((id) => !given.has(id)).sort() }
}

/** How people recognize somebody of a directory. */
export function titleOf({ fields, externalId }: DirectoryPerson): string {
  const text = (name: string) => under(fields, name)?.[0]
  const name = [text('lastName'), text('firstName'), text('middleName')].filter(Boolean).join(' ')
  return (name || text('username') || text('login') || text('email') || externalId).slice(0, 255)
}

const nameCodes = ['lastName', 'firstName', 'middleName'] as const

type Account = Record<(typeof nameCodes)[number] | 'fio' | 'login', string> &
  Record<'email', string | null> & { values: Values }

/** What of a person can be written, and what can't, with the reason. */
export type SyncChecked = { change: UserChange; notes: FieldError[] }
export type SyncCheck = (given: Pick<Mapped, 'values' | 'broken'>, account: Account | null) => SyncChecked

/** Names the field of a fault: readers see its title in their language. */
const noteOf = (code: string, fault: string, params: FieldError['params'] = {}): FieldError => ({
  field: code,
  code: fault === 'errorEmpty' ? 'syncRequired' : fault,
  params: { ...params, fieldCode: code },
})

/**
 * Returns a check of what mappers made of a person, by the definitions of the fields. A value that its field refuses, and
 * one that is empty although synchronization requires it, are left out and noted; the rest is written. Of a new account
 * (null) it throws 400 by field if it lacks a field that synchronization requires; a login that doesn't fit is made from
 * the e-mail (docs/rules/providers.md#absent-empty-and-broken).
 */
export async function syncChecker(ctx: Ctx): Promise<SyncCheck> {
  const all = await peopleFields()
  const views = new Map<string, { field: Definition; view: FieldView }>(
    all.map((field) => {
      const reader = { locale: ctx.locale, locales: ctx.domain.locales, required: field.integration }
      return [field.code, { field, view: viewOf(field, reader) }]
    }),
  )
  const required = all.filter(({ integration, fieldType }) => integration && fieldType !== 'picture')

  return ({ values: input, broken }, account) => {
    const notes = broken.filter((code) => views.has(code)).map((code) => noteOf(code, 'errorFormat'))
    const columns: Record<string, unknown> = {}
    const dynamic: Changes = {}
    const storedOf = (field: Definition) =>
      account &&
      (isBase(field) ? (account as Record<string, unknown>)[field.code] : storedUnder(account.values, field.code))
    const after = { ...account?.values, ...input }
    const due = required.filter((field) => concerns(all, field, after))
    const email = typeof input.email === 'string' ? emailOf(input.email) : (account?.email ?? undefined)
    for (const [code, value] of Object.entries(input)) {
      const { field, view } = views.get(code) ?? {}
      // a field that was deleted since the run began
      if (!field || !view) continue
      const about = { now: ctx.now(), stored: storedOf(field), ...(email ? { email } : {}), field: code }
      const checked = checkValue({ ...view, required: view.required && concerns(all, field, after) }, value, about)
      if ('fault' in checked) notes.push(noteOf(code, checked.fault.code, checked.fault.params))
      else if (isBase(field)) columns[code] = checked.value
      else dynamic[code] = checked.value
    }
    if (typeof columns.email === 'string') columns.email = columns.email.toLowerCase()
    const names = namesOf(ctx, columns, account)
    for (const code of ['fio', ...nameCodes]) delete columns[code]
    // nobody loses what they sign in with because a directory left it out
    if (columns.login === null) delete columns.login
    if (Object.hasOwn(columns, 'comment')) columns.comment ??= ''
    const change = { ...(columns as UserChange['columns']), ...names }
    const has = (field: Definition) => {
      const given: Record<string, unknown> = isBase(field) ? change : dynamic
      if (Object.hasOwn(given, field.code)) return isFilled(given[field.code])
      // without a login the e-mail is one
      return isFilled(storedOf(field)) || (!account && isBase(field) && field.code === 'login' && Boolean(change.email))
    }
    const lacking = due.filter((field) => !has(field))
    for (const { code } of lacking)
      if (!notes.some(({ field }) => field === code)) notes.push(noteOf(code, 'syncRequired'))
    if (!account && !change.login && !change.email && !lacking.some(({ code }) => code === 'login')) {
      if (!notes.some(({ field }) => field === 'login')) notes.push(noteOf('login', 'syncRequired'))
      lacking.push(...all.filter((field) => isBase(field) && field.code === 'login'))
    }
    if (!account && lacking.length > 0)
      throw new AppError(400, undefined, {
        errorList: notes.filter(({ field }) => lacking.some(({ code }) => code === field)),
      })
    const fields = all.filter((field) => !isBase(field) && Object.hasOwn(dynamic, field.code))
    return { change: { columns: change, dynamic, fields }, notes }
  }
}

/** Both forms of the name, from whichever the mappers fill; the parts go before the whole. */
function namesOf(ctx: Ctx, columns: Record<string, unknown>, account: Account | null): UserChange['columns'] {
  const text = (code: string) => (typeof columns[code] === 'string' ? (columns[code] as string) : '')
  const own = nameCodes.filter((code) => Object.hasOwn(columns, code))
  const whole = Object.hasOwn(columns, 'fio')
  if (own.length === 0 && !whole) return {}
  if (whole && own.every((code) => text(code) === '')) return namesAfter({ fio: text('fio') }, account, ctx.locale)
  const part = (code: (typeof nameCodes)[number]) =>
    Object.hasOwn(columns, code) ? text(code) : (account?.[code] ?? '')
  return namesAfter(
    { lastName: part('lastName'), firstName: part('firstName'), middleName: part('middleName') },
    account,
    ctx.locale,
  )
}
