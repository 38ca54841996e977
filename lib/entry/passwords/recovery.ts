import { db } from '@/db/client'
import { pendingAgreements, requireAgreement, requireFaultless, storeAgreements } from '@/lib/entry/agreements/service'
import { countDaily } from '@/lib/entry/codes/daily-limit'
import { freeResend, takeResend } from '@/lib/entry/codes/redis-code'
import { type Link, linkState, liveLink, useLink } from '@/lib/entry/links/service'
import { deviceName } from '@/lib/entry/sessions/device'
import { deviceHashOf, dropSessionCookie } from '@/lib/entry/sessions/service'
import { currentAttempt } from '@/lib/entry/sign-in/attempt'
import { normalizeIdentifier } from '@/lib/entry/sign-in/identifier'
import { forgetPasswordTries } from '@/lib/entry/sign-in/throttle'
import { hashPassword } from '@/lib/kernel/crypto/password'
import type { Ctx } from '@/lib/kernel/ctx'
import { AppError, notFound } from '@/lib/kernel/errors'
import type { VerbInput, VerbOutput } from '@/lib/kernel/http/contract'
import { enqueue } from '@/lib/kernel/jobs'
import { isDirectoryEmail } from '@/lib/people/providers/service'
import { sendMail } from '@/lib/platform/sender/service'
import { platformSettings } from '@/lib/platform/settings/service'
import type { passwordLink, passwordLinkStatus, setPassword } from './contract'
import { newPasswordFaults } from './policy'
import { holdAccount, type PasswordAccount, passwordOf } from './queries'
import { countAsking, countSetting } from './recovery-limits'
import { replacePassword } from './replace'

/**
 * Takes a wish for a recovery link. Whether the e-mail has an account is found out by a job, so that the answer and
 * its time tell nothing. Within the resend time it answers what is left and sends nothing. Throws 400 for what is no
 * e-mail, 405 directoryAccount, 429 recoveryDailyLimit and by address, 503 without Redis.
 */
export async function requestRecovery(
  ctx: Ctx,
  { body }: VerbInput<typeof passwordLink>,
): Promise<VerbOutput<typeof passwordLink>> {
  const email = normalizeIdentifier('email', body.email)
  await countAsking(ctx.ip)
  if (await isDirectoryEmail(email)) throw new AppError(405, 'directoryAccount')
  const { authCodeResendAlive, passwordRefreshAttempts } = await platformSettings()
  const subject = `recovery ${email}`
  const wait = await takeResend(subject, authCodeResendAlive)
  if (wait > 0) return { resendIn: wait }
  try {
    const refused = await db().transaction(async (tx) => {
      const limit = await countDaily(tx, 'recovery', email, passwordRefreshAttempts, ctx.now())
      if (limit) return new AppError(429, 'recoveryDailyLimit', {}, limit.retryAfter)
      const { host } = new URL(ctx.domain.origin)
      await enqueue(tx, 'recoveryLinks', { email, host, locale: ctx.locale, ip: ctx.ip }, { maxAttempts: 5 })
      return null
    })
    if (refused) throw refused
  } catch (error) {
    await freeResend(subject).catch(() => 0)
    throw error
  }
  return { resendIn: authCodeResendAlive }
}

/** A live link with its account and what that must agree to here. Throws the link's state. */
async function recoveryOf(ctx: Ctx, id: string) {
  const link = await liveLink(ctx, 'recovery', id)
  const account = link.userId ? await passwordOf(link.userId) : null
  if (!account) throw notFound()
  // disabled, or taken over by a directory, since the link went out
  if (!account.enabled || account.providerId) throw new AppError(403, 'canceledError', { expired: false })
  return { link, account, terms: await pendingAgreements(ctx, account.agreed) }
}

/** Tells whether the link is live and nothing is left to agree to; throws its state, or 403 termsRequired. */
export async function recoveryStatus(ctx: Ctx, { params: { id } }: VerbInput<typeof passwordLinkStatus>) {
  const { terms } = await recoveryOf(ctx, id)
  requireAgreement(terms)
  return {}
}

/** What the page of a recovery link shows: its form, or why the link is of no use. */
export const recoveryLinkState = (ctx: Ctx, id: string) =>
  linkState(async () => {
    const { account, terms } = await recoveryOf(ctx, id)
    return { login: account.login, terms }
  })

type PendingTerms = Awaited<ReturnType<typeof pendingAgreements>>

async function tellOwner(tx: Parameters<typeof sendMail>[0], ctx: Ctx, account: PasswordAccount) {
  if (!account.email) return
  const values = {
    name: account.firstName,
    date: ctx.now(),
    ip: ctx.ip,
    device: deviceName(ctx),
    link: `${ctx.domain.origin}/platform/forgot-password`,
  }
  const { email: to, id: userId, lang: locale } = account
  await sendMail(tx, ctx, { template: 'passwordChanged', to, userId, locale, values })
}

/** Everything that a new password by a link means, in one transaction. Gives what to call after it. */
async function store(ctx: Ctx, link: Link, account: PasswordAccount, passwordHash: string, terms: PendingTerms) {
  // a sign-in in this browser that has proven nothing goes on: the person needn't say again who signs in
  const attempt = await currentAttempt(ctx)
  const keptAttempt = attempt?.state.proven.length === 0 ? attempt.id : null
  return db().transaction(async (tx) => {
    await holdAccount(tx, account.id)
    await useLink(tx, link, ctx.now())
    const forgetEnded = await replacePassword(tx, ctx, account, { passwordHash, keptAttempt })
    await storeAgreements(tx, ctx, account.id, terms)
    await tellOwner(tx, ctx, account)
    return forgetEnded
  })
}

/**
 * Sets a new password by a recovery link, once: of parallel tries one wins, the others get 409. Ends the account's
 * sessions, tells its owner by mail, and signs nobody in. Throws 400 with the fields at fault, the link's state,
 * 403 termsRequired, 429.
 */
export async function setPasswordByLink(
  ctx: Ctx,
  { params: { id }, body }: VerbInput<typeof setPassword>,
): Promise<VerbOutput<typeof setPassword>> {
  await countSetting(ctx.ip)
  const { link, account, terms } = await recoveryOf(ctx, id)
  const { password, repeatPassword, termsAgree } = body
  const errorList = await newPasswordFaults(ctx, { password, repeatPassword, userId: account.id })
  const agreed = requireFaultless(errorList, terms, termsAgree)
  const forgetEnded = await store(ctx, link, account, await hashPassword(password), agreed)
  await forgetEnded()
  if (ctx.user) dropSessionCookie(ctx)
  await forgetPasswordTries(account, deviceHashOf(ctx))
  return { next: 'done', redirect: '/platform/login' }
}
