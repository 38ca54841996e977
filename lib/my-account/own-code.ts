import type { Ctx } from '@/lib/base/context/ctx'
import { AppError } from '@/lib/base/runtime/errors'
import { enterPersonCode, sendPersonCode } from '@/lib/sign-in/codes/person-code'
import { concealed } from './contact-details/concealed'

type Account = { email: string | null; mobile: string | null }
type Purpose = 'password' | 'deletion' | 'factors'

/** Returns the main contact for the codes of an account: its e-mail, else its mobile. Throws 409 without one. */
function receiverOf({ email, mobile }: Account): { kind: 'email' | 'mobile'; to: string } {
  if (email) return { kind: 'email', to: email.trim().toLowerCase() }
  if (mobile) return { kind: 'mobile', to: mobile }
  throw new AppError(409, 'errorNoContact')
}

/**
 * Sends a code for this purpose to the main contact of the signed-in person. Throws 401, 409 errorNoContact, 429, 503.
 */
export async function sendOwnCode(ctx: Ctx, purpose: Purpose, account: Account) {
  const receiver = receiverOf(account)
  const state = await sendPersonCode(ctx, { purpose, ...receiver })
  return { kind: receiver.kind, to: concealed(receiver.kind, receiver.to), ...state }
}

/** Checks a code of this purpose and uses it up. Throws 401, 400 with the fault of the field `code`, 409, 429. */
export const enterOwnCode = (ctx: Ctx, purpose: Purpose, account: Account, code: string | undefined) =>
  enterPersonCode(ctx, { purpose, ...receiverOf(account) }, code)
