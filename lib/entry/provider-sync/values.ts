import type { Ctx } from '@/lib/kernel/ctx'
import { AppError, type FieldError } from '@/lib/kernel/errors'
import { type Definition, type FieldView, isBase, isFilled, storedUnder, viewOf } from '@/lib/people/fields/definition'
import { checkValue } from '@/lib/people/fields/schema'
import { peopleFields } from '@/lib/people/fields/service'
import type { Changes, Values } from '@/lib/people/fields/values'
import { accessSource } from '@/lib/people/provider-mappers/contract'
import type { DirectoryPerson } from '@/lib/people/providers/directory'
import type { UserChange } from '@/lib/people/user-administration/fields'
import { namesFrom } from '@/lib/people/users/names'

/** A mapper as a run uses it. */
export type UsedMapper = {
  type: 'users-base' | 'users-access'
  name: string
  before: string
  after: string
  customAttributes: boolean
  attributes: readonly { attribute: string; value: string }[]
}

const isOn = (text: string) => ['true', '1', 'yes', 'on', 'да'].includes(text.toLowerCase())

/** Returns a value in the form of its field; checks come later. */
function inForm(
  { fieldType, multiple }: Pick<Definition, 'fieldType' | 'multiple'>,
  texts: readonly string[],
): unknown {
  if (multiple) return texts
  const [text] = texts
  if (text === undefined) return null
  if (fieldType === 'toggle') return isOn(text)
  // a moment is a day here
  if (fieldType === 'date') return text.slice(0, 10)
  return text
}

const textsFrom = (person: DirectoryPerson, { before, customAttributes }: UsedMapper): string[] => {
  if (customAttributes) return Object.hasOwn(person.attributes, before) ? (person.attributes[before] ?? []) : []
  const text = Object.hasOwn(person.fields, before) ? person.fields[before] : undefined
  return text === undefined ? [] : [text]
}

/** Returns the roles that a mapper of access gives: by value, or by key if it names no attribute. */
function rolesFrom(person: DirectoryPerson, { before, customAttributes, attributes }: UsedMapper): string[] {
  const has = (attribute: string) => {
    if (!customAttributes && before === accessSource) return person.roles.includes(attribute)
    if (before !== '') return textsFrom(person, { before, customAttributes: true } as UsedMapper).includes(attribute)
    const values = Object.hasOwn(person.attributes, attribute) ? (person.attributes[attribute] ?? []) : []
    return values.some((value) => value !== '' && value.toLowerCase() !== 'false')
  }
  return attributes.flatMap(({ attribute, value }) => (has(attribute) ? [value] : []))
}

/** Returns what mappers make of a person: values by the codes of fields, and roles (docs/rules/providers.md#mappers). */
export function mapped(person: DirectoryPerson, mappers: readonly UsedMapper[], fields: readonly Definition[]) {
  const values: Record<string, unknown> = {}
  for (const mapper of mappers) {
    const field = mapper.type === 'users-base' ? fields.find(({ code }) => code === mapper.after) : undefined
    if (!field) continue
    const pairs = new Map(mapper.attributes.map(({ attribute, value }) => [attribute, value]))
    const texts = textsFrom(person, mapper).map((text) => pairs.get(text) ?? text)
    values[mapper.after] = inForm(field, texts.filter(isFilled))
  }
  const roles = mappers.flatMap((mapper) => (mapper.type === 'users-access' ? rolesFrom(person, mapper) : []))
  return { values, roles: [...new Set(roles)].sort() }
}

/** How people recognize somebody of a directory. */
export function titleOf({ fields, externalId }: DirectoryPerson): string {
  const name = [fields.lastName, fields.firstName, fields.middleName].filter(Boolean).join(' ')
  return (name || fields.username || fields.login || fields.email || externalId).slice(0, 255)
}

const nameCodes = ['lastName', 'firstName', 'middleName'] as const

type Account = Record<(typeof nameCodes)[number] | 'login', string> &
  Record<'email', string | null> & { values: Values }

/**
 * Returns a check of what mappers made of a person, by the definitions of the fields. It throws 400 by field: a value that
 * its field refuses, and an empty one that synchronization requires. `fieldCode` names the field: readers see its title in their language.
 */
export async function syncChecker(ctx: Ctx): Promise<(input: Values, account: Account | null) => UserChange> {
  const all = await peopleFields()
  const views = new Map<string, { field: Definition; view: FieldView }>(
    all.map((field) => {
      const reader = { locale: ctx.locale, locales: ctx.domain.locales, required: field.integration }
      return [field.code, { field, view: viewOf(field, reader) }]
    }),
  )
  const required = all.filter(({ integration, fieldType }) => integration && fieldType !== 'picture')

  return (input, account) => {
    const faults: FieldError[] = []
    const columns: Record<string, unknown> = {}
    const dynamic: Changes = {}
    const storedOf = (field: Definition) =>
      account &&
      (isBase(field) ? (account as Record<string, unknown>)[field.code] : storedUnder(account.values, field.code))
    for (const field of required)
      if (!Object.hasOwn(input, field.code) && !isFilled(storedOf(field)))
        faults.push({ field: field.code, code: 'syncRequired', params: { fieldCode: field.code } })
    const email = typeof input.email === 'string' ? input.email.trim().toLowerCase() : (account?.email ?? undefined)
    for (const [code, value] of Object.entries(input)) {
      const { field, view } = views.get(code) ?? {}
      // a field that was deleted since the run began
      if (!field || !view) continue
      const about = { now: ctx.now(), stored: storedOf(field), ...(email ? { email } : {}), field: code }
      const checked = checkValue(view, value, about)
      if ('fault' in checked) {
        const fault = checked.fault.code === 'errorEmpty' ? 'syncRequired' : checked.fault.code
        faults.push({ ...checked.fault, code: fault, params: { ...checked.fault.params, fieldCode: code } })
      } else if (isBase(field)) columns[code] = checked.value
      else dynamic[code] = checked.value
    }
    const [first] = faults
    if (first) throw new AppError(400, undefined, { errorList: faults })
    if (typeof columns.email === 'string') columns.email = columns.email.toLowerCase()
    const names = namesOf(ctx, columns, account)
    for (const code of ['fio', ...nameCodes]) delete columns[code]
    // nobody loses what they sign in with because a directory left it out
    if (columns.login === null) delete columns.login
    if (Object.hasOwn(columns, 'comment')) columns.comment ??= ''
    const written = all.filter((field) => !isBase(field) && Object.hasOwn(dynamic, field.code))
    return { columns: { ...(columns as UserChange['columns']), ...names }, dynamic, fields: written }
  }
}

/** Both forms of the name, from whichever the mappers fill. */
function namesOf(ctx: Ctx, columns: Record<string, unknown>, account: Account | null): UserChange['columns'] {
  const text = (code: string) => (typeof columns[code] === 'string' ? (columns[code] as string) : '')
  const parts = nameCodes.some((code) => Object.hasOwn(columns, code))
  if (!parts) return Object.hasOwn(columns, 'fio') ? namesFrom({ fio: text('fio') }, ctx.locale) : {}
  const part = (code: (typeof nameCodes)[number]) =>
    Object.hasOwn(columns, code) ? text(code) : (account?.[code] ?? '')
  return namesFrom(
    { lastName: part('lastName'), firstName: part('firstName'), middleName: part('middleName') },
    ctx.locale,
  )
}
