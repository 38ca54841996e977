import type { FieldError } from '@/lib/base/runtime/errors'
import { findsPattern } from '@/lib/base/text/safe-pattern'
import { isAcceptable, type PasswordRules } from './rules'

/** The most characters that calls take. */
const most = 1_024

/** Returns a new password and its repetition of a posted form (`PasswordPair`), as calls take them. */
export const passwordsIn = (fields: URLSearchParams) => ({
  password: fields.get('password') ?? '',
  repeatPassword: fields.get('repeatPassword') ?? '',
})

/**
 * Returns the faults of a new password and its repetition that need no call: an empty or too long field, a rule that
 * isn't met, a different repetition.
 */
export function pairFaults(rules: PasswordRules, fields: URLSearchParams): FieldError[] {
  const { password, repeatPassword } = passwordsIn(fields)
  const differs = repeatPassword !== '' && password.normalize('NFKC') !== repeatPassword.normalize('NFKC')
  const faultOf = (field: string, typed: string) => {
    if (typed === '') return 'errorEmpty'
    if (typed.length > most) return 'errorTooLong'
    if (field === 'password' && !isAcceptable(rules, typed, findsPattern)) return 'errorPasswordRules'
    return differs ? 'errorMatch' : null
  }
  return Object.entries({ password, repeatPassword }).flatMap(([field, typed]) => {
    const code = faultOf(field, typed)
    return code ? [{ field, code }] : []
  })
}
