import { db } from '@/db/client'
import { countDaily, counterOf } from '@/lib/entry/codes/daily-limit'
import {
  codeEnd,
  enterCode,
  freeResend,
  randomCode,
  resendLeft,
  storeCode,
  takeResend,
} from '@/lib/entry/codes/redis-code'
import { seal } from '@/lib/kernel/crypto/secrets'
import type { Ctx } from '@/lib/kernel/ctx'
import { AppError, fieldError } from '@/lib/kernel/errors'
import { enqueue } from '@/lib/kernel/jobs'
import { requireSmsGateway } from '@/lib/kernel/messages/gateway-state'
import { platformSettings } from '@/lib/platform/settings/service'
import type { Attempt } from './attempt'
import type { CodeFlow } from './contract'
import type { Account } from './queries'

/** Where the account's codes of this flow go; null for nobody, a blocked account, or one without an address. */
export const recipientOf = (account: Account | null, flow: CodeFlow): string | null =>
  account?.enabled ? (flow === 'email_code' ? account.email : account.mobile) : null

/** The part of an attempt that codes are bound to. */
type CodeOwner = Pick<Attempt, 'id' | 'state'>

const kindOf = { email_code: 'email', sms_code: 'mobile' } as const

/** Where a code would go if there were somebody: nobody's mobile is counted as somebody's, or other calls' codes tell. */
const nobodyOf = ({ idAttribute, identifier }: Attempt['state'], flow: CodeFlow) =>
  idAttribute === kindOf[flow] ? identifier : `${idAttribute} ${identifier}`

/** Whom the limits count: the receiver, or an identifier that has none, which must look the same. */
const subjectOf = ({ state }: CodeOwner, account: Account | null, flow: CodeFlow) =>
  `${flow} ${recipientOf(account, flow) ?? nobodyOf(state, flow)}`

const slotOf = (attempt: CodeOwner, account: Account | null, flow: CodeFlow) => ({
  purpose: flow,
  owner: attempt.id,
  recipient: subjectOf(attempt, account, flow),
})

export type CodeState = {
  /** Seconds until a code may be asked for, 0 = now. */
  resendIn: number
  /** ISO 8601 end of the entered code's validity; null when this attempt has no live code. */
  endTime: string | null
}

/** What is known of the code of this attempt, for a page that is drawn again. */
export async function codeState(attempt: CodeOwner, account: Account | null, flow: CodeFlow): Promise<CodeState> {
  const [resendIn, endTime] = await Promise.all([
    resendLeft(subjectOf(attempt, account, flow)),
    codeEnd(slotOf(attempt, account, flow)),
  ])
  return { resendIn, endTime }
}

/**
 * Makes a code and the job that sends it. Within the resend time it answers what is left and sends nothing.
 * An unknown or blocked identifier goes the same way; its job finds nobody to send to. While the SMS gateway is away
 * nobody is promised an SMS, and nothing is counted. Throws 429 codeDailyLimit, 503 smsUnavailable or without Redis.
 */
export async function sendCode(
  ctx: Ctx,
  attempt: Attempt,
  account: Account | null,
  flow: CodeFlow,
): Promise<CodeState> {
  const { authCodeDigits, authCodeAlive, authCodeResendAlive, authCodeAttempts, authCodeDailyLimit } =
    await platformSettings()
  const subject = subjectOf(attempt, account, flow)
  if (flow === 'sms_code') await requireSmsGateway()
  const wait = await takeResend(subject, authCodeResendAlive)
  if (wait > 0) return codeState(attempt, account, flow)
  const code = randomCode(authCodeDigits)
  const endTime = new Date(ctx.now().getTime() + authCodeAlive * 1000)
  try {
    const refused = await db().transaction(async (tx) => {
      const limit = await countDaily(tx, 'code', subject, authCodeDailyLimit, ctx.now())
      if (limit) return limit
      await storeCode(slotOf(attempt, account, flow), code, {
        alive: authCodeAlive,
        attempts: authCodeAttempts,
        endTime,
      })
      const payload = {
        attemptId: attempt.id,
        flow,
        code: seal('codes', code, attempt.id),
        host: new URL(ctx.domain.origin).host,
        locale: ctx.locale,
        endTime: endTime.toISOString(),
        counter: counterOf('code', subject, ctx.now()),
      }
      await enqueue(tx, 'signInCode', payload, { maxAttempts: 5 })
      return null
    })
    if (refused) throw refused
  } catch (error) {
    await freeResend(subject).catch(() => 0)
    throw error
  }
  return { resendIn: authCodeResendAlive, endTime: endTime.toISOString() }
}

const verdicts = {
  wrong: 'errorCode',
  expired: 'errorCodeExpired',
  exceeded: 'errorCodeAttempts',
} as const

/** Throws 400 with what is wrong with the code: wrong, expired (with `expired`), or entered wrongly too often. */
export async function proveCode(attempt: Attempt, account: Account | null, flow: CodeFlow, code: string | undefined) {
  if (!code) throw fieldError('code', 'errorEmpty')
  const verdict = await enterCode(slotOf(attempt, account, flow), code)
  if (verdict === 'right' && recipientOf(account, flow)) return
  const fault = verdicts[verdict === 'right' ? 'wrong' : verdict]
  throw new AppError(400, fault, {
    errorList: [{ field: 'code', code: fault }],
    ...(verdict === 'expired' ? { expired: true } : {}),
  })
}
