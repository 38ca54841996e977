import { sql } from 'drizzle-orm'
import { db } from '@/db/client'
import { pendingAgreements, storeAgreements } from '@/lib/entry/agreements/service'
import { type Link, useLink } from '@/lib/entry/links/service'
import { newPasswordFaults, rememberPassword } from '@/lib/entry/passwords/policy'
import { startSession } from '@/lib/entry/sessions/service'
import { addressAfter } from '@/lib/entry/sign-in/complete'
import { hashPassword } from '@/lib/kernel/crypto/password'
import type { Ctx } from '@/lib/kernel/ctx'
import { AppError, type FieldError } from '@/lib/kernel/errors'
import { emit } from '@/lib/kernel/events'
import type { VerbInput, VerbOutput } from '@/lib/kernel/http/contract'
import { mobileFrom } from '@/lib/kernel/mobile'
import { personForm } from '@/lib/people/profile-fields/person-form'
import { accountsOfEmail, createAccount } from '@/lib/people/users/create'
import { addressVerdict } from '@/lib/platform/access-lists/service'
import { sendMail } from '@/lib/platform/sender/service'
import type { registrationComplete } from './contract'
import { requireFaultless } from './rules'
import { liveRegistration, proveRegistrationMobile } from './service'

type Mobile = {
  /** E.164; null for none. */
  mobile: string | null
  /** Whether this registration has proven it. */
  proven: boolean
  faults: FieldError[]
}

/** The mobile of the form by the flags of its field, held against the one that the link has proven. */
async function mobileOf(ctx: Ctx, link: Link, typed: string, hasCode: boolean): Promise<Mobile> {
  const fault = (code: string): Mobile => ({ mobile: null, proven: false, faults: [{ field: 'mobile', code }] })
  const field = (await personForm(ctx.locale)).mobile
  if (!typed) return field?.required ? fault('errorEmpty') : { mobile: null, proven: true, faults: [] }
  if (!field) return fault('errorUnknownField')
  const mobile = mobileFrom(typed)
  if (!mobile) return fault('errorMobile')
  const proven = link.mobile === mobile && link.mobileVerifiedAt !== null
  return proven || hasCode ? { mobile, proven, faults: [] } : fault('errorMobileUnverified')
}

/** A used link is one that another request was faster with: of parallel ones all but one hear the same (R10). */
async function registrationOf(ctx: Ctx, secret: string) {
  try {
    return await liveRegistration(ctx, secret)
  } catch (error) {
    if (error instanceof AppError && error.code === 'linkUsed') throw new AppError(409, 'linkUsed')
    throw error
  }
}

/**
 * The second step: creates the account, signs it in, and answers like login. Link, account, password, agreements,
 * session and mail are one transaction. Throws 400 with the fields at fault, 403 from the address lists, the terms
 * and a dead link, 404, 409 when another request was first or the e-mail has got an account meanwhile.
 */
export async function completeRegistration(
  ctx: Ctx,
  { body }: VerbInput<typeof registrationComplete>,
): Promise<VerbOutput<typeof registrationComplete>> {
  const { link, email, names, agreed } = await registrationOf(ctx, body.secret)
  if ((await addressVerdict(ctx.ip, ctx.now())) === 'denied') throw new AppError(403, 'addressDenied')

  // before what costs a hash and a code; another request may still be faster
  if ((await accountsOfEmail(email)).length > 0) throw new AppError(409, 'errorEmailRegistered')

  const { password, repeatPassword, code = '' } = body
  const [{ mobile, proven, faults }, passwordFaults, required] = await Promise.all([
    mobileOf(ctx, link, body.mobile ?? '', code !== ''),
    newPasswordFaults(ctx, { password, repeatPassword, userId: null, about: [email, ...Object.values(names)] }),
    pendingAgreements(ctx, []),
  ])
  const before = required.filter(({ id, version }) =>
    agreed.some((one) => one.documentId === id && one.version === version),
  )
  const pending = required.filter((term) => !before.includes(term))
  const accepted = requireFaultless([...passwordFaults, ...faults], pending, body.termsAgree)
  if (mobile && !proven) await proveRegistrationMobile(ctx, link, mobile, code)

  const passwordHash = await hashPassword(password)
  const { userId, session, afterEvent } = await db().transaction(async (tx) => {
    const now = ctx.now()
    await useLink(tx, link, now)
    const account = { email, mobile, names, passwordHash, locale: ctx.locale }
    const { userId, login } = await createAccount(tx, ctx, account)
    await rememberPassword(tx, userId, passwordHash, now)
    await storeAgreements(tx, ctx, userId, [...before, ...accepted])
    const afterEvent = await emit(tx, ctx, 'accountCreated', { userId, email })
    await sendMail(tx, ctx, {
      template: 'registrationDone',
      to: email,
      userId,
      values: { name: names.firstName, login, link: `${ctx.domain.origin}/platform/login` },
    })
    // last, since open pages hear of it: the right to it is the link that was used up
    const session = await startSession(tx, ctx, userId, sql`select 1`)
    if (!session) throw new AppError(409)
    return { userId, session, afterEvent }
  })
  await afterEvent()
  await session.afterCommit()
  return { next: 'done', redirect: await addressAfter(ctx, userId, null) }
}
