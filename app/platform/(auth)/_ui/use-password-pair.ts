'use client'

import { useState } from 'react'
import { generatePassword, isAcceptable, type PasswordRules } from '@/lib/entry/passwords/rules'
import type { FieldError } from '@/lib/kernel/errors'

export type PasswordName = 'password' | 'repeatPassword'

/** An unbiased random integer below `below`, of the browser's own source. */
function secureRandom(below: number): number {
  const limit = Math.floor(2 ** 32 / below) * below
  const [value = 0] = crypto.getRandomValues(new Uint32Array(1))
  return value < limit ? value % below : secureRandom(below)
}

/** A new password and its repeat, with what is wrong with them before anything is sent. For PasswordPair. */
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
  /** Fills both fields and shows them; false when the custom patterns can't be met by chance. */
  const generate = () => {
    const made = generatePassword(rules, secureRandom)
    setGenerated(made === null ? 'noLuck' : 'yes')
    if (made === null) return false
    setValues({ password: made, repeatPassword: made })
    setShown(true)
    return true
  }
  return { rules, values, generated, shown, setShown, check, change, generate }
}
