import { db } from '@/db/client'
import { accountOfMobile } from '@/lib/accounts/users/create'
import type { Ctx } from '@/lib/base/context/ctx'
import { keyedHash } from '@/lib/base/crypto/encryption'
import { requireSmsGateway, smsFailed } from '@/lib/base/mail-and-sms/gateway-state'
import { sendSmsNow } from '@/lib/base/mail-and-sms/send-sms'
import { sendSms } from '@/lib/messaging/sender/service'
import { platformSettings } from '@/lib/site/settings/service'
import { countDaily, counterOf } from './daily-limit'
import { enterCode, limitRequests } from './enter-code'
import {
  type CodeSlot,
  type CodeState,
  codeEnd,
  freeResend,
  randomCode,
  removeCode,
  resendLeft,
  storeCode,
  takeResend,
} from './redis-code'
import { receiverSubject, requestSubject } from './subjects'

/**
 * The mobile that a person proves, and the purpose. `owner` is the id of the link, the invitation or the user that
 * needs the proof.
 */
export type MobileProof = {
  purpose: 'registration' | 'invitation' | 'contact' | 'password' | 'deletion' | 'factors'
  owner: string
  mobile: string
}

/** The templates of the SMS that differ from `mobileCode`. */
const templates = { password: 'passwordCode', deletion: 'deletionCode', factors: 'factorsCode' } as const
const templateOf = ({ purpose }: MobileProof) =>
  purpose in templates ? templates[purpose as keyof typeof templates] : 'mobileCode'

const slotOf = ({ purpose, owner, mobile }: MobileProof): CodeSlot => ({ purpose, owner, recipient: mobile })
// the same keys as at sign-in: the limits of the typed number and of the receiver count the codes of all purposes
// (docs/quality.md#s2)
const requestSubjectOf = ({ mobile }: MobileProof) => requestSubject('sms_code', 'mobile', mobile)
const receiverOf = ({ mobile }: MobileProof) => receiverSubject('sms_code', mobile)

/** Returns the state of a code that was requested, for a page that is rendered again. */
export async function mobileCodeState(proof: MobileProof): Promise<CodeState> {
  const { authCodeResendAlive } = await platformSettings()
  const [resendIn, endTime] = await Promise.all([
    resendLeft(requestSubjectOf(proof), authCodeResendAlive),
    codeEnd(slotOf(proof)),
  ])
  return { resendIn, endTime }
}

/** Stores a code and queues its SMS, in one transaction. Returns the message's id, or the error of the daily limit. */
async function queueCode(ctx: Ctx, proof: MobileProof, code: string, endTime: Date) {
  // read before the transaction: inside it, this would wait for another connection
  const { authCodeDailyLimit, mobileVerifyAlive, mobileVerifyAttempts } = await platformSettings()
  return db().transaction(async (tx) => {
    const limitError = await countDaily(tx, 'code-asked', requestSubjectOf(proof), authCodeDailyLimit, ctx.now())
    if (limitError) return limitError
    // this counter limits sign-in codes to this receiver; if their limit were applied here, it would reveal that the
    // receiver has an account
    const receiverError = await countDaily(tx, 'code', receiverOf(proof), authCodeDailyLimit, ctx.now())
    const counter = counterOf('code-asked', requestSubjectOf(proof), ctx.now())
    await storeCode(slotOf(proof), code, { alive: mobileVerifyAlive, attempts: mobileVerifyAttempts, endTime })
    return sendSms(tx, ctx, {
      template: templateOf(proof),
      to: proof.mobile,
      userId: ctx.user?.id ?? null,
      // a person without an account gets the language of this page
      locale: ctx.locale,
      values: { code },
      expiresAt: endTime,
      counter: receiverError ? counter : { ...counter, also: counterOf('code', receiverOf(proof), ctx.now()) },
      triedFirst: true,
    })
  })
}

/**
 * Sends a code that proves a mobile (docs/rules/codes.md#a-code), and returns the code's state. Within the resend time
 * it sends nothing. `count` counts the code for the sender; of parallel requests only the one that sends calls it. The
 * SMS is sent before the answer: if that fails, nothing is counted and another code may be requested at once. Throws
 * 429 codeDailyLimit, 429 tooManyAttempts by address, 503 smsUnavailable, and 503 without Redis.
 */
export async function sendMobileCode(ctx: Ctx, proof: MobileProof, count?: () => Promise<unknown>): Promise<CodeState> {
  const { authCodeDigits, authCodeResendAlive, mobileVerifyAlive } = await platformSettings()
  const subject = requestSubjectOf(proof)
  await limitRequests(ctx, false)
  await requireSmsGateway()
  const wait = await takeResend(subject, authCodeResendAlive)
  if (wait > 0) return mobileCodeState(proof)
  const code = randomCode(authCodeDigits)
  const endTime = new Date(ctx.now().getTime() + mobileVerifyAlive * 1000)
  try {
    await count?.()
    const queued = await queueCode(ctx, proof, code, endTime)
    if (typeof queued !== 'string') throw queued
    if (!(await sendSmsNow(queued, ctx.now()))) {
      await removeCode(slotOf(proof)).catch(() => 0)
      throw smsFailed()
    }
  } catch (error) {
    await freeResend(subject).catch(() => 0)
    throw error
  }
  return { resendIn: authCodeResendAlive, endTime: endTime.toISOString() }
}

/**
 * Returns the key under which wrong entries are counted: that of the account that proves a contact or has the mobile,
 * else that of the mobile.
 */
async function entryKeyOf(ctx: Ctx, { purpose, mobile }: MobileProof): Promise<string> {
  const provesOwnContact = purpose !== 'registration' && purpose !== 'invitation'
  const userId = provesOwnContact ? ctx.user?.id : await accountOfMobile(mobile)
  return userId ? `account ${userId}` : keyedHash('identifiers', `mobile ${mobile}`)
}

/**
 * Uses up a right code. Throws 400 with the fault: wrong, expired (with `expired`), or too many wrong entries. While
 * the codes of the receiver are suspended, throws the same for every code. Throws 429 by address.
 */
export async function proveMobile(ctx: Ctx, proof: MobileProof, code: string) {
  const counted = await entryKeyOf(ctx, proof)
  await enterCode(ctx, slotOf(proof), code, { counted, known: false, possible: true })
}
