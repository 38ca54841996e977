import { deviceHashOf } from '@/lib/entry/sessions/service'
import { hashPassword, verifyPassword } from '@/lib/kernel/crypto/password'
import type { Ctx } from '@/lib/kernel/ctx'
import { AppError, fieldError } from '@/lib/kernel/errors'
import type { Attempt } from './attempt'
import { countPasswordTry, forgivePasswordTries } from './throttle'

/**
 * The credentials flow: one answer for every cause of failure, and one hash's work for every account or none.
 * Gives a stronger hash to store when today's parameters are higher. Throws 400 signInFailed, 429 tooManyAttempts.
 */
export async function provePassword(ctx: Ctx, { state, account, seen }: Attempt, password: string | undefined) {
  if (!password) throw fieldError('password', 'errorEmpty')
  const keys = {
    subject: account?.id ?? `${state.idAttribute} ${state.identifier}`,
    knownDevice: seen.onDevice ? deviceHashOf(ctx) : null,
    ip: ctx.ip,
  }
  await countPasswordTry(keys)
  const { right, rehash } = await verifyPassword(account?.providerId ? null : (account?.passwordHash ?? null), password)
  if (!right) {
    const data = { errorList: [{ field: 'password', code: 'signInFailed' }] }
    throw new AppError(400, 'signInFailed', data)
  }
  await forgivePasswordTries(keys)
  return rehash ? await hashPassword(password) : null
}
