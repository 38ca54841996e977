import type { FieldError } from '@/lib/base/runtime/errors'
import { furtherFields, nameFields } from '@/lib/fields/profile-fields/contract'
import type { FurtherCode } from '@/lib/fields/profile-fields/further-fields'
import type { NameField } from '@/lib/fields/profile-fields/person-form'
import { type FieldView, isChosen } from '@/lib/fields/values/definition'

/** The fields of the form that requests the link of a registration. The page that follows sends them again. */
export const requestFields = [...Object.keys(nameFields), 'email', 'document', 'agreed']

/** The fields that a form of a new person keeps after a failure: all but passwords and codes. */
export const personKeeps = [...Object.keys({ ...nameFields, ...furtherFields }), 'additionalInfo.', 'agreed', 'mobile']

/** Returns the name of a further field in a form. */
export const furtherName = ({ code, base }: Pick<FieldView, 'code' | 'base'>) =>
  base ? code : `additionalInfo.${code}`

const textIn = (fields: URLSearchParams, name: string) => (fields.get(name) ?? '').trim().replaceAll('\r\n', '\n')

/** Returns the names of a posted form, as calls take them. */
export const typedNames = (names: readonly NameField[], fields: URLSearchParams) =>
  Object.fromEntries(names.map(({ code }) => [code, textIn(fields, code)])) as Partial<
    Record<NameField['code'], string>
  >

const typedIn = (field: FieldView, fields: URLSearchParams): string | string[] =>
  field.multiple && isChosen(field) ? fields.getAll(furtherName(field)) : textIn(fields, furtherName(field))

const textsOf = (views: readonly FieldView[], fields: URLSearchParams) =>
  Object.fromEntries(views.map((view) => [view.code, typedIn(view, fields)]))

/** Returns the further fields of a posted form, as calls take them. */
export function typedFurther(further: readonly FieldView[], fields: URLSearchParams) {
  const dynamic = further.filter(({ base }) => !base)
  const columns = further.filter(({ base }) => base)
  return {
    ...(textsOf(columns, fields) as Partial<Record<FurtherCode, string>>),
    ...(dynamic.length > 0 ? { additionalInfo: textsOf(dynamic, fields) } : {}),
  }
}

/** Returns the required names and further fields that are still empty. */
export const emptyFields = (
  names: readonly NameField[],
  further: readonly FieldView[],
  fields: URLSearchParams,
): FieldError[] => [
  ...names
    .filter(({ code, required }) => required && textIn(fields, code) === '')
    .map(({ code }) => ({ field: code, code: 'errorEmpty' })),
  ...further
    .filter((view) => typedIn(view, fields).length === 0)
    .map((view) => ({ field: furtherName(view), code: 'errorEmpty' })),
]
