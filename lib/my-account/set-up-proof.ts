import { requireUser } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import { AppError, fieldError } from '@/lib/base/runtime/errors'
import { requirePresentPassword } from '@/lib/sign-in/attempts/present-password'
import { setUpProofs } from '@/lib/sign-in/attempts/set-up-proofs'
import { emailHashOf } from '@/lib/sign-in/email-hash'
import type { PasskeySignature } from '@/lib/sign-in/factors/passkey/credential'
import { provePasskey } from '@/lib/sign-in/factors/passkey/prove'
import { enterAppCode, spendEitherCode } from '@/lib/sign-in/factors/totp/entry'
import { isFreshSession } from './contact-details/recent'
import { enterOwnCode } from './own-code'

/** What a person sends to set up a factor. `appCode` is a code of their authenticator app or a recovery code. */
type Sent = {
  password?: string | undefined
  code?: string | undefined
  appCode?: string | undefined
  passkey?: PasskeySignature | undefined
}

/** Returns what the signed-in person must still prove to set up a factor, and where a code goes. Throws 401, 404. */
export const ownSetUpProofs = async (ctx: Ctx) => setUpProofs(ctx, await isFreshSession(ctx))

/**
 * Uses up a code of the signed-in person's authenticator app, or a recovery code. Throws 400 errorCode for this field,
 * 429.
 */
export async function requireAppCode(ctx: Ctx, field: string, code: string): Promise<void> {
  requireUser(ctx)
  const { id } = ctx.user
  const subject = { counted: `account ${id}`, known: false }
  const verdict = await enterAppCode(ctx, subject, () => spendEitherCode(ctx, id, code))
  if (verdict !== 'right') throw fieldError(field, 'errorCode')
}

/**
 * Requires what `setUpProofs` asks for, and returns the hash of the e-mail that was proven. Throws 401, 400 by field if
 * something is missing or wrong, 403 signInAgain, 429.
 */
export async function requireSetUpProof(ctx: Ctx, sent: Sent): Promise<{ emailHash: string | null }> {
  const { needs, contacts } = await ownSetUpProofs(ctx)
  if (!needs) throw new AppError(403, 'signInAgain')
  const errorList = [
    ...(needs.includes('password') && !sent.password ? [{ field: 'password', code: 'errorPasswordNeeded' }] : []),
    ...(needs.includes('code') && !sent.code ? [{ field: 'code', code: 'errorCodeNeeded' }] : []),
    ...(needs.includes('app') && !sent.appCode ? [{ field: 'appCode', code: 'errorEmpty' }] : []),
    ...(needs.includes('passkey') && !sent.passkey ? [{ field: 'passkey', code: 'errorEmpty' }] : []),
  ]
  if (errorList.length > 0) throw new AppError(400, undefined, { errorList })
  if (needs.includes('password')) await requirePresentPassword(ctx, 'password', sent.password)
  if (needs.includes('code')) await enterOwnCode(ctx, 'factors', contacts, sent.code)
  if (needs.includes('app')) await requireAppCode(ctx, 'appCode', sent.appCode ?? '')
  if (needs.includes('passkey') && sent.passkey)
    await provePasskey(ctx, sent.passkey, (ownerId) => ownerId === ctx.user?.id)
  const provenEmail = needs.includes('code') ? contacts.email : null
  return { emailHash: provenEmail && emailHashOf(provenEmail) }
}
