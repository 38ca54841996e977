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

/** The fields of users_main that are columns of an account; all other fields are kept as JSON under their codes. */
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
  /** In the administration, in the profile, and whether other systems receive it. */
  admin: FieldFlags
  profile: FieldFlags
  integration: boolean
  tab: { id: string; title: string; titleEn: string | null; viewType: string }
  subtype: { code: string; title: string; titleEn: string | null }
}

type FieldOption = { code: string; title: string }

/** What values of a field must be like. */
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

/** Returns a field as a reader's form or card needs it. `hint` is the administrators' comment, which is for them alone. */
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

/** Returns what is stored under a code; a code may be the name of what every object has, such as `constructor`. */
export const storedUnder = (values: Readonly<Record<string, unknown>>, code: string): unknown =>
  Object.hasOwn(values, code) ? values[code] : undefined

/** Returns whether a stored value counts as filled in. A toggle that is off does. */
export const isFilled = (value: unknown): boolean =>
  value !== undefined &&
  value !== null &&
  !(typeof value === 'string' && value.trim() === '') &&
  !(Array.isArray(value) && value.length === 0)

/** One part of a value as it is shown: a text, or what is formatted by the reader's language. */
export type ShownPart = { as: 'text' | 'date' | 'phone' | 'email'; text: string } | { as: 'yesNo'; on: boolean }

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 4_000)

/**
 * Returns how a stored value reads, part by part; nothing for an empty one. It takes any JSON: a value that was stored
 * under an earlier definition is shown as it is.
 */
export function shownParts(
  { fieldType, options }: Pick<FieldView, 'fieldType' | 'options'>,
  value: unknown,
): ShownPart[] {
  // a picture has no text: what is stored of it is an id
  if (!isFilled(value) || fieldType === 'picture') return []
  if (typeof value === 'boolean') return [{ as: 'yesNo', on: value }]
  return [value]
    .flat()
    .filter(isFilled)
    .map((one): ShownPart => {
      const text = textOf(one)
      if (isChosen({ fieldType })) return { as: 'text', text: options.find(({ code }) => code === text)?.title ?? text }
      if (fieldType === 'date' && /^\d{4}-\d{2}-\d{2}$/.test(text)) return { as: 'date', text }
      if (fieldType === 'phone' || fieldType === 'email') return { as: fieldType, text }
      return { as: 'text', text }
    })
}

/** Returns a stored value in the shape that the field's control edits; empty if its shape is another one. */
export function editedValue({ fieldType, multiple }: FieldRules, value: unknown): string | boolean | string[] {
  if (fieldType === 'toggle') return value === true
  const texts = [value].flat().filter((one) => typeof one === 'string')
  return isChosen({ fieldType }) && multiple ? texts : (texts[0] ?? '')
}

/** Returns what applications get of a stored value; undefined for nothing and for pictures. */
export const claimOf = ({ fieldType }: Pick<Definition, 'fieldType'>, value: unknown): unknown =>
  fieldType === 'picture' || !isFilled(value) ? undefined : value

/** The name under which a change of a field is recorded; columns have their own. */
export const historyName = (code: string) => `field:${code}` as const

/** A text in which letter case, spelling of one letter, and what nobody sees make no difference (Unicode, caseless match). */
const folded = (text: string) =>
  text
    .normalize('NFKC')
    .replace(/\p{DI}|\p{Cf}/gu, '')
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .normalize('NFKC')

/** The text by which values of a unique field are compared; null for one that may stand anywhere. */
export const uniqueText = (value: unknown): string | null => {
  const text = isFilled(value) ? folded(textOf(value)).replace(/\s+/g, ' ').trim() : ''
  return text === '' ? null : text
}
