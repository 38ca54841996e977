import { db } from '@/db/client'
import type { Ctx } from '@/lib/base/context/ctx'
import { greetingFrom } from '@/lib/fields/names'
import { sendMail } from '@/lib/messaging/sender/service'
import { platformSettings } from '@/lib/site/settings/service'
import { countDaily, counterOf } from './daily-limit'
import { limitRequests } from './enter-code'
import type { MobileCodeState } from './mobile-code'
import { type CodeSlot, codeEnd, freeResend, randomCode, resendLeft, storeCode, takeResend } from './redis-code'
import { askedFor, sentTo } from './subjects'

/** What a signed-in person proves an e-mail for. `owner` is the id of their account. */
export type EmailProof = { purpose: 'contact' | 'password' | 'deletion'; owner: string; email: string }

const templates = { contact: 'contactCode', password: 'passwordCode', deletion: 'deletionCode' } as const

// an owner has one code of a purpose for each kind of receiver
export const emailSlot = ({ purpose, owner, email }: EmailProof): CodeSlot => ({
  purpose,
  owner: `${owner} email`,
  recipient: email,
})
// the same keys as at sign-in: the limits count the typed e-mail and the receiver for all purposes together
const askedAs = ({ email }: EmailProof) => askedFor('email_code', 'email', email)
const receiverOf = ({ email }: EmailProof) => sentTo('email_code', email)

/** The name of the greeting. An address that isn't proven may be a stranger's, who must not get a text of the sender's choice. */
const greeted = ({ user }: Ctx, { purpose }: EmailProof) =>
  user && purpose === 'contact' ? greetingFrom(user) : (user?.firstName ?? '')

/** Returns the state of a code that was requested. */
export async function emailCodeState(proof: EmailProof): Promise<MobileCodeState> {
  const { authCodeResendAlive } = await platformSettings()
  const [resendIn, endTime] = await Promise.all([
    resendLeft(askedAs(proof), authCodeResendAlive),
    codeEnd(emailSlot(proof)),
  ])
  return { resendIn, endTime }
}

/**
 * Mails a code that proves an e-mail, and returns its state; within the resend time it sends nothing. Nothing is looked
 * up, so the answer is the same whoever has the e-mail. `count` counts it for the sender, of requests at once only for the
 * one that sends. Throws 429 codeDailyLimit, 429 tooManyAttempts by address, and 503 without Redis.
 */
export async function sendEmailCode(
  ctx: Ctx,
  proof: EmailProof,
  count: () => Promise<unknown>,
): Promise<MobileCodeState> {
  const { authCodeDigits, authCodeResendAlive, authCodeDailyLimit, mobileVerifyAlive, mobileVerifyAttempts } =
    await platformSettings()
  const asked = askedAs(proof)
  await limitRequests(ctx, false)
  const wait = await takeResend(asked, authCodeResendAlive)
  if (wait > 0) return emailCodeState(proof)
  const code = randomCode(authCodeDigits)
  const now = ctx.now()
  const endTime = new Date(now.getTime() + mobileVerifyAlive * 1000)
  try {
    await count()
    const refused = await db().transaction(async (tx) => {
      const limit = await countDaily(tx, 'code-asked', asked, authCodeDailyLimit, now)
      if (limit) return limit
      // sign-in codes to this receiver obey this count; obeying theirs here would reveal that it has an account
      const full = await countDaily(tx, 'code', receiverOf(proof), authCodeDailyLimit, now)
      const counter = counterOf('code-asked', asked, now)
      await storeCode(emailSlot(proof), code, { alive: mobileVerifyAlive, attempts: mobileVerifyAttempts, endTime })
      await sendMail(tx, ctx, {
        template: templates[proof.purpose],
        to: proof.email,
        userId: ctx.user?.id ?? null,
        // who proves it without an account reads the language of this page
        locale: ctx.locale,
        values: { name: greeted(ctx, proof), code, minutes: Math.max(1, Math.round(mobileVerifyAlive / 60)) },
        expiresAt: endTime,
        counter: full ? counter : { ...counter, also: counterOf('code', receiverOf(proof), now) },
      })
      return null
    })
    if (refused) throw refused
  } catch (error) {
    await freeResend(asked).catch(() => 0)
    throw error
  }
  return { resendIn: authCodeResendAlive, endTime: endTime.toISOString() }
}
