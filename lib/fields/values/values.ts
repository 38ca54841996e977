import type { FieldError } from '@/lib/base/runtime/errors'
import { type Definition, type FieldRules, type FieldValue, historyName, isFilled, storedUnder } from './definition'
import { checkValue } from './schema'

export type Values = Readonly<Record<string, unknown>>
export type Changes = Record<string, FieldValue>

/** A field of a form: its rules, and, if it may not be written, why. */
export type Writable = { rules: FieldRules; code: string; refused?: 'errorReadOnly' }

type CheckContext = {
  now: Date
  stored: Values
  /** The beginning of the name of a faulty field, before its code. */
  prefix: string
}

/**
 * Checks values by the definitions of their fields. Returns the values to store, by code, and the faults: of a field
 * that is unknown, not shown or read-only, and of a value that its definition refuses.
 */
export function checkValues(
  fields: readonly Writable[],
  input: Values,
  { now, stored, prefix }: CheckContext,
): { changes: Changes; faults: FieldError[] } {
  const changes: Changes = {}
  const faults: FieldError[] = []
  for (const [code, value] of Object.entries(input)) {
    const field = `${prefix}${code}`
    const writable = fields.find((candidate) => candidate.code === code)
    if (!writable || writable.refused) {
      faults.push({ field, code: writable?.refused ?? 'errorUnknownField' })
      continue
    }
    const result = checkValue(writable.rules, value, { now, stored: storedUnder(stored, code), field })
    if ('fault' in result) faults.push(result.fault)
    else changes[code] = result.value
  }
  return { changes, faults }
}

/** Returns the stored values with these changes, without emptied ones. */
export function withChanges(stored: Values, changes: Changes): Record<string, unknown> {
  const filled = Object.entries({ ...stored, ...changes }).filter(
    ([code, value]) => !Object.hasOwn(changes, code) || isFilled(value),
  )
  return Object.fromEntries(filled)
}

type RecordedValues = Record<`field:${string}`, unknown>

/** Returns the values of these codes under the names by which audit events record them. */
export const recordedValues = (values: Values, codes: readonly string[]): RecordedValues =>
  Object.fromEntries(codes.map((code) => [historyName(code), storedUnder(values, code) ?? null]))

/** Returns the blocks of these fields, which the history stores beside their changes. */
export const blocksOf = (fields: readonly Pick<Definition, 'code' | 'subtype'>[]): Record<`field:${string}`, string> =>
  Object.fromEntries(fields.map(({ code, subtype }) => [historyName(code), subtype.code]))
