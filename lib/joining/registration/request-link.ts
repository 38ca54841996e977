import { db, type Transaction } from '@/db/client'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput, ServiceOutput } from '@/lib/base/contracts/contract'
import { encrypt } from '@/lib/base/crypto/encryption'
import { enqueue } from '@/lib/base/jobs/jobs'
import { AppError, type FieldError } from '@/lib/base/runtime/errors'
import { namesFrom } from '@/lib/fields/names'
import { nameFaults, personForm } from '@/lib/fields/profile-fields/person-form'
import { isDirectoryEmail } from '@/lib/identity-providers/connections/service'
import { pendingAgreements, requireFaultless } from '@/lib/sign-in/agreements/service'
import { normalizeIdentifier } from '@/lib/sign-in/attempts/identifier'
import { countDaily, dailyBlock } from '@/lib/sign-in/codes/daily-limit'
import { freeResend, takeResend } from '@/lib/sign-in/codes/redis-code'
import type { Settings } from '@/lib/site/settings/definitions'
import type * as calls from './contract'
import { linksOfAddress } from './limits'
import { openRegistration } from './rules'

/** Returns the e-mail in lower case, or its faults. */
function emailFrom(typed: string): { email: string; faults: FieldError[] } {
  try {
    return { email: normalizeIdentifier('email', typed), faults: [] }
  } catch (error) {
    if (error instanceof AppError && error.data.errorList) return { email: '', faults: error.data.errorList }
    throw error
  }
}

const withCode = (limitError: AppError | null, code: string) =>
  limitError && new AppError(429, code, {}, limitError.retryAfter)

/** Counts a link against the daily limits. Returns the error to throw after the commit, or null. */
async function countLink(tx: Transaction, ctx: Ctx, email: string, settings: Settings): Promise<AppError | null> {
  const { registrationsPerIp, authCodeDailyLimit } = settings
  const now = ctx.now()
  // a blocked address must not use up the limits of other people's e-mails
  const ofAddress = linksOfAddress(ctx.ip, registrationsPerIp)
  for (const { kind, subject, limit } of ofAddress) {
    const blocked = await dailyBlock(tx, kind, subject, limit, now)
    if (blocked) return withCode(blocked, 'registrationDailyLimit')
  }
  const byEmail = await countDaily(tx, 'registration-email', email, authCodeDailyLimit, now)
  if (byEmail) return withCode(byEmail, 'registrationEmailLimit')
  // the limit of the /48 first, because several networks share it
  for (const { kind, subject, limit } of ofAddress.toReversed()) {
    const byAddress = await countDaily(tx, kind, subject, limit, now)
    if (byAddress) return withCode(byAddress, 'registrationDailyLimit')
  }
  return null
}

/**
 * Handles the first step: enqueues the job that mails the link, unless the resend time isn't over. Only the job looks
 * up whether the e-mail has an account, so that the answer and its time are the same. Returns the seconds until the
 * next link. Throws 400 with the faults, 403 termsRequired or registrationDisabled, 405 directoryAccount, 429.
 */
export async function registrationLink(
  ctx: Ctx,
  { body }: ServiceInput<typeof calls.registrationLink>,
): Promise<ServiceOutput<typeof calls.registrationLink>> {
  const settings = await openRegistration()
  const [form, pending] = await Promise.all([personForm(ctx), pendingAgreements(ctx, [])])
  const { email, faults } = emailFrom(body.email)
  const agreed = requireFaultless([...nameFaults(form, body, ctx.locale), ...faults], pending, body.termsAgree)
  if (await isDirectoryEmail(email)) throw new AppError(405, 'directoryAccount')

  const resend = `registration ${email}`
  const wait = await takeResend(resend, settings.authCodeResendAlive)
  if (wait > 0) return { resendIn: wait }
  const request = {
    email,
    names: namesFrom(body, ctx.locale),
    agreed: agreed.map(({ id, version }) => ({ documentId: id, version })),
  }
  const payload = {
    told: encrypt('messages', JSON.stringify(request), 'registration'),
    host: new URL(ctx.domain.origin).host,
    locale: ctx.locale,
  }
  try {
    const refusal = await db().transaction(async (tx) => {
      const limitError = await countLink(tx, ctx, email, settings)
      if (!limitError) await enqueue(tx, 'registrationMail', payload, { maxAttempts: 12 })
      return limitError
    })
    if (refusal) throw refusal
  } catch (error) {
    await freeResend(resend).catch(() => 0)
    throw error
  }
  return { resendIn: settings.authCodeResendAlive }
}
