import { db } from '@/db/client'
import { keyedHash } from '@/lib/kernel/crypto/secrets'
import type { Ctx } from '@/lib/kernel/ctx'
import { sendSmsNow } from '@/lib/kernel/messages/deliver-sms'
import { requireSmsGateway, smsFailed } from '@/lib/kernel/messages/gateway-state'
import { accountOfMobile } from '@/lib/people/users/create'
import { sendSms } from '@/lib/platform/sender/service'
import { platformSettings } from '@/lib/platform/settings/service'
import { countDaily, counterOf } from './daily-limit'
import { countAsked, enterCode } from './enter-code'
import {
  type CodeSlot,
  codeEnd,
  dropCode,
  freeResend,
  randomCode,
  resendLeft,
  storeCode,
  takeResend,
} from './redis-code'

/** What a mobile is proven for. `owner` is the id of the row that asks: a link, an invitation, a user. */
export type MobileProof = { purpose: 'registration' | 'invitation' | 'contact'; owner: string; mobile: string }

export type MobileCodeState = {
  /** Seconds until a code may be asked for again, 0 = now. */
  resendIn: number
  /** End of the code's validity, ISO 8601 UTC; null when there is none. */
  endTime: string | null
}

const slotOf = ({ purpose, owner, mobile }: MobileProof): CodeSlot => ({ purpose, owner, recipient: mobile })
// the same words as at sign-in: the limits count what was typed and the receiver, whatever the code is for
// (docs/quality.md#s2)
const askedAs = ({ mobile }: MobileProof) => `sms_code mobile ${mobile}`
const receiverOf = ({ mobile }: MobileProof) => `sms_code ${mobile}`

/** What is known of a code that was asked for, for a page that is drawn again. */
export async function mobileCodeState(proof: MobileProof): Promise<MobileCodeState> {
  const [resendIn, endTime] = await Promise.all([resendLeft(askedAs(proof)), codeEnd(slotOf(proof))])
  return { resendIn, endTime }
}

/** Stores a code and writes its SMS, in one transaction. Gives the message's id, or why no more may be sent today. */
async function writeCode(ctx: Ctx, proof: MobileProof, code: string, endTime: Date) {
  // before the transaction: within it they would wait for another connection
  const { authCodeDailyLimit, mobileVerifyAlive, mobileVerifyAttempts } = await platformSettings()
  return db().transaction(async (tx) => {
    const limit = await countDaily(tx, 'code-asked', askedAs(proof), authCodeDailyLimit, ctx.now())
    if (limit) return limit
    // sign-in codes that come by other names of the receiver heed this count; to heed theirs here would show the names
    const full = await countDaily(tx, 'code', receiverOf(proof), authCodeDailyLimit, ctx.now())
    const counter = counterOf('code-asked', askedAs(proof), ctx.now())
    await storeCode(slotOf(proof), code, { alive: mobileVerifyAlive, attempts: mobileVerifyAttempts, endTime })
    return sendSms(tx, ctx, {
      template: 'mobileCode',
      to: proof.mobile,
      userId: ctx.user?.id ?? null,
      values: { code },
      expiresAt: endTime,
      counter: full ? counter : { ...counter, also: counterOf('code', receiverOf(proof), ctx.now()) },
      triedFirst: true,
    })
  })
}

/**
 * Sends a code that proves a mobile (docs/rules/codes.md#a-code: mobileVerifyAlive, mobileVerifyAttempts). Within the
 * resend time it answers what is left and sends nothing. The SMS leaves before the answer: when it can't, nothing is
 * counted and another may be asked for at once. Throws 429 codeDailyLimit and
 * tooManyAttempts by address, 503 smsUnavailable, 503 without Redis.
 */
export async function sendMobileCode(ctx: Ctx, proof: MobileProof): Promise<MobileCodeState> {
  const { authCodeDigits, authCodeResendAlive, mobileVerifyAlive } = await platformSettings()
  const asked = askedAs(proof)
  await countAsked(ctx, false)
  await requireSmsGateway()
  const wait = await takeResend(asked, authCodeResendAlive)
  if (wait > 0) return mobileCodeState(proof)
  const code = randomCode(authCodeDigits)
  const endTime = new Date(ctx.now().getTime() + mobileVerifyAlive * 1000)
  try {
    const written = await writeCode(ctx, proof, code, endTime)
    if (typeof written !== 'string') throw written
    if (!(await sendSmsNow(written, ctx.now()))) {
      await dropCode(slotOf(proof)).catch(() => 0)
      throw smsFailed()
    }
  } catch (error) {
    await freeResend(asked).catch(() => 0)
    throw error
  }
  return { resendIn: authCodeResendAlive, endTime: endTime.toISOString() }
}

/** Whose wrong entries these are: of the account that proves a contact or has the mobile, else of the mobile. */
async function countedFor(ctx: Ctx, { purpose, mobile }: MobileProof): Promise<string> {
  const userId = purpose === 'contact' ? ctx.user?.id : await accountOfMobile(mobile)
  return userId ? `account ${userId}` : keyedHash('identifiers', `mobile ${mobile}`)
}

/**
 * Uses a right code up. Throws 400 with what is wrong with it: wrong, expired (with `expired`), or too many tries; for
 * every code while the receiver's rest; 429 by address.
 */
export async function proveMobile(ctx: Ctx, proof: MobileProof, code: string) {
  const counted = await countedFor(ctx, proof)
  await enterCode(ctx, slotOf(proof), code, { counted, known: false, possible: true })
}
