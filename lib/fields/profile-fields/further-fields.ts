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
  /** Of dynamic fields, by code. */
  values: Changes
}

type About = { email: string; now: Date }

/** The fault of a field of the profile's own, whose value the call has checked as one line. */
function ownFault(code: FurtherCode, field: FieldRules | undefined, typed: string, about: About) {
  if (!field) return typed ? { field: code, code: 'errorUnknownField' } : undefined
  const checked = checkValue(field, typed, about)
  return 'fault' in checked ? checked.fault : undefined
}

/**
 * Checks a form's further fields: those that it asks for by their definitions, and that those that it doesn't ask for are
 * empty. The call itself checks the fields in `known`, which it always takes. Returns the faults and, if there are none,
 * what an account stores.
 */
export function checkFurther(
  asked: readonly FieldView[],
  input: FurtherInput,
  { known = [], ...about }: About & { known?: readonly FurtherCode[] },
): { faults: FieldError[]; further: Further } {
  const own = furtherCodes.flatMap((code): FieldError[] => {
    const field = asked.find((one) => one.base && one.code === code)
    const fault = !field && known.includes(code) ? undefined : ownFault(code, field, (input[code] ?? '').trim(), about)
    return fault ? [fault] : []
  })
  const dynamic = asked.filter(({ base }) => !base)
  const given: Values = { ...Object.fromEntries(dynamic.map(({ code }) => [code, null])), ...input.additionalInfo }
  const { changes, faults } = checkValues(
    dynamic.map((rules) => ({ code: rules.code, rules })),
    given,
    { now: about.now, stored: {}, prefix: 'additionalInfo.' },
  )
  const { birthDate, gender, comment } = input
  const further: Further = {
    birthDate: birthDate || null,
    gender: gender === 'man' || gender === 'woman' ? gender : null,
    comment: comment ?? '',
    values: changes,
  }
  return { faults: [...own, ...faults], further }
}
