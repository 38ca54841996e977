'use client'

import { useState } from 'react'
import type { FieldError } from '@/lib/base/runtime/errors'
import { generatePassword, isAcceptable, type PasswordRules } from '@/lib/sign-in/passwords/rules'

export type PasswordName = 'password' | 'repeatPassword'

/** Returns an unbiased random integer below `bound`, from the browser's cryptographic random source. */
function secureRandom(bound: number): number {
  const limit = Math.floor(2 ** 32 / bound) * bound
  const [value = 0] = crypto.getRandomValues(new Uint32Array(1))
  return value < limit ? value % bound : secureRandom(bound)
}

/** A new password and its repetition, with the errors that the browser finds. For PasswordPair. */
export function usePasswordPair(rules: PasswordRules) {
  const [values, setValues] = useState({ password: '', repeatPassword: '' })
  const [generated, setGenerated] = useState<'yes' | 'noLuck' | null>(null)
  const [shown, setShown] = useState(false)

  const check = (): FieldError[] => {
    const { password, repeatPassword } = values
    const faults: FieldError[] = []
    if (password === '') faults.push({ field: 'password', code: 'errorEmpty' })
    else if (!isAcceptable(rules, password)) faults.push({ field: 'password', code: 'errorPasswordRules' })
    if (repeatPassword === '') faults.push({ field: 'repeatPassword', code: 'errorEmpty' })
    else if (password !== repeatPassword)
      for (const field of ['password', 'repeatPassword'] as const)
        if (!faults.some((fault) => fault.field === field)) faults.push({ field, code: 'errorMatch' })
    return faults
  }
  const change = (name: PasswordName, value: string) => {
    setValues((before) => ({ ...before, [name]: value }))
    setGenerated(null)
  }
  /** Fills both fields and shows them. Returns false if random passwords don't match the custom patterns. */
  const generate = () => {
    const generatedPassword = generatePassword(rules, secureRandom)
    setGenerated(generatedPassword === null ? 'noLuck' : 'yes')
    if (generatedPassword === null) return false
    setValues({ password: generatedPassword, repeatPassword: generatedPassword })
    setShown(true)
    return true
  }
  return { rules, values, generated, shown, setShown, check, change, generate }
}
