import { db } from '@/db/client'
import { requireUser } from '@/lib/kernel/access'
import type { Ctx } from '@/lib/kernel/ctx'
import { AppError } from '@/lib/kernel/errors'
import { giveBack } from '@/lib/kernel/messages/attempt'
import { requireSmsGateway } from '@/lib/kernel/messages/gateway-state'
import { platformSettings } from '@/lib/platform/settings/service'
import { countDaily, counterOf } from './daily-limit'
import { type EmailProof, emailCodeState, emailSlot, sendEmailCode } from './email-code'
import { enterCode } from './enter-code'
import { type MobileCodeState, mobileCodeState, proveMobile, sendMobileCode } from './mobile-code'

/** A code for a signed-in person: what it is for, and where it is sent. */
export type PersonCode = { purpose: EmailProof['purpose']; kind: 'email' | 'mobile'; to: string }

const emailOf = (owner: string, { purpose, to }: PersonCode): EmailProof => ({ purpose, owner, email: to })
const mobileOf = (owner: string, { purpose, to }: PersonCode) => ({ purpose, owner, mobile: to })

/**
 * Sends a code to a contact of the signed-in person, or to one that they are about to add, and returns its state; within
 * the resend time it sends nothing. So that nobody can send to many strangers from one account, an account has a daily
 * number of such codes, also after Redis has lost its data. Throws 401, 429, 503.
 */
export async function sendPersonCode(ctx: Ctx, code: PersonCode): Promise<MobileCodeState> {
  requireUser(ctx)
  const { id } = ctx.user
  const before =
    code.kind === 'email' ? await emailCodeState(emailOf(id, code)) : await mobileCodeState(mobileOf(id, code))
  if (before.resendIn > 0) return before
  if (code.kind === 'mobile') await requireSmsGateway()
  const { authCodeDailyLimit } = await platformSettings()
  const [kind, now] = ['person-code', ctx.now()]
  const refused = await db().transaction((tx) => countDaily(tx, kind, id, authCodeDailyLimit, now))
  if (refused) throw refused
  try {
    return code.kind === 'email'
      ? await sendEmailCode(ctx, emailOf(id, code))
      : await sendMobileCode(ctx, mobileOf(id, code))
  } catch (error) {
    // a message that couldn't be sent isn't counted; a request beyond a receiver's limit is
    if (!(error instanceof AppError && error.status === 429))
      await db().transaction((tx) => giveBack(tx, counterOf(kind, id, now)))
    throw error
  }
}

/**
 * Uses up a right code that was sent to this contact of the signed-in person, for this purpose. Throws 401, 400 with the
 * fault of the field `code`, and 429 by address.
 */
export async function enterPersonCode(ctx: Ctx, code: PersonCode, typed: string | undefined): Promise<void> {
  requireUser(ctx)
  const { id } = ctx.user
  if (code.kind === 'mobile') return proveMobile(ctx, mobileOf(id, code), typed ?? '')
  const entering = { counted: `account ${id}`, known: false, possible: true }
  await enterCode(ctx, emailSlot(emailOf(id, code)), typed, entering)
}
