import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { AppError, fieldError } from '@/lib/base/runtime/errors'
import { requirePresentPassword } from '@/lib/sign-in/attempts/present-password'
import { ownPasswordAccount, ownPasswordFaults, storeOwnPassword } from '@/lib/sign-in/passwords/own-password'
import { enterOwnCode, sendOwnCode } from '../own-code'
import type * as calls from './contract'

/**
 * Changes the signed-in person's password. The present password or the code is checked last, so that an invalid new
 * password uses up no attempt and no code. Throws 401, 400 with the faulty fields, 405 directoryAccount, 409 if another
 * request was first, 429.
 */
export async function changePassword(ctx: Ctx, { body }: ServiceInput<typeof calls.changePassword>) {
  const account = await ownPasswordAccount(ctx)
  const { actual, code, password, rePassword } = body
  const byCode = account.passwordHash === null
  if (byCode && actual) throw fieldError('actual', 'errorUnknownField')
  if (!byCode && code) throw fieldError('code', 'errorUnknownField')
  const errorList = await ownPasswordFaults(ctx, { password, rePassword })
  // reported later: nobody with a stolen session may find out the present password by trying new ones
  const faultsBefore = errorList.filter(({ code: fault }) => fault !== 'errorPasswordRecent')
  if (faultsBefore.length > 0) throw new AppError(400, undefined, { errorList: faultsBefore })
  if (byCode) await enterOwnCode(ctx, 'password', account, code)
  else await requirePresentPassword(ctx, 'actual', actual)
  if (errorList.length > 0) throw new AppError(400, undefined, { errorList })
  await storeOwnPassword(ctx, account, password)
  return {}
}

/**
 * Sends the code with which a person sets the first password of their account. Throws 401, 405 directoryAccount, 409
 * passwordKnown for an account that has one, 409 errorNoContact, 429, 503.
 */
export async function requestPasswordCode(ctx: Ctx) {
  const account = await ownPasswordAccount(ctx)
  if (account.passwordHash !== null) throw new AppError(409, 'passwordKnown')
  return sendOwnCode(ctx, 'password', account)
}
