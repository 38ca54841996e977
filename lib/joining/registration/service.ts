import { accountsOfEmail, isMobileTaken, mobileTaken } from '@/lib/accounts/users/create'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput, ServiceOutput } from '@/lib/base/contracts/contract'
import { AppError, fieldError, notFound } from '@/lib/base/runtime/errors'
import { mobileFrom } from '@/lib/base/text/mobile'
import { nameFaults, personForm } from '@/lib/fields/profile-fields/person-form'
import { pendingAgreements } from '@/lib/sign-in/agreements/service'
import { sendLinkCode } from '@/lib/sign-in/codes/link-code'
import { mobileCodeState, proveMobile } from '@/lib/sign-in/codes/mobile-code'
import { type Link, linkState, liveLink, storeProvenMobile } from '@/lib/sign-in/email-links/service'
import { platformSettings } from '@/lib/site/settings/service'
import type { LinkMobile } from '../forms/mobile'
import type * as calls from './contract'
import { storeAskedMobile } from './queries'
import { openRegistration, RegistrationData } from './rules'

/** Returns a live registration by its link. Throws what liveLink does, and 403 registrationDisabled. */
export async function liveRegistration(ctx: Ctx, secret: string) {
  await openRegistration()
  const link = await liveLink(ctx, 'registration', secret)
  if (!link.email) throw notFound()
  return { link, email: link.email, ...RegistrationData.parse(link.data) }
}

/**
 * Checks that the link is live. Throws the state of a dead link, and 403 termsRequired if the agreements have changed
 * since the first step.
 */
export async function registrationStatus(ctx: Ctx, { params: { id } }: ServiceInput<typeof calls.registrationStatus>) {
  const { agreed } = await liveRegistration(ctx, id)
  const termsRequired = await pendingAgreements(ctx, agreed)
  if (termsRequired.length > 0) throw new AppError(403, 'termsRequired', { termsRequired })
  return {}
}

export type RegistrationState = Awaited<ReturnType<typeof registrationState>>

const proofOf = (link: Link, mobile: string) => ({ purpose: 'registration' as const, owner: link.id, mobile })

/** Returns what the link knows of the mobile, for its page. */
async function mobileOfLink(link: Link, asked: string | undefined): Promise<LinkMobile> {
  const proven = link.mobileVerifiedAt ? link.mobile : null
  if (!asked || asked === proven) return { proven, asked: null }
  // without Redis no code can be entered: registrationCode then answers with an error
  const code = await mobileCodeState(proofOf(link, asked)).catch(() => null)
  return { proven, asked: { mobile: asked, code } }
}

/** Returns the state of a link for the page of the second step: the data of the form, or why there is no form. */
export async function registrationState(ctx: Ctx, id: string) {
  if (!(await platformSettings()).registrationEnabled) return { kind: 'disabled' as const }
  const state = await linkState(async () => {
    const { link, email, names, agreed, asked } = await liveRegistration(ctx, id)
    const [form, terms, accounts, mobile] = await Promise.all([
      personForm(ctx),
      pendingAgreements(ctx, agreed),
      accountsOfEmail(email),
      mobileOfLink(link, asked),
    ])
    // the second step asks for names only if those of the first step don't satisfy the form
    const namesMissing = nameFaults(form, names, ctx.locale).length > 0
    const shownForm = { ...form, names: namesMissing ? form.names : [] }
    return { email, form: shownForm, names, terms, known: accounts.length > 0, mobile }
  })
  return state.kind === 'live' && state.known ? { kind: 'known' as const } : state
}

/** Returns the mobile of a registration's form as E.164. Throws 400 for an invalid one, or if the form shows none. */
async function mobileOf(ctx: Ctx, typed: string): Promise<string> {
  if (!(await personForm(ctx)).mobile) throw fieldError('mobile', 'errorUnknownField')
  const mobile = mobileFrom(typed)
  if (!mobile) throw fieldError('mobile', 'errorMobile')
  return mobile
}

/**
 * Sends a code to a mobile, and returns the code's state. Within the resend time it sends nothing. The answer doesn't
 * reveal whether an account has the mobile. Throws 400 for the mobile or a used link, 403 and 404 for a dead link, 429,
 * 503.
 */
export async function registrationCode(
  ctx: Ctx,
  { body }: ServiceInput<typeof calls.registrationCode>,
): Promise<ServiceOutput<typeof calls.registrationCode>> {
  const { link } = await liveRegistration(ctx, body.secret)
  const proof = proofOf(link, await mobileOf(ctx, body.mobile))
  return sendLinkCode(ctx, proof, () => storeAskedMobile(link.id, proof.mobile))
}

/**
 * Proves the mobile by its code. Throws 400 for the code and, after the right code, for a mobile that another account
 * has.
 */
export async function proveRegistrationMobile(ctx: Ctx, link: Link, mobile: string, code: string) {
  await proveMobile(ctx, proofOf(link, mobile), code)
  if (await isMobileTaken(mobile)) throw mobileTaken()
  await storeProvenMobile(link, mobile, ctx.now())
}

/**
 * Proves a mobile by its code. Throws 400 for the mobile, the code or a used link, 403 and 404 for a dead link, 429.
 */
export async function registrationVerify(ctx: Ctx, { body }: ServiceInput<typeof calls.registrationVerify>) {
  const { link } = await liveRegistration(ctx, body.secret)
  await proveRegistrationMobile(ctx, link, await mobileOf(ctx, body.mobile), body.code)
  return {}
}
