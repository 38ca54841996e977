import { localName } from '@/lib/base/i18n/local-name'

export const fieldTypes = [
  'input',
  'dropbox',
  'combobox',
  'toggle',
  'date',
  'textarea',
  'picture',
  'phone',
  'email',
] as const
export type FieldType = (typeof fieldTypes)[number]

/**
 * The fields of users_main that are columns of an account. The values of all other fields are stored as JSON under
 * their codes.
 */
const baseCodes = [
  'fio',
  'lastName',
  'firstName',
  'middleName',
  'birthDate',
  'gender',
  'email',
  'mobile',
  'login',
  'locale',
  'comment',
] as const
type BaseCode = (typeof baseCodes)[number]
const isBaseCode = (code: string): code is BaseCode => (baseCodes as readonly string[]).includes(code)

/** What is stored of a field; null for nothing. A list only of a field that is `multiple`. */
export type FieldValue = string | boolean | string[] | null

/** Whether a form shows a field, lets it be changed and needs it filled in. */
type FieldFlags = { visible: boolean; edit: boolean; required: boolean }

/** A field as administrators define it (docs/rules/people.md#fields). */
export type Definition = {
  id: string
  type: 'users' | 'contractors' | 'personnel-actions'
  code: string
  title: string
  titleEn: string | null
  comment: string
  fieldType: FieldType
  multiple: boolean
  unique: boolean
  pattern: string | null
  minLength: number | null
  maxLength: number | null
  latin: boolean
  items: readonly { code: string; value: string; valueEn?: string; order: number }[]
  systemic: boolean
  /** The flags in the administration and in the profile, and whether other systems receive the field. */
  admin: FieldFlags
  profile: FieldFlags
  integration: boolean
  tab: { id: string; title: string; titleEn: string | null; viewType: string }
  subtype: { code: string; title: string; titleEn: string | null }
}

type FieldOption = { code: string; title: string }

/** The rules that values of a field must follow. */
export type FieldRules = Pick<
  Definition,
  'code' | 'fieldType' | 'multiple' | 'pattern' | 'minLength' | 'maxLength' | 'latin'
> & {
  /** Whether it is a column of an account, with the rules of that column. */
  base: boolean
  required: boolean
  options: FieldOption[]
}

/** A field as a form or a card needs it, in the reader's language. */
export type FieldView = FieldRules & { title: string; hint?: string }

export const isBase = ({ type, systemic, code }: Pick<Definition, 'type' | 'systemic' | 'code'>) =>
  type === 'users' && systemic && isBaseCode(code)

type Reader = {
  locale: string
  /** The languages of the domain, which are the options of the field `locale`. */
  locales: readonly string[]
}

function optionsOf({ items, ...definition }: Definition, { locale, locales }: Reader): FieldOption[] {
  if (isBase(definition) && definition.code === 'locale')
    return locales.map((code) => ({
      code,
      // each language has its name in that language
      title: new Intl.DisplayNames(code, { type: 'language' }).of(code) ?? code,
    }))
  return items
    .toSorted((a, b) => a.order - b.order)
    .map(({ code, value, valueEn }) => ({
      code,
      title: localName({ title: value, titleEn: valueEn ?? null, code }, locale),
    }))
}

/** Returns a field as a reader's form or card needs it. `hint` is the administrators' comment, which only they see. */
export function viewOf(
  definition: Definition,
  reader: Reader & { required: boolean; withComment?: boolean },
): FieldView {
  const { code, fieldType, multiple, pattern, minLength, maxLength, latin, comment } = definition
  return {
    code,
    base: isBase(definition),
    title: localName(definition, reader.locale),
    ...(reader.withComment && comment ? { hint: comment } : {}),
    fieldType,
    multiple,
    required: reader.required,
    pattern,
    minLength,
    maxLength,
    latin,
    options: optionsOf(definition, reader),
  }
}

export const isChosen = ({ fieldType }: Pick<Definition, 'fieldType'>) =>
  fieldType === 'dropbox' || fieldType === 'combobox'

/**
 * Returns what is stored under a code. A code may be the name of a property that every object has, such as
 * `constructor`.
 */
export const storedUnder = (values: Readonly<Record<string, unknown>>, code: string): unknown =>
  Object.hasOwn(values, code) ? values[code] : undefined

/** Returns whether a stored value counts as filled in. A toggle that is off does. */
export const isFilled = (value: unknown): boolean =>
  value !== undefined &&
  value !== null &&
  !(typeof value === 'string' && value.trim() === '') &&
  !(Array.isArray(value) && value.length === 0)

/** One part of a value as it is shown: a text, or a value that is formatted in the reader's language. */
export type ShownPart = { as: 'text' | 'date' | 'phone' | 'email'; text: string } | { as: 'yesNo'; on: boolean }

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 4_000)

/**
 * Returns the parts of a stored value as people read them; none for an empty value. It takes any JSON: a value that was
 * stored under an earlier definition is shown as it is.
 */
export function shownParts(
  { fieldType, options }: Pick<FieldView, 'fieldType' | 'options'>,
  value: unknown,
): ShownPart[] {
  // a picture has no text: its stored value is an id
  if (!isFilled(value) || fieldType === 'picture') return []
  if (typeof value === 'boolean') return [{ as: 'yesNo', on: value }]
  return [value]
    .flat()
    .filter(isFilled)
    .map((part): ShownPart => {
      const text = textOf(part)
      if (isChosen({ fieldType })) return { as: 'text', text: options.find(({ code }) => code === text)?.title ?? text }
      if (fieldType === 'date' && /^\d{4}-\d{2}-\d{2}$/.test(text)) return { as: 'date', text }
      if (fieldType === 'phone' || fieldType === 'email') return { as: fieldType, text }
      return { as: 'text', text }
    })
}

/** Returns a stored value in the shape that the field's control edits; empty if its shape is another one. */
export function editedValue({ fieldType, multiple }: FieldRules, value: unknown): string | boolean | string[] {
  if (fieldType === 'toggle') return value === true
  const texts = [value].flat().filter((text) => typeof text === 'string')
  return isChosen({ fieldType }) && multiple ? texts : (texts[0] ?? '')
}

/** Returns what applications get of a stored value; undefined for nothing and for pictures. */
export const claimOf = ({ fieldType }: Pick<Definition, 'fieldType'>, value: unknown): unknown =>
  fieldType === 'picture' || !isFilled(value) ? undefined : value

/** Returns the name under which audit events record a dynamic field; columns have names of their own. */
export const historyName = (code: string) => `field:${code}` as const

/** Returns a text in the form for caseless comparison (Unicode, caseless match), without invisible characters. */
const folded = (text: string) =>
  text
    .normalize('NFKC')
    .replace(/\p{DI}|\p{Cf}/gu, '')
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .normalize('NFKC')

/**
 * Returns the text by which values of a unique field are compared; null for an empty value, which any number of owners
 * may have.
 */
export const uniqueText = (value: unknown): string | null => {
  const text = isFilled(value) ? folded(textOf(value)).replace(/\s+/g, ' ').trim() : ''
  return text === '' ? null : text
}
