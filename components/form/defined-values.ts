import type { FieldValues } from 'react-hook-form'
import type { FieldError } from '@/lib/base/runtime/errors'
import { editedValue, type FieldRules, historyName, isFilled } from '@/lib/fields/values/definition'
import { isSameValue } from './conflict'
import type { FieldName } from './field-name'

/** The name of a defined field in a form. The history uses the same name, so that conflicts find the field. */
export const definedName = ({ code, base }: Pick<FieldRules, 'code' | 'base'>) =>
  (base ? code : historyName(code)) as string as FieldName<never>

/** The default values of a form with these fields. `stored` has the stored values by code. */
export const definedDefaults = (fields: readonly FieldRules[], stored: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(fields.map((field) => [definedName(field), editedValue(field, stored[field.code])]))

/**
 * Returns the values to send, by code: changed fields, and required fields that are empty, so that the answer names
 * them. Unchanged values are not sent, because the definition of the field may have changed since they were stored.
 */
export function changedValues(fields: readonly FieldRules[], values: FieldValues, base: Readonly<FieldValues>) {
  const sent = fields.filter((field) => {
    const name = definedName(field)
    return !isSameValue(values[name], base[name]) || (field.required && !isFilled(values[name]))
  })
  return Object.fromEntries(sent.map((field) => [field.code, values[definedName(field)] ?? null]))
}

/**
 * Returns a function that converts the name of a faulty field of the body, below one of these members, to the form's
 * name.
 */
export const definedFault =
  (members: { base?: string; dynamic: string }) =>
  (field: FieldError['field']): string => {
    const { base, dynamic } = members
    if (field.startsWith(`${dynamic}.`)) return historyName(field.slice(dynamic.length + 1))
    return base && field.startsWith(`${base}.`) ? field.slice(base.length + 1) : field
  }
