import { db } from '@/db/client'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput, ServiceOutput } from '@/lib/base/contracts/contract'
import { hashPassword } from '@/lib/base/crypto/password'
import { enqueue } from '@/lib/base/jobs/jobs'
import { AppError, notFound } from '@/lib/base/runtime/errors'
import { isDirectoryEmail } from '@/lib/identity-providers/connections/service'
import { platformSettings } from '@/lib/site/settings/service'
import { pendingAgreements, requireAgreement, requireFaultless, storeAgreements } from '../agreements/service'
import { currentAttempt } from '../attempts/attempt'
import { signInByNewPassword } from '../attempts/by-new-password'
import { normalizeIdentifier } from '../attempts/identifier'
import { settleAccount } from '../attempts/settle'
import { countDaily } from '../codes/daily-limit'
import { freeResend, takeResend } from '../codes/redis-code'
import { type Link, linkState, liveLink, useLink } from '../email-links/service'
import { forgetPasswordEntries } from '../factors/password/throttle'
import { mailOwner } from '../mail-owner'
import { clearSessionCookie, deviceHashOf } from '../sessions/service'
import type * as calls from './contract'
import { newPasswordFaults } from './policy'
import { lockAccount, type PasswordAccount, selectPasswordAccount } from './queries'
import { countLinkRequest, countNewPassword } from './recovery-limits'
import { replacePassword } from './replace'

/**
 * Requests a recovery link. A job looks up whether the e-mail has an account, so that neither the answer nor its time
 * reveals it. Returns the seconds until a link may be requested again. Within the resend time nothing is sent. Throws
 * 400 for an invalid e-mail, 429 recoveryDailyLimit, 429 by address, and 503 without Redis. For every e-mail of a
 * claimed mail domain it throws 405 directoryAccount instead of answering; the job then still writes to accounts of
 * that e-mail that no directory keeps (docs/rules/recovery.md#asking-for-a-link).
 */
export async function passwordLink(
  ctx: Ctx,
  { body }: ServiceInput<typeof calls.passwordLink>,
): Promise<ServiceOutput<typeof calls.passwordLink>> {
  const email = normalizeIdentifier('email', body.email)
  await countLinkRequest(ctx.ip)
  const answer = await requestLinks(ctx, email)
  if (await isDirectoryEmail(email)) throw new AppError(405, 'directoryAccount')
  if (answer instanceof AppError) throw answer
  return answer
}

/**
 * Enqueues the job that writes to the accounts of an e-mail. Returns the seconds until a link may be requested again,
 * or the error of the limit.
 */
async function requestLinks(ctx: Ctx, email: string): Promise<{ resendIn: number } | AppError> {
  const { authCodeResendAlive, passwordRefreshAttempts } = await platformSettings()
  const subject = `recovery ${email}`
  const wait = await takeResend(subject, authCodeResendAlive)
  if (wait > 0) return { resendIn: wait }
  try {
    const refusal = await db().transaction(async (tx) => {
      const limitError = await countDaily(tx, 'recovery', email, passwordRefreshAttempts, ctx.now())
      if (limitError) return new AppError(429, 'recoveryDailyLimit', {}, limitError.retryAfter)
      const { host } = new URL(ctx.domain.origin)
      await enqueue(tx, 'recoveryLinks', { email, host, locale: ctx.locale, ip: ctx.ip }, { maxAttempts: 5 })
      return null
    })
    if (!refusal) return { resendIn: authCodeResendAlive }
    await freeResend(subject).catch(() => 0)
    return refusal
  } catch (error) {
    await freeResend(subject).catch(() => 0)
    throw error
  }
}

/** Returns a live link with its account and the account's pending agreements. Throws the state of a dead link. */
async function recoveryOf(ctx: Ctx, id: string) {
  const link = await liveLink(ctx, 'recovery', id)
  const account = link.userId ? await selectPasswordAccount(link.userId) : null
  if (!account) throw notFound()
  // the account was disabled, or a directory took it over, after the link was sent
  if (!account.enabled || account.providerId) throw new AppError(403, 'canceledError', { expired: false })
  return { link, account, terms: await pendingAgreements(ctx, account.agreed) }
}

/** Checks that the link is live and no agreement is pending. Throws the state of a dead link, or 403 termsRequired. */
export async function passwordLinkStatus(ctx: Ctx, { params: { id } }: ServiceInput<typeof calls.passwordLinkStatus>) {
  const { terms } = await recoveryOf(ctx, id)
  requireAgreement(terms)
  return {}
}

/** Returns the state of a recovery link for its page: the data of the form, or why the link is dead. */
export const recoveryLinkState = (ctx: Ctx, id: string) =>
  linkState(async () => {
    const { account, terms } = await recoveryOf(ctx, id)
    return { login: account.login, terms }
  })

type PendingTerms = Awaited<ReturnType<typeof pendingAgreements>>

/** Stores a new password and all related changes in one transaction. Returns the function to call after the commit. */
async function storeNewPassword(
  ctx: Ctx,
  link: Link,
  account: PasswordAccount,
  passwordHash: string,
  terms: PendingTerms,
) {
  // an attempt of this browser without a proof continues, so that the person needn't type their login again
  const attempt = await currentAttempt(ctx)
  const keptAttempt = attempt?.state.proven.length === 0 ? attempt.id : null
  return db().transaction(async (tx) => {
    await lockAccount(tx, account.id)
    await useLink(tx, link, ctx.now())
    const afterReplacing = await replacePassword(tx, ctx, account, { passwordHash, keptAttempt })
    const afterSettling = await settleAccount(tx, ctx, account.id, {
      setsPassword: true,
      attempt: keptAttempt ?? undefined,
    })
    await storeAgreements(tx, ctx, account.id, terms)
    await mailOwner(tx, ctx, account)
    return () => afterReplacing().then(afterSettling)
  })
}

/**
 * Sets a new password by a recovery link, once: of parallel requests one succeeds, the others get 409. Ends the
 * account's sessions, mails its owner, and signs them in if the password is all that their schema demands
 * (docs/rules/recovery.md#signing-in-afterwards). Throws 400 with the faulty fields, the state of a dead
 * link, 403 termsRequired, 429.
 */
export async function setPassword(
  ctx: Ctx,
  { params: { id }, body }: ServiceInput<typeof calls.setPassword>,
): Promise<ServiceOutput<typeof calls.setPassword>> {
  await countNewPassword(ctx.ip)
  const { link, account, terms } = await recoveryOf(ctx, id)
  const { password, repeatPassword, termsAgree } = body
  const errorList = await newPasswordFaults(ctx, { password, repeatPassword, userId: account.id })
  const agreed = requireFaultless(errorList, terms, termsAgree)
  const afterCommit = await storeNewPassword(ctx, link, account, await hashPassword(password), agreed)
  await afterCommit()
  if (ctx.user) clearSessionCookie(ctx)
  await forgetPasswordEntries(account, deviceHashOf(ctx))
  return { next: 'done', redirect: (await signInByNewPassword(ctx, account.id)) ?? '/platform/login' }
}
