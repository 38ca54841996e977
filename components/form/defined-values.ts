import type { FieldValues } from 'react-hook-form'
import type { FieldError } from '@/lib/base/runtime/errors'
import { editedValue, type FieldRules, historyName, isFilled } from '@/lib/fields/values/definition'
import { isSameValue } from './conflict'
import type { FieldName } from './field-name'

/** The name of a defined field in a form: that under which its changes are recorded, so that conflicts find it. */
export const definedName = ({ code, base }: Pick<FieldRules, 'code' | 'base'>) =>
  (base ? code : historyName(code)) as string as FieldName<never>

/** The values with which a form of these fields begins. `stored` has them by code. */
export const definedDefaults = (fields: readonly FieldRules[], stored: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(fields.map((field) => [definedName(field), editedValue(field, stored[field.code])]))

/**
 * Returns what a form sends, by code: fields that were changed, and required ones that are empty, so that the answer
 * names them. A value that nobody touched is not sent, because its definition may have changed since it was stored.
 */
export function changedValues(fields: readonly FieldRules[], values: FieldValues, base: Readonly<FieldValues>) {
  const sent = fields.filter((field) => {
    const name = definedName(field)
    return !isSameValue(values[name], base[name]) || (field.required && !isFilled(values[name]))
  })
  return Object.fromEntries(sent.map((field) => [field.code, values[definedName(field)] ?? null]))
}

/** Returns a function that finds the form's name of a faulty field of the body, below one of these members. */
export const definedFault =
  (members: { base?: string; dynamic: string }) =>
  (field: FieldError['field']): string => {
    const { base, dynamic } = members
    if (field.startsWith(`${dynamic}.`)) return historyName(field.slice(dynamic.length + 1))
    return base && field.startsWith(`${base}.`) ? field.slice(base.length + 1) : field
  }
