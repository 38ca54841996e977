import type { FieldError } from '@/lib/kernel/errors'

/** The profile's own fields that a public form may have to ask for, apart from names, e-mail and mobile. */
export const furtherCodes = ['login', 'birthDate', 'gender', 'locale', 'comment'] as const
export type FurtherCode = (typeof furtherCodes)[number]

/** One that is asked for: it is visible and required. `options`: what may be chosen, else it is typed. */
export type FurtherField = { code: FurtherCode; title: string; options?: { code: string; title: string }[] }

export type FurtherInput = { [K in FurtherCode]?: string | undefined }
/** What of it an account keeps; the login and the language have rules of their own. */
export type Further = { birthDate: string | null; gender: 'man' | 'woman' | null; comment: string }

/** A login of one's own choice; it looks like neither an e-mail nor a number, by which others sign in. */
const chosenLogin = /^(?=.*[a-z])[a-z0-9][a-z0-9._-]{1,63}$/
export const isChosenLogin = (login: string) => chosenLogin.test(login)

/** A day that there is, neither before 1900 nor to come. */
function isBirthDate(text: string, now: Date): boolean {
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : null
  // a day that there isn't is read as one of the next month
  if (!day || Number.isNaN(day.getTime()) || day.toISOString().slice(0, 10) !== text) return false
  // in the east the day has begun before it does in UTC
  return text >= '1900-01-01' && day.getTime() <= now.getTime() + 14 * 3_600_000
}

/** What is wrong with one that is filled in; `null` for nothing. `email`: a login may be that. */
function faultOf({ code, options }: FurtherField, value: string, { email, now }: { email: string; now: Date }) {
  if (options) return options.some((option) => option.code === value) ? null : 'errorOption'
  if (code === 'login') return value.toLowerCase() === email || isChosenLogin(value.toLowerCase()) ? null : 'errorLogin'
  return code === 'birthDate' && !isBirthDate(value, now) ? 'errorBirthDate' : null
}

/**
 * Faults of the further fields of a form: what it asks for and is empty or wrong, and what it doesn't and is filled in.
 * `known`: codes that the call takes whether they are asked for or not, and looks at itself.
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

/** What an account keeps of an input without faults. */
export const furtherValues = ({ birthDate, gender, comment }: FurtherInput): Further => ({
  birthDate: birthDate || null,
  gender: gender === 'man' || gender === 'woman' ? gender : null,
  comment: comment ?? '',
})
