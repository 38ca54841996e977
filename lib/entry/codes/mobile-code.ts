import { db } from '@/db/client'
import type { Ctx } from '@/lib/kernel/ctx'
import { AppError } from '@/lib/kernel/errors'
import { sendSmsNow } from '@/lib/kernel/messages/deliver-sms'
import { requireSmsGateway, smsFailed } from '@/lib/kernel/messages/gateway-state'
import { sendSms } from '@/lib/platform/sender/service'
import { platformSettings } from '@/lib/platform/settings/service'
import { countDaily, counterOf } from './daily-limit'
import {
  type CodeSlot,
  codeEnd,
  dropCode,
  enterCode,
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
// the same words as at sign-in: the limits count the receiver, whatever the code is for (S2)
const subjectOf = ({ mobile }: MobileProof) => `sms_code ${mobile}`

/** What is known of a code that was asked for, for a page that is drawn again. */
export async function mobileCodeState(proof: MobileProof): Promise<MobileCodeState> {
  const [resendIn, endTime] = await Promise.all([resendLeft(subjectOf(proof)), codeEnd(slotOf(proof))])
  return { resendIn, endTime }
}

/** Stores a code and writes its SMS, in one transaction. Gives the message's id, or why no more may be sent today. */
function writeCode(ctx: Ctx, proof: MobileProof, code: string, endTime: Date) {
  const subject = subjectOf(proof)
  return db().transaction(async (tx) => {
    const { authCodeDailyLimit, mobileVerifyAlive, mobileVerifyAttempts } = await platformSettings()
    const limit = await countDaily(tx, 'code', subject, authCodeDailyLimit, ctx.now())
    if (limit) return limit
    await storeCode(slotOf(proof), code, { alive: mobileVerifyAlive, attempts: mobileVerifyAttempts, endTime })
    return sendSms(tx, ctx, {
      template: 'mobileCode',
      to: proof.mobile,
      userId: ctx.user?.id ?? null,
      values: { code },
      expiresAt: endTime,
      counter: counterOf('code', subject, ctx.now()),
      triedFirst: true,
    })
  })
}

/**
 * Sends a code that proves a mobile (decisions.md section 7: mobileVerifyAlive, mobileVerifyAttempts). Within the
 * resend time it answers what is left and sends nothing. The SMS leaves before the answer: when it can't, nothing is
 * counted and another may be asked for at once. Throws 429 codeDailyLimit, 503 smsUnavailable, 503 without Redis.
 */
export async function sendMobileCode(ctx: Ctx, proof: MobileProof): Promise<MobileCodeState> {
  const { authCodeDigits, authCodeResendAlive, mobileVerifyAlive } = await platformSettings()
  const subject = subjectOf(proof)
  await requireSmsGateway()
  const wait = await takeResend(subject, authCodeResendAlive)
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
    await freeResend(subject).catch(() => 0)
    throw error
  }
  return { resendIn: authCodeResendAlive, endTime: endTime.toISOString() }
}

const verdicts = { wrong: 'errorCode', expired: 'errorCodeExpired', exceeded: 'errorCodeAttempts' } as const

/** Uses a right code up. Throws 400 with what is wrong with it: wrong, expired (with `expired`), or too many tries. */
export async function proveMobile(proof: MobileProof, code: string) {
  const verdict = await enterCode(slotOf(proof), code)
  if (verdict === 'right') return
  throw new AppError(400, verdicts[verdict], {
    errorList: [{ field: 'code', code: verdicts[verdict] }],
    ...(verdict === 'expired' ? { expired: true } : {}),
  })
}
