import { db } from '@/db/client'
import type { Ctx } from '@/lib/base/context/ctx'
import { encrypt } from '@/lib/base/crypto/encryption'
import { enqueue } from '@/lib/base/jobs/jobs'
import { requireSmsGateway } from '@/lib/base/mail-and-sms/gateway-state'
import { AppError } from '@/lib/base/runtime/errors'
import { platformSettings } from '@/lib/site/settings/service'
import { countDaily, counterOf } from '../codes/daily-limit'
import { enterCode, limitRequests } from '../codes/enter-code'
import { codeEnd, freeResend, randomCode, resendLeft, storeCode, takeResend } from '../codes/redis-code'
import { askedFor, askedInBrowser } from '../codes/subjects'
import { Refused } from '../log/record'
import type { Attempt } from './attempt'
import type { CodeFlow } from './contract'
import type { Account } from './queries'
import { accountKey, subjectOf } from './subject'
import { openPasswordFlow } from './throttle'

/**
 * Returns the receiver of the account's codes of this flow; null without account, e-mail or mobile, and if disabled. Who
 * signs in at a directory gets none before it has proven them (docs/rules/providers.md#accounts-of-providers), nor does a
 * mobile that somebody with less entered (docs/rules/access.md#prepared-accounts).
 */
export function recipientOf(account: Account | null, flow: CodeFlow, begun: boolean): string | null {
  if (!account?.enabled || (account.atProvider && !begun)) return null
  if (flow === 'email_code') return account.email
  return account.isMobileDoubtful && !begun ? null : account.mobile
}

const isBegun = ({ proven }: Attempt['state']) => proven.length > 0

/** The part of an attempt to which codes are bound. */
type CodeOwner = Pick<Attempt, 'id' | 'state' | 'knownDevice'>

const kindOf = { email_code: 'email', sms_code: 'mobile' } as const

/** A substitute for the receiver of an identifier without account. */
const nobodyOf = ({ idAttribute, identifier }: Attempt['state'], flow: CodeFlow) =>
  idAttribute === kindOf[flow] ? identifier : `${idAttribute} ${identifier}`

const slotOf = (attempt: CodeOwner, account: Account | null, flow: CodeFlow) => ({
  purpose: flow,
  owner: attempt.id,
  recipient: `${flow} ${recipientOf(account, flow, isBegun(attempt.state)) ?? nobodyOf(attempt.state, flow)}`,
})

/**
 * The subject whose limits the answer shows: the typed identifier, so that two names of one account don't turn out to
 * be one. A browser that knows the account has a subject of its own, so that requests of others don't block it.
 */
const askedAs = (
  { state: { idAttribute, identifier }, knownDevice }: CodeOwner,
  account: Account | null,
  flow: CodeFlow,
) =>
  account && knownDevice
    ? askedInBrowser(flow, accountKey(account.id, knownDevice))
    : askedFor(flow, idAttribute, identifier)

export type CodeState = {
  /** Seconds until a code may be requested, 0 = now. */
  resendIn: number
  /** End of the code's validity, ISO 8601; null if this attempt has no live code. */
  endTime: string | null
}

/** Returns the state of this attempt's code, for a page that is rendered again. */
export async function codeState(attempt: CodeOwner, account: Account | null, flow: CodeFlow): Promise<CodeState> {
  const { authCodeResendAlive } = await platformSettings()
  const [resendIn, endTime] = await Promise.all([
    resendLeft(askedAs(attempt, account, flow), authCodeResendAlive),
    codeEnd(slotOf(attempt, account, flow)),
  ])
  return { resendIn, endTime }
}

/**
 * Makes a code and the job that sends it, and returns its state. Within the resend time it sends nothing. Unknown and
 * disabled accounts go the same way; only the job finds that there is nobody to send to, or that the receiver has had
 * the codes of the day. While the SMS gateway is down it refuses SMS, and counts nothing. Throws 429 codeDailyLimit for
 * the typed identifier, 429 tooManyAttempts by address, 503 smsUnavailable, and 503 without Redis.
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
  await limitRequests(ctx, attempt.knownDevice !== null)
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
        code: encrypt('codes', code, attempt.id),
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
 * Uses up a right code, which also opens a password flow that wrong passwords have closed. Throws 400 with the fault,
 * also for every code while the account's codes are suspended, and 429 by address.
 */
export async function proveCode(ctx: Ctx, attempt: Attempt, flow: CodeFlow, code: string | undefined) {
  const { account, knownDevice } = attempt
  const possible = recipientOf(account, flow, isBegun(attempt.state)) !== null
  const entering = { counted: subjectOf(attempt), known: knownDevice !== null, possible }
  await enterCode(ctx, slotOf(attempt, account, flow), code, entering).catch((error) => {
    const wrong = error instanceof AppError && error.code === 'errorCode' && !possible
    if (!wrong) throw error
    const why = account ? (account.enabled ? 'unreachable' : 'disabled') : 'unknown'
    throw new Refused(why, error.code, error.data)
  })
  if (account && Object.keys(attempt.failures).length > 0) await openPasswordFlow(db(), account.id)
}
