import type { FieldError } from '@/lib/kernel/errors'

/** The profile's fields, apart from names, e-mail and mobile, that a public form may have to ask for. */
export const furtherCodes = ['login', 'birthDate', 'gender', 'locale', 'comment'] as const
export type FurtherCode = (typeof furtherCodes)[number]

/** A further field that a form asks for. With `options` one of them is chosen; without, a text is typed. */
export type FurtherField = { code: FurtherCode; title: string; options?: { code: string; title: string }[] }

export type FurtherInput = { [K in FurtherCode]?: string | undefined }
/** The values that are stored unchanged; login and language have other rules. */
export type Further = { birthDate: string | null; gender: 'man' | 'woman' | null; comment: string }

/** A login that a person chooses. It looks like neither an e-mail nor a number: others sign in with those. */
const chosenLogin = /^(?=.*[a-z])[a-z0-9][a-z0-9._-]{1,63}$/
export const isChosenLogin = (login: string) => chosenLogin.test(login)

/** Whether it is an existing date, neither before 1900 nor in the future. */
function isBirthDate(text: string, now: Date): boolean {
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : null
  // Date reads a day that doesn't exist as one of the next month
  if (!day || Number.isNaN(day.getTime()) || day.toISOString().slice(0, 10) !== text) return false
  // in the east a day begins up to 14 hours earlier than in UTC
  return text >= '1900-01-01' && day.getTime() <= now.getTime() + 14 * 3_600_000
}

/** The code of the fault of a field that is filled in; null for none. A login may also be the `email`. */
function faultOf({ code, options }: FurtherField, value: string, { email, now }: { email: string; now: Date }) {
  if (options) return options.some((option) => option.code === value) ? null : 'errorOption'
  if (code === 'login') return value.toLowerCase() === email || isChosenLogin(value.toLowerCase()) ? null : 'errorLogin'
  return code === 'birthDate' && !isBirthDate(value, now) ? 'errorBirthDate' : null
}

/**
 * Returns the faults of a form's further fields: fields that it asks for and that are empty or wrong, and fields that
 * it doesn't ask for and that are filled in. The call itself checks the fields in `known`, which it always takes.
 */
export function furtherFaults(
  asked: readonly FurtherField[],
  input: FurtherInput,
  { known = [], ...about }: { email: string; now: Date; known?: readonly FurtherCode[] },
): FieldError[] {
  return furtherCodes.flatMap((code): FieldError[] => {
    const field = asked.find((one) => one.code === code)
    const value = (input[code] ?? '').trim()
    if (!field) return value && !known.includes(code) ? [{ field: code, code: 'errorUnknownField' }] : []
    const fault = value ? faultOf(field, value, about) : 'errorEmpty'
    return fault ? [{ field: code, code: fault }] : []
  })
}

/** Returns the values that an account stores, of an input without faults. */
export const furtherValues = ({ birthDate, gender, comment }: FurtherInput): Further => ({
  birthDate: birthDate || null,
  gender: gender === 'man' || gender === 'woman' ? gender : null,
  comment: comment ?? '',
})
