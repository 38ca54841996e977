import { sql } from 'drizzle-orm'
import { db } from '@/db/client'
import { accountsOfEmail, createAccount } from '@/lib/accounts/users/create'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput, ServiceOutput } from '@/lib/base/contracts/contract'
import { hashPassword } from '@/lib/base/crypto/password'
import { emit } from '@/lib/base/events/events'
import { takePoints } from '@/lib/base/limits/limits'
import { AppError, type FieldError } from '@/lib/base/runtime/errors'
import { emailOf, loginOf } from '@/lib/base/text/email'
import { mobileFrom } from '@/lib/base/text/mobile'
import { type Names, namesFrom } from '@/lib/fields/names'
import { checkFurther } from '@/lib/fields/profile-fields/further-fields'
import { nameFaults, type PersonForm, personForm } from '@/lib/fields/profile-fields/person-form'
import { isDirectoryEmail } from '@/lib/identity-providers/connections/service'
import { sendMail } from '@/lib/messaging/sender/service'
import { pendingAgreements, requireFaultless, storeAgreements } from '@/lib/sign-in/agreements/service'
import { redirectAfterSignIn } from '@/lib/sign-in/attempts/complete'
import { type Link, useLink } from '@/lib/sign-in/email-links/service'
import { newPasswordFaults, rememberPassword } from '@/lib/sign-in/passwords/policy'
import { startSession } from '@/lib/sign-in/sessions/service'
import type * as calls from './contract'
import { completeLimits } from './limits'
import { liveRegistration, proveRegistrationMobile } from './service'

type Mobile = {
  /** As E.164; null for none. */
  mobile: string | null
  /** Whether this registration has proven the mobile; also true without a mobile. */
  proven: boolean
  faults: FieldError[]
}

/** Checks the typed mobile by the form's rules, and compares it with the one that was proven for the link. */
function mobileOf({ mobile: field }: PersonForm, link: Link, typed: string, hasCode: boolean): Mobile {
  const fault = (code: string): Mobile => ({ mobile: null, proven: false, faults: [{ field: 'mobile', code }] })
  if (!typed) return field?.required ? fault('errorEmpty') : { mobile: null, proven: true, faults: [] }
  if (!field) return fault('errorUnknownField')
  const mobile = mobileFrom(typed)
  if (!mobile) return fault('errorMobile')
  const proven = link.mobile === mobile && link.mobileVerifiedAt !== null
  return proven || hasCode ? { mobile, proven, faults: [] } : fault('errorMobileUnverified')
}

type Body = ServiceInput<typeof calls.registrationComplete>['body']

/** Returns the names of the second step if it sends names, else those of the first one. */
const namesOf = (earlier: Names, body: Body, locale: string): Names => {
  const typed = namesFrom(body, locale)
  return typed.fio ? typed : earlier
}

/** Returns the faults of the person's fields: names, further fields, and an e-mail that isn't the link's. */
function personFaults(ctx: Ctx, form: PersonForm, email: string, names: Names, body: Body): FieldError[] {
  const typed = namesFrom(body, ctx.locale)
  return [
    ...(body.email && emailOf(body.email) !== email ? [{ field: 'email', code: 'errorLinkEmail' }] : []),
    ...nameFaults(form, typed.fio ? body : names, ctx.locale),
    ...checkFurther(form.further, body, { email, now: ctx.now() }).faults,
  ]
}

const linkLimit = (key: string) => ({ name: 'registration-link', key, tiers: [{ points: 100, duration: 3_600 }] })

/**
 * Returns a live registration. Throws 409 instead of 400 for a used link, so that the losers of parallel requests get
 * the same answer (docs/quality.md#r10).
 */
async function registrationOf(ctx: Ctx, secret: string) {
  try {
    return await liveRegistration(ctx, secret)
  } catch (error) {
    if (error instanceof AppError && error.code === 'linkUsed') throw new AppError(409, 'linkUsed')
    throw error
  }
}

/**
 * Handles the second step: creates the account, signs it in, and answers like authLogin. Link, account, password,
 * agreements, session and mail are stored in one transaction. Throws 400 with the faulty fields, 403 for terms and a
 * dead link, 404, 405 directoryAccount, and 409 if another request was first or the e-mail has an account by now.
 */
export async function registrationComplete(
  ctx: Ctx,
  { body }: ServiceInput<typeof calls.registrationComplete>,
): Promise<ServiceOutput<typeof calls.registrationComplete>> {
  const { link, email, names: earlierNames, agreed } = await registrationOf(ctx, body.secret)

  // checked before a hash is computed and a code is used up; another request may still be faster
  if ((await accountsOfEmail(email)).length > 0) throw new AppError(409, 'errorEmailRegistered')
  // a directory may have claimed the mail domain since the link was sent
  if (await isDirectoryEmail(email)) throw new AppError(405, 'directoryAccount')

  const { password, repeatPassword, code = '' } = body
  const names = namesOf(earlierNames, body, ctx.locale)
  const about = [email, body.login ?? '', ...Object.values(names)]
  const [form, passwordFaults, required] = await Promise.all([
    personForm(ctx),
    newPasswordFaults(ctx, { password, repeatPassword, userId: null, about }),
    pendingAgreements(ctx, []),
  ])
  const { mobile, proven, faults } = mobileOf(form, link, body.mobile ?? '', code !== '')
  const personErrors = personFaults(ctx, form, email, names, body)
  const agreedBefore = required.filter(({ id, version }) =>
    agreed.some((agreement) => agreement.documentId === id && agreement.version === version),
  )
  const pending = required.filter((term) => !agreedBefore.includes(term))
  const accepted = requireFaultless([...personErrors, ...passwordFaults, ...faults], pending, body.termsAgree)
  if (mobile && !proven) await proveRegistrationMobile(ctx, link, mobile, code)

  // if the following fails, the link stays live, and each further call costs a hash
  await takePoints(...completeLimits(ctx.ip), linkLimit(link.id))
  const passwordHash = await hashPassword(password)
  const { userId, session, afterEvent } = await db().transaction(async (tx) => {
    const now = ctx.now()
    await useLink(tx, link, now)
    const { userId, login } = await createAccount(tx, ctx, {
      email,
      login: body.login && loginOf(body.login),
      mobile,
      names,
      passwordHash,
      locale: body.locale ?? ctx.locale,
      further: checkFurther(form.further, body, { email, now: ctx.now() }).further,
    })
    await rememberPassword(tx, userId, passwordHash, now)
    await storeAgreements(tx, ctx, userId, [...agreedBefore, ...accepted])
    const afterEvent = await emit(tx, ctx, 'accountCreated', { userId, email })
    await sendMail(tx, ctx, {
      template: 'registrationDone',
      to: email,
      userId,
      values: { name: names.firstName, login, link: `${ctx.domain.origin}/platform/login` },
    })
    // last, because it notifies open pages; the used link has given the right to a session, so `claim` only returns a
    // row
    const session = await startSession(tx, ctx, userId, sql`select 1`)
    if (!session) throw new AppError(409)
    return { userId, session, afterEvent }
  })
  await afterEvent()
  await session.afterCommit()
  return { next: 'done', redirect: await redirectAfterSignIn(ctx, userId, null) }
}
