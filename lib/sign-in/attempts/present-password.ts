import { requireUser } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import { AppError, fieldError } from '@/lib/base/runtime/errors'
import { provePassword } from '../factors/password/prove'
import { failuresOf } from '../factors/password/throttle'
import { deviceHashOf } from '../sessions/service'
import { selectAccountById } from './queries'

/**
 * Requires the current password of the signed-in person before a change that a stolen session must not allow. Wrong
 * entries count against the limits of the account, as at sign-in. Throws 400 errorActual for this field, 429.
 */
export async function requirePresentPassword(ctx: Ctx, field: string, password: string | undefined): Promise<void> {
  requireUser(ctx)
  if (!password) throw fieldError(field, 'errorEmpty')
  const account = await selectAccountById(ctx.user.id)
  const state = { idAttribute: 'login' as const, identifier: ctx.user.login.trim().toLowerCase() }
  try {
    const failures = await failuresOf(ctx.user.id)
    await provePassword(ctx, { state, account, knownDevice: deviceHashOf(ctx), failures }, password)
  } catch (error) {
    if (error instanceof AppError && error.code === 'signInFailed') throw fieldError(field, 'errorActual')
    throw error
  }
}
