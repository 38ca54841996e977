import type { FieldError } from '@/lib/base/runtime/errors'
import { type Definition, type FieldRules, type FieldValue, historyName, isFilled, storedUnder } from './definition'
import { checkValue } from './schema'

export type Values = Readonly<Record<string, unknown>>
export type Changes = Record<string, FieldValue>

/** Where a field may be written: its rules, or why not. */
export type Writable = { rules: FieldRules; code: string; refused?: 'errorReadOnly' }

type About = {
  now: Date
  stored: Values
  /** What stands before the code in the name of a faulty field. */
  prefix: string
}

/**
 * Checks values by the definitions of their fields. Returns what is stored, by code, and the faults: a field that is
 * unknown, not shown or read-only, and a value that its definition refuses.
 */
export function checkValues(
  fields: readonly Writable[],
  input: Values,
  { now, stored, prefix }: About,
): { changes: Changes; faults: FieldError[] } {
  const changes: Changes = {}
  const faults: FieldError[] = []
  for (const [code, value] of Object.entries(input)) {
    const field = `${prefix}${code}`
    const known = fields.find((one) => one.code === code)
    if (!known || known.refused) {
      faults.push({ field, code: known?.refused ?? 'errorUnknownField' })
      continue
    }
    const checked = checkValue(known.rules, value, { now, stored: storedUnder(stored, code), field })
    if ('fault' in checked) faults.push(checked.fault)
    else changes[code] = checked.value
  }
  return { changes, faults }
}

/** Returns the stored values with these changes; an emptied one is left out. */
export function withChanges(stored: Values, changes: Changes): Record<string, unknown> {
  const filled = Object.entries({ ...stored, ...changes }).filter(
    ([code, value]) => !Object.hasOwn(changes, code) || isFilled(value),
  )
  return Object.fromEntries(filled)
}

type RecordedValues = Record<`field:${string}`, unknown>

/** Returns values under the names by which changes of them are recorded, for these codes. */
export const recordedValues = (values: Values, codes: readonly string[]): RecordedValues =>
  Object.fromEntries(codes.map((code) => [historyName(code), storedUnder(values, code) ?? null]))

/** The blocks of these fields, which the history keeps beside their changes. */
export const blocksOf = (fields: readonly Pick<Definition, 'code' | 'subtype'>[]): Record<`field:${string}`, string> =>
  Object.fromEntries(fields.map(({ code, subtype }) => [historyName(code), subtype.code]))
