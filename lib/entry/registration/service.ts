import { pendingAgreements } from '@/lib/entry/agreements/service'
import { sendLinkCode } from '@/lib/entry/codes/link-code'
import { mobileCodeState, proveMobile } from '@/lib/entry/codes/mobile-code'
import { type Link, linkState, liveLink, noteProvenMobile } from '@/lib/entry/links/service'
import type { Ctx } from '@/lib/kernel/ctx'
import { AppError, fieldError, notFound } from '@/lib/kernel/errors'
import type { VerbInput, VerbOutput } from '@/lib/kernel/http/contract'
import { mobileFrom } from '@/lib/kernel/mobile'
import { nameFaults, personForm } from '@/lib/people/profile-fields/person-form'
import { accountsOfEmail, isMobileTaken, mobileTaken } from '@/lib/people/users/create'
import { platformSettings } from '@/lib/platform/settings/service'
import type { registrationCode, registrationStatus, registrationVerify } from './contract'
import { noteAskedMobile } from './queries'
import { openRegistration, RegistrationData } from './rules'

/** A live registration by its link. Throws what liveLink does, 403 registrationDisabled. */
export async function liveRegistration(ctx: Ctx, secret: string) {
  await openRegistration()
  const link = await liveLink(ctx, 'registration', secret)
  if (!link.email) throw notFound()
  return { link, email: link.email, ...RegistrationData.parse(link.data) }
}

/** Tells whether the link is live; throws its state otherwise, 403 termsRequired with what changed since. */
export async function registrationLinkStatus(ctx: Ctx, { params: { id } }: VerbInput<typeof registrationStatus>) {
  const { agreed } = await liveRegistration(ctx, id)
  const termsRequired = await pendingAgreements(ctx, agreed)
  if (termsRequired.length > 0) throw new AppError(403, 'termsRequired', { termsRequired })
  return {}
}

export type RegistrationState = Awaited<ReturnType<typeof registrationState>>

const proofOf = (link: Link, mobile: string) => ({ purpose: 'registration' as const, owner: link.id, mobile })

/** The mobile that the page shows when it is drawn again: one whose code is under way, else the proven one. */
async function knownMobile(link: Link, asked: string | undefined) {
  const proven = link.mobileVerifiedAt ? link.mobile : null
  if (asked && asked !== proven) {
    // without Redis no code can be entered anyway: the code call says so
    const code = await mobileCodeState(proofOf(link, asked)).catch(() => null)
    if (code?.endTime) return { mobile: asked, verified: false, code }
  }
  return proven ? { mobile: proven, verified: true, code: null } : null
}

/** What the page of the second step shows for a link: its form as far as it has come, or why there is none. */
export async function registrationState(ctx: Ctx, id: string) {
  if (!(await platformSettings()).registrationEnabled) return { kind: 'disabled' as const }
  const state = await linkState(async () => {
    const { link, email, names, agreed, asked } = await liveRegistration(ctx, id)
    const [form, terms, accounts, mobile] = await Promise.all([
      personForm(ctx),
      pendingAgreements(ctx, agreed),
      accountsOfEmail(email),
      knownMobile(link, asked),
    ])
    // what the first step didn't have to tell, the second one asks
    const lacking = nameFaults(form, names, ctx.locale).length > 0
    const shown = { ...form, names: lacking ? form.names : [] }
    return { email, form: shown, names, terms, known: accounts.length > 0, mobile }
  })
  return state.kind === 'live' && state.known ? { kind: 'known' as const } : state
}

/** The mobile of a registration's form as E.164. Throws 400 where it can't be one, or the form shows none. */
async function mobileOf(ctx: Ctx, typed: string): Promise<string> {
  if (!(await personForm(ctx)).mobile) throw fieldError('mobile', 'errorUnknownField')
  const mobile = mobileFrom(typed)
  if (!mobile) throw fieldError('mobile', 'errorMobile')
  return mobile
}

/**
 * Sends a code to a mobile; within the resend time it tells what is left and sends nothing. Nothing is said here of
 * a mobile that somebody has. Throws 400 for the mobile or a used link, 403 and 404 for a dead one, 429, 503.
 */
export async function requestRegistrationCode(
  ctx: Ctx,
  { body }: VerbInput<typeof registrationCode>,
): Promise<VerbOutput<typeof registrationCode>> {
  const { link } = await liveRegistration(ctx, body.secret)
  const proof = proofOf(link, await mobileOf(ctx, body.mobile))
  return sendLinkCode(ctx, proof, () => noteAskedMobile(link.id, proof.mobile))
}

/** Notes the mobile as proven by its code. Throws 400 for the code, and for a mobile in use after the right one. */
export async function proveRegistrationMobile(ctx: Ctx, link: Link, mobile: string, code: string) {
  await proveMobile(ctx, proofOf(link, mobile), code)
  if (await isMobileTaken(mobile)) throw mobileTaken()
  await noteProvenMobile(link, mobile, ctx.now())
}

/** Takes the code that was sent to a mobile. Throws 400 for mobile, code or a used link, 403 and 404 for a dead one. */
export async function verifyRegistrationMobile(ctx: Ctx, { body }: VerbInput<typeof registrationVerify>) {
  const { link } = await liveRegistration(ctx, body.secret)
  await proveRegistrationMobile(ctx, link, await mobileOf(ctx, body.mobile), body.code)
  return {}
}
