import type { FieldError } from '@/lib/base/runtime/errors'
import type { FieldRules, FieldView } from '../values/definition'
import { checkValue } from '../values/schema'
import { type Changes, checkValues, type Values } from '../values/values'

/** The profile's own fields, apart from names, e-mail and mobile, that a public form may have to ask for. */
const furtherCodes = ['login', 'birthDate', 'gender', 'locale', 'comment'] as const
export type FurtherCode = (typeof furtherCodes)[number]
export const isFurther = (code: string): code is FurtherCode => (furtherCodes as readonly string[]).includes(code)

/** What a public form sends of its further fields: the profile's own by name, the others below `additionalInfo`. */
export type FurtherInput = { [K in FurtherCode]?: string | undefined } & { additionalInfo?: Values | undefined }
/** The values that are stored unchanged; login and language have other rules. */
export type Further = {
  birthDate: string | null
  gender: 'man' | 'woman' | null
  comment: string
  /** The values of dynamic fields, by code. */
  values: Changes
}

type CheckContext = { email: string; now: Date }

/**
 * Returns the fault of one of the profile's own fields, whose value the call has checked as one line; undefined for a
 * valid value.
 */
function baseFault(code: FurtherCode, field: FieldRules | undefined, typed: string, context: CheckContext) {
  if (!field) return typed ? { field: code, code: 'errorUnknownField' } : undefined
  const result = checkValue(field, typed, context)
  return 'fault' in result ? result.fault : undefined
}

/**
 * Checks a form's further fields: those in `formFields` by their definitions; any other field must be empty, except for
 * those in `known`, which the call always takes and checks itself. Returns the faults and what an account stores if
 * there are none.
 */
export function checkFurther(
  formFields: readonly FieldView[],
  input: FurtherInput,
  { known: alwaysTaken = [], ...context }: CheckContext & { known?: readonly FurtherCode[] },
): { faults: FieldError[]; further: Further } {
  const baseFaults = furtherCodes.flatMap((code): FieldError[] => {
    const field = formFields.find((view) => view.base && view.code === code)
    const fault =
      !field && alwaysTaken.includes(code) ? undefined : baseFault(code, field, (input[code] ?? '').trim(), context)
    return fault ? [fault] : []
  })
  const dynamicFields = formFields.filter(({ base }) => !base)
  const completeInput: Values = {
    ...Object.fromEntries(dynamicFields.map(({ code }) => [code, null])),
    ...input.additionalInfo,
  }
  const { changes, faults } = checkValues(
    dynamicFields.map((rules) => ({ code: rules.code, rules })),
    completeInput,
    { now: context.now, stored: {}, prefix: 'additionalInfo.' },
  )
  const { birthDate, gender, comment } = input
  const further: Further = {
    birthDate: birthDate || null,
    gender: gender === 'man' || gender === 'woman' ? gender : null,
    comment: comment ?? '',
    values: changes,
  }
  return { faults: [...baseFaults, ...faults], further }
}
