import { db } from '@/db/client'
import type { Ctx } from '@/lib/kernel/ctx'
import { AppError } from '@/lib/kernel/errors'
import { giveBack } from '@/lib/kernel/messages/attempt'
import { requireSmsGateway } from '@/lib/kernel/messages/gateway-state'
import { platformSettings } from '@/lib/platform/settings/service'
import { countDaily, counterOf } from './daily-limit'
import { type MobileCodeState, type MobileProof, mobileCodeState, sendMobileCode } from './mobile-code'

type LinkProof = MobileProof & { purpose: 'registration' | 'invitation' }

/**
 * Sends a code to a mobile for a link, and returns the code's state; within the resend time it sends nothing. So that
 * nobody can send to many numbers with one link, a link has as many codes a day as one receiver, also after Redis has
 * lost its data. `sent` is called after the code was sent. Throws 429, 503.
 */
export async function sendLinkCode(ctx: Ctx, proof: LinkProof, sent: () => Promise<unknown>): Promise<MobileCodeState> {
  const before = await mobileCodeState(proof)
  if (before.resendIn > 0) return before
  await requireSmsGateway()
  const { authCodeDailyLimit } = await platformSettings()
  const [kind, now] = [`${proof.purpose}-code`, ctx.now()]
  const refused = await db().transaction((tx) => countDaily(tx, kind, proof.owner, authCodeDailyLimit, now))
  if (refused) throw refused
  const state = await sendMobileCode(ctx, proof).catch(async (error: unknown) => {
    // a message that couldn't be sent isn't counted; a request beyond a number's limit is
    if (!(error instanceof AppError && error.status === 429))
      await db().transaction((tx) => giveBack(tx, counterOf(kind, proof.owner, now)))
    throw error
  })
  await sent()
  return state
}
