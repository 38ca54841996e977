import { requireUser } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import { type EmailProof, emailCodeState, emailSlot, sendEmailCode } from './email-code'
import { enterCode } from './enter-code'
import { mobileCodeState, proveMobile, sendMobileCode } from './mobile-code'
import type { CodeState } from './redis-code'
import { sendCountedCode } from './send-counted-code'

/** A code for a signed-in person: its purpose, and where it is sent. */
export type PersonCode = { purpose: EmailProof['purpose']; kind: 'email' | 'mobile'; to: string }

const emailProofOf = (owner: string, { purpose, to }: PersonCode): EmailProof => ({ purpose, owner, email: to })
const mobileProofOf = (owner: string, { purpose, to }: PersonCode) => ({ purpose, owner, mobile: to })

/**
 * Sends a code to a contact of the signed-in person, or to one that they are about to add, and returns the code's
 * state. Within the resend time it sends nothing. So that nobody can send to many strangers from one account, an
 * account has a daily number of these codes, also after Redis has lost its data. Throws 401, 429, 503.
 */
export async function sendPersonCode(ctx: Ctx, code: PersonCode): Promise<CodeState> {
  requireUser(ctx)
  const { id } = ctx.user
  const current =
    code.kind === 'email'
      ? await emailCodeState(emailProofOf(id, code))
      : await mobileCodeState(mobileProofOf(id, code))
  if (current.resendIn > 0) return current
  return sendCountedCode(ctx, 'person-code', id, (count) =>
    code.kind === 'email'
      ? sendEmailCode(ctx, emailProofOf(id, code), count)
      : sendMobileCode(ctx, mobileProofOf(id, code), count),
  )
}

/**
 * Uses up a right code that was sent to this contact of the signed-in person, for this purpose. Throws 401, 400 with the
 * fault of the field `code`, and 429 by address.
 */
export async function enterPersonCode(ctx: Ctx, code: PersonCode, typed: string | undefined): Promise<void> {
  requireUser(ctx)
  const { id } = ctx.user
  if (code.kind === 'mobile') return proveMobile(ctx, mobileProofOf(id, code), typed ?? '')
  const entry = { counted: `account ${id}`, known: false, possible: true }
  await enterCode(ctx, emailSlot(emailProofOf(id, code)), typed, entry)
}
