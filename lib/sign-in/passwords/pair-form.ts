import type { FieldError } from '@/lib/base/runtime/errors'
import { findsPattern } from '@/lib/base/text/safe-pattern'
import { isAcceptable, type PasswordRules } from './rules'

/** Of a longer password the call needs no more to refuse it. */
const mostOfPassword = 1_024

/** Returns a new password and its repetition of a posted form (`PasswordPair`). */
export const passwordsIn = (fields: URLSearchParams) => ({
  password: (fields.get('password') ?? '').slice(0, mostOfPassword),
  repeatPassword: (fields.get('repeatPassword') ?? '').slice(0, mostOfPassword),
})

/** Returns what is wrong with them at first sight: an empty field, a rule that isn't met, a different repetition. */
export function pairFaults(rules: PasswordRules, fields: URLSearchParams): FieldError[] {
  const { password, repeatPassword } = passwordsIn(fields)
  const faults: FieldError[] = []
  if (password === '') faults.push({ field: 'password', code: 'errorEmpty' })
  else if (!isAcceptable(rules, password, findsPattern)) faults.push({ field: 'password', code: 'errorPasswordRules' })
  if (repeatPassword === '') faults.push({ field: 'repeatPassword', code: 'errorEmpty' })
  else if (password.normalize('NFKC') !== repeatPassword.normalize('NFKC'))
    for (const field of ['password', 'repeatPassword'])
      if (!faults.some((fault) => fault.field === field)) faults.push({ field, code: 'errorMatch' })
  return faults
}
