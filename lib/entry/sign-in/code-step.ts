import { db } from '@/db/client'
import { countDaily, counterOf } from '@/lib/entry/codes/daily-limit'
import { countAsked, enterCode } from '@/lib/entry/codes/enter-code'
import { codeEnd, freeResend, randomCode, resendLeft, storeCode, takeResend } from '@/lib/entry/codes/redis-code'
import { seal } from '@/lib/kernel/crypto/secrets'
import type { Ctx } from '@/lib/kernel/ctx'
import { enqueue } from '@/lib/kernel/jobs'
import { requireSmsGateway } from '@/lib/kernel/messages/gateway-state'
import { platformSettings } from '@/lib/platform/settings/service'
import type { Attempt } from './attempt'
import type { CodeFlow } from './contract'
import type { Account } from './queries'
import { accountKey, subjectOf } from './subject'
import { openPasswordFlow } from './throttle'

/** Where the account's codes of this flow go; null for nobody, a blocked account, or one without an address. */
export const recipientOf = (account: Account | null, flow: CodeFlow): string | null =>
  account?.enabled ? (flow === 'email_code' ? account.email : account.mobile) : null

/** The part of an attempt that codes are bound to. */
type CodeOwner = Pick<Attempt, 'id' | 'state' | 'knownDevice'>

const kindOf = { email_code: 'email', sms_code: 'mobile' } as const

/** Where a code would go if there were somebody. */
const nobodyOf = ({ idAttribute, identifier }: Attempt['state'], flow: CodeFlow) =>
  idAttribute === kindOf[flow] ? identifier : `${idAttribute} ${identifier}`

const slotOf = (attempt: CodeOwner, account: Account | null, flow: CodeFlow) => ({
  purpose: flow,
  owner: attempt.id,
  recipient: `${flow} ${recipientOf(account, flow) ?? nobodyOf(attempt.state, flow)}`,
})

/**
 * What the answer counts: that which was typed, so that several names of one account don't show as one. A browser
 * that knows the account has nothing to find out, and is not held up by what others ask for.
 */
const askedAs = (
  { state: { idAttribute, identifier }, knownDevice }: CodeOwner,
  account: Account | null,
  flow: CodeFlow,
) =>
  account && knownDevice ? `${flow} of ${accountKey(account.id, knownDevice)}` : `${flow} ${idAttribute} ${identifier}`

export type CodeState = {
  /** Seconds until a code may be asked for, 0 = now. */
  resendIn: number
  /** ISO 8601 end of the entered code's validity; null when this attempt has no live code. */
  endTime: string | null
}

/** What is known of the code of this attempt, for a page that is drawn again. */
export async function codeState(attempt: CodeOwner, account: Account | null, flow: CodeFlow): Promise<CodeState> {
  const [resendIn, endTime] = await Promise.all([
    resendLeft(askedAs(attempt, account, flow)),
    codeEnd(slotOf(attempt, account, flow)),
  ])
  return { resendIn, endTime }
}

/**
 * Makes a code and the job that sends it. Within the resend time it answers what is left and sends nothing.
 * An unknown or blocked identifier goes the same way; its job finds nobody to send to, or a receiver who has had the
 * codes of the day. While the SMS gateway is away nobody is promised an SMS, and nothing is counted.
 * Throws 429 codeDailyLimit for what was typed and tooManyAttempts by address, 503 smsUnavailable or without Redis.
 */
export async function sendCode(
  ctx: Ctx,
  attempt: Attempt,
  account: Account | null,
  flow: CodeFlow,
): Promise<CodeState> {
  const { authCodeDigits, authCodeAlive, authCodeResendAlive, authCodeAttempts, authCodeDailyLimit } =
    await platformSettings()
  const asked = askedAs(attempt, account, flow)
  await countAsked(ctx, attempt.knownDevice !== null)
  if (flow === 'sms_code') await requireSmsGateway()
  const wait = await takeResend(asked, authCodeResendAlive)
  if (wait > 0) return codeState(attempt, account, flow)
  const code = randomCode(authCodeDigits)
  const endTime = new Date(ctx.now().getTime() + authCodeAlive * 1000)
  const slot = slotOf(attempt, account, flow)
  try {
    const refused = await db().transaction(async (tx) => {
      const limit = await countDaily(tx, 'code-asked', asked, authCodeDailyLimit, ctx.now())
      if (limit) return limit
      await storeCode(slot, code, { alive: authCodeAlive, attempts: authCodeAttempts, endTime })
      const payload = {
        attemptId: attempt.id,
        flow,
        code: seal('codes', code, attempt.id),
        host: new URL(ctx.domain.origin).host,
        locale: ctx.locale,
        endTime: endTime.toISOString(),
        counter: counterOf('code', slot.recipient, ctx.now()),
        knownDevice: attempt.knownDevice,
      }
      await enqueue(tx, 'signInCode', payload, { maxAttempts: 5 })
      return null
    })
    if (refused) throw refused
  } catch (error) {
    await freeResend(asked).catch(() => 0)
    throw error
  }
  return { resendIn: authCodeResendAlive, endTime: endTime.toISOString() }
}

/**
 * Uses a right code up, which also opens a password flow that wrong passwords have closed. Throws 400 with what is
 * wrong with it, and that for every code while the account's codes rest; 429 by address.
 */
export async function proveCode(ctx: Ctx, attempt: Attempt, flow: CodeFlow, code: string | undefined) {
  const { account, knownDevice } = attempt
  await enterCode(ctx, slotOf(attempt, account, flow), code, {
    counted: subjectOf(attempt),
    known: knownDevice !== null,
    possible: recipientOf(account, flow) !== null,
  })
  if (account && Object.keys(attempt.failures).length > 0) await openPasswordFlow(db(), account.id)
}
