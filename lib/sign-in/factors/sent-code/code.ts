import { db } from '@/db/client'
import type { CodeFlow } from '@/lib/access/authentication-schemas/flow-ids'
import type { Ctx } from '@/lib/base/context/ctx'
import { encrypt } from '@/lib/base/crypto/encryption'
import { jobOf } from '@/lib/base/jobs/jobs'
import { requireSmsGateway } from '@/lib/base/mail-and-sms/gateway-state'
import { AppError } from '@/lib/base/runtime/errors'
import { platformSettings } from '@/lib/site/settings/service'
import { countDaily, counterOf } from '../../codes/daily-limit'
import { enterCode, limitRequests, requestLimits } from '../../codes/enter-code'
import { type CodeState, codeEnd, randomCode, replaceCode, resendLeft } from '../../codes/redis-code'
import { browserRequestSubject, requestSubject } from '../../codes/subjects'
import { SignInRefused } from '../../log/record'
import type { Factor, FactorAccount, FactorAttempt } from '../factor'
import { openPasswordFlow } from '../password/throttle'
import { accountKey, subjectOf } from '../subject'

/**
 * Returns the e-mail or mobile that receives the account's codes of this flow. Returns null without an account, without
 * that e-mail or mobile, and for a disabled account. `proven` says whether the attempt has a proof. Before the first
 * proof, an account that signs in at a directory gets no code (docs/rules/providers.md#accounts-of-providers), nor does
 * a mobile that a preparer with fewer methods entered (docs/rules/access.md#prepared-accounts).
 */
export function recipientOf(account: FactorAccount | null, flow: CodeFlow, proven: boolean): string | null {
  if (!account?.enabled || (account.atProvider && !proven)) return null
  if (flow === 'email_code') return account.email
  return account.isMobileDoubtful && !proven ? null : account.mobile
}

const hasProof = ({ proven }: FactorAttempt['state']) => proven.length > 0

/** The part of an attempt to which codes are bound. */
type CodeOwner = Omit<FactorAttempt, 'failures'>

const kindOf = { email_code: 'email', sms_code: 'mobile' } as const

/** Returns a substitute for the receiver if the identifier has no account. */
const substituteOf = ({ idAttribute, identifier }: FactorAttempt['state'], flow: CodeFlow) =>
  idAttribute === kindOf[flow] ? identifier : `${idAttribute} ${identifier}`

const slotOf = (attempt: CodeOwner, flow: CodeFlow) => ({
  purpose: flow,
  owner: attempt.id,
  recipient: `${flow} ${recipientOf(attempt.account, flow, hasProof(attempt.state)) ?? substituteOf(attempt.state, flow)}`,
})

/**
 * Returns the subject whose limits the answer shows: the typed identifier, so that the answers don't reveal that two
 * identifiers belong to one account. A browser that the account knows has a subject of its own, so that requests in
 * other browsers don't block it.
 */
const requestSubjectOf = ({ state: { idAttribute, identifier }, account, knownDevice }: CodeOwner, flow: CodeFlow) =>
  account && knownDevice
    ? browserRequestSubject(flow, accountKey(account.id, knownDevice))
    : requestSubject(flow, idAttribute, identifier)

/** Returns the state of this attempt's code, for a page that is rendered again. */
async function codeState(attempt: CodeOwner, flow: CodeFlow): Promise<CodeState> {
  const { authCodeResendAlive } = await platformSettings()
  const [resendIn, endTime] = await Promise.all([
    resendLeft(requestSubjectOf(attempt, flow), authCodeResendAlive),
    codeEnd(slotOf(attempt, flow)),
  ])
  return { resendIn, endTime }
}

/**
 * Creates a code and the job that sends it, and returns the code's state. Within the resend time it sends nothing. The
 * steps are the same for unknown and disabled accounts: only the job checks whether there is a receiver, and whether
 * the receiver has had its codes of the day. While the SMS gateway is down, it refuses SMS and counts nothing. Throws
 * 429 codeDailyLimit for the typed identifier, 429 tooManyAttempts by address, 503 smsUnavailable, and 503 without
 * Redis.
 */
async function sendCode(ctx: Ctx, attempt: FactorAttempt, flow: CodeFlow): Promise<CodeState> {
  const { authCodeDigits, authCodeAlive, authCodeResendAlive, authCodeAttempts, authCodeDailyLimit } =
    await platformSettings()
  const subject = requestSubjectOf(attempt, flow)
  const isKnownBrowser = attempt.knownDevice !== null
  if (flow === 'sms_code') {
    await limitRequests(ctx, isKnownBrowser)
    await requireSmsGateway()
  }
  const code = randomCode(authCodeDigits)
  const endTime = new Date(ctx.now().getTime() + authCodeAlive * 1000)
  const slot = slotOf(attempt, flow)
  const limits = isKnownBrowser || flow === 'sms_code' ? [] : requestLimits(ctx.ip)
  const terms = { alive: authCodeAlive, attempts: authCodeAttempts, endTime }
  const stored = await replaceCode(slot, code, { subject, resend: authCodeResendAlive, limits, ...terms }).catch(
    async (error) => {
      // without Redis, requests are counted here
      if (!(error instanceof AppError) && limits.length > 0) await limitRequests(ctx, isKnownBrowser)
      throw error
    },
  )
  if (!stored) return codeState(attempt, flow)
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
  try {
    const job = jobOf('signInCode', payload, { maxAttempts: 5 })
    const refusal = await countDaily(db(), 'code-asked', subject, authCodeDailyLimit, ctx.now(), job)
    if (refusal) throw refusal
  } catch (error) {
    await stored.putBack().catch(() => 0)
    throw error
  }
  return { resendIn: authCodeResendAlive, endTime: endTime.toISOString() }
}

/**
 * Uses up a right code, which also opens a password flow that wrong passwords have closed. Throws 400 with the fault,
 * also for a right code while the account's codes are suspended, and 429 by address.
 */
async function proveCode(ctx: Ctx, attempt: FactorAttempt, flow: CodeFlow, code: string | undefined) {
  const { account, knownDevice } = attempt
  const possible = recipientOf(account, flow, hasProof(attempt.state)) !== null
  const entry = { counted: subjectOf(attempt), known: knownDevice !== null, possible }
  await enterCode(ctx, slotOf(attempt, flow), code, entry).catch((error) => {
    const isSubstitute = error instanceof AppError && error.code === 'errorCode' && !possible
    if (!isSubstitute) throw error
    const cause = account ? (account.enabled ? 'unreachable' : 'disabled') : 'unknown'
    throw new SignInRefused(cause, error.code, error.data)
  })
  if (account && Object.keys(attempt.failures).length > 0) await openPasswordFlow(db(), account.id)
}

/** Returns the factor of a flow whose code is sent by e-mail or SMS. */
export const sentCode = (flow: CodeFlow): Factor => ({
  code: {
    send: (ctx, attempt) => sendCode(ctx, attempt, flow),
    state: (attempt) => codeState(attempt, flow),
  },
  async prove(ctx, attempt, { code }) {
    await proveCode(ctx, attempt, flow, code)
    return {}
  },
})
