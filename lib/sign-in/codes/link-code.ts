import type { Ctx } from '@/lib/base/context/ctx'
import { type MobileCodeState, type MobileProof, mobileCodeState, sendMobileCode } from './mobile-code'
import { sendCountedCode } from './send-counted-code'

type LinkProof = MobileProof & { purpose: 'registration' | 'invitation' }

/**
 * Sends a code to a mobile for a link, and returns the code's state; within the resend time it sends nothing. So that
 * nobody can send to many numbers with one link, a link has as many codes a day as one receiver, also after Redis has
 * lost its data. `sent` is called after the code was sent. Throws 429, 503.
 */
export async function sendLinkCode(ctx: Ctx, proof: LinkProof, sent: () => Promise<unknown>): Promise<MobileCodeState> {
  const before = await mobileCodeState(proof)
  if (before.resendIn > 0) return before
  const state = await sendCountedCode(ctx, `${proof.purpose}-code`, proof.owner, (count) =>
    sendMobileCode(ctx, proof, count),
  )
  await sent()
  return state
}
