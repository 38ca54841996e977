import type { Ctx } from '@/lib/base/context/ctx'
import { type MobileProof, mobileCodeState, sendMobileCode } from './mobile-code'
import type { CodeState } from './redis-code'
import { sendCountedCode } from './send-counted-code'

type LinkProof = MobileProof & { purpose: 'registration' | 'invitation' }

/**
 * Sends a code to a mobile for a link, and returns the code's state. Within the resend time it sends nothing. So that
 * nobody can send to many numbers with one link, a link has as many codes a day as one receiver, also after Redis has
 * lost its data. It calls `afterSending` after the code was sent. Throws 429, 503.
 */
export async function sendLinkCode(
  ctx: Ctx,
  proof: LinkProof,
  afterSending: () => Promise<unknown>,
): Promise<CodeState> {
  const current = await mobileCodeState(proof)
  if (current.resendIn > 0) return current
  const state = await sendCountedCode(ctx, `${proof.purpose}-code`, proof.owner, (count) =>
    sendMobileCode(ctx, proof, count),
  )
  await afterSending()
  return state
}
