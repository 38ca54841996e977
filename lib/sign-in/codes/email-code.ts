import { db } from '@/db/client'
import type { Ctx } from '@/lib/base/context/ctx'
import { greetingFrom } from '@/lib/fields/names'
import { sendMail } from '@/lib/messaging/sender/service'
import { platformSettings } from '@/lib/site/settings/service'
import { countDaily, counterOf } from './daily-limit'
import { limitRequests } from './enter-code'
import {
  type CodeSlot,
  type CodeState,
  codeEnd,
  freeResend,
  randomCode,
  resendLeft,
  storeCode,
  takeResend,
} from './redis-code'
import { receiverSubject, requestSubject } from './subjects'

/** The e-mail that a signed-in person proves, and the purpose. `owner` is the id of their account. */
export type EmailProof = { purpose: 'contact' | 'password' | 'deletion' | 'factors'; owner: string; email: string }

const templates = {
  contact: 'contactCode',
  password: 'passwordCode',
  deletion: 'deletionCode',
  factors: 'factorsCode',
} as const

// an owner has one code of a purpose for each kind of receiver
export const emailSlot = ({ purpose, owner, email }: EmailProof): CodeSlot => ({
  purpose,
  owner: `${owner} email`,
  recipient: email,
})
// the same keys as at sign-in: the limits of the typed e-mail and of the receiver count the codes of all purposes
const requestSubjectOf = ({ email }: EmailProof) => requestSubject('email_code', 'email', email)
const receiverOf = ({ email }: EmailProof) => receiverSubject('email_code', email)

/**
 * Returns the name in the greeting. An e-mail that isn't proven may be a stranger's, who must not get a text that the
 * sender chooses.
 */
const greetingName = ({ user }: Ctx, { purpose }: EmailProof) =>
  user && purpose === 'contact' ? greetingFrom(user) : (user?.firstName ?? '')

/** Returns the state of a code that was requested. */
export async function emailCodeState(proof: EmailProof): Promise<CodeState> {
  const { authCodeResendAlive } = await platformSettings()
  const [resendIn, endTime] = await Promise.all([
    resendLeft(requestSubjectOf(proof), authCodeResendAlive),
    codeEnd(emailSlot(proof)),
  ])
  return { resendIn, endTime }
}

/**
 * Mails a code that proves an e-mail, and returns the code's state. Within the resend time it sends nothing. It doesn't
 * look up accounts, so the answer is the same whether or not the e-mail has one. `count` counts the code for the
 * sender; of parallel requests only the one that sends calls it. Throws 429 codeDailyLimit, 429 tooManyAttempts by
 * address, and 503 without Redis.
 */
export async function sendEmailCode(ctx: Ctx, proof: EmailProof, count: () => Promise<unknown>): Promise<CodeState> {
  const { authCodeDigits, authCodeResendAlive, authCodeDailyLimit, mobileVerifyAlive, mobileVerifyAttempts } =
    await platformSettings()
  const subject = requestSubjectOf(proof)
  await limitRequests(ctx, false)
  const wait = await takeResend(subject, authCodeResendAlive)
  if (wait > 0) return emailCodeState(proof)
  const code = randomCode(authCodeDigits)
  const now = ctx.now()
  const endTime = new Date(now.getTime() + mobileVerifyAlive * 1000)
  try {
    await count()
    const refusal = await db().transaction(async (tx) => {
      const limitError = await countDaily(tx, 'code-asked', subject, authCodeDailyLimit, now)
      if (limitError) return limitError
      // this counter limits sign-in codes to this receiver; if their limit were applied here, it would reveal that the
      // receiver has an account
      const receiverError = await countDaily(tx, 'code', receiverOf(proof), authCodeDailyLimit, now)
      const counter = counterOf('code-asked', subject, now)
      await storeCode(emailSlot(proof), code, { alive: mobileVerifyAlive, attempts: mobileVerifyAttempts, endTime })
      await sendMail(tx, ctx, {
        template: templates[proof.purpose],
        to: proof.email,
        userId: ctx.user?.id ?? null,
        // a person without an account gets the language of this page
        locale: ctx.locale,
        values: { name: greetingName(ctx, proof), code, minutes: Math.max(1, Math.round(mobileVerifyAlive / 60)) },
        expiresAt: endTime,
        counter: receiverError ? counter : { ...counter, also: counterOf('code', receiverOf(proof), now) },
      })
      return null
    })
    if (refusal) throw refusal
  } catch (error) {
    await freeResend(subject).catch(() => 0)
    throw error
  }
  return { resendIn: authCodeResendAlive, endTime: endTime.toISOString() }
}
