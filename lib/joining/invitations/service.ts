import { db } from '@/db/client'
import { accountsOfEmail, isMobileTaken, mobileTaken } from '@/lib/accounts/users/create'
import { audit } from '@/lib/base/audit/audit'
import { invalidate } from '@/lib/base/cache/cache'
import { callerId } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput, ServiceOutput } from '@/lib/base/contracts/contract'
import { localName } from '@/lib/base/i18n/local-name'
import { fullName } from '@/lib/base/mail-and-sms/values'
import { AppError, fieldError, notFound } from '@/lib/base/runtime/errors'
import { mobileFrom } from '@/lib/base/text/mobile'
import { personForm } from '@/lib/fields/profile-fields/person-form'
import { pendingAgreements } from '@/lib/sign-in/agreements/service'
import { sendLinkCode } from '@/lib/sign-in/codes/link-code'
import { mobileCodeState, proveMobile } from '@/lib/sign-in/codes/mobile-code'
import type { LinkMobile } from '../forms/mobile'
import type * as calls from './contract'
import type { InvitationView } from './contract'
import { invitationEntity } from './entity'
import { lockInviter, mailInviter } from './inviter'
import { type DeadInvitation, deadInvitation, endOf, invitationOf, type OpenInvitation, openInvitation } from './link'
import {
  type Invitation,
  type Invitee,
  invitationRows,
  selectContractorName,
  selectInvitee,
  selectInviter,
  storeAskedMobile,
  storeProvenMobile,
} from './queries'

/** Returns the error for an e-mail that has an account, which must be signed in. */
export const signInRequired = () => new AppError(401, 'invitationSignIn')

/**
 * Throws 401 invitationSignIn if an invitation's e-mail has an account. If the invitation has ended since it was read,
 * throws its state instead: a parallel acceptance has created that account.
 */
export async function requireNoAccount(ctx: Ctx, guid: string, email: string): Promise<void> {
  if ((await accountsOfEmail(email)).length === 0) return
  await openInvitation(ctx, guid)
  throw signInRequired()
}

/** Groups roles by organization, with names in a language and sorted by these. */
export function organizationsOf(roles: OpenInvitation['roles'], locale: string): InvitationView['organizations'] {
  const byOrganization = new Map<string, InvitationView['organizations'][number]>()
  for (const row of roles) {
    const { organizationId, roleId } = row
    const name = localName({ name: row.organization, nameEn: row.organizationEn }, locale)
    const organization = byOrganization.get(organizationId) ?? { organizationId, name, roles: [] }
    organization.roles.push({ roleId, name: localName({ name: row.role, nameEn: row.roleEn }, locale) })
    byOrganization.set(organizationId, organization)
  }
  const byName = (first: { name: string }, second: { name: string }) => first.name.localeCompare(second.name, locale)
  return [...byOrganization.values()]
    .map((organization) => ({ ...organization, roles: organization.roles.toSorted(byName) }))
    .toSorted(byName)
}

/** Returns the name of an inviter for a public page if it looks like a name, else the e-mail. */
export const inviterLabel = (inviter: { fio: string; email: string | null } | null) =>
  inviter ? fullName(inviter.fio) || (inviter.email ?? '') : ''

async function viewOf(ctx: Ctx, { invitation, roles, invitee }: OpenInvitation): Promise<InvitationView> {
  const { email, contractorId, inviterId, expiresAt } = invitation
  const [accounts, company, inviter, termsRequired] = await Promise.all([
    accountsOfEmail(email),
    selectContractorName(contractorId),
    selectInviter(inviterId),
    pendingAgreements(ctx, invitee?.agreed ?? []),
  ])
  return {
    status: 'active',
    email,
    login: invitee?.login ?? email,
    fio: invitee?.fio ?? '',
    lastName: invitee?.lastName ?? '',
    firstName: invitee?.firstName ?? '',
    middleName: invitee?.middleName ?? '',
    inviter: inviterLabel(inviter),
    company,
    organizations: organizationsOf(roles, ctx.locale),
    expiresIn: Math.max(0, Math.floor((expiresAt.getTime() - ctx.now().getTime()) / 1000)),
    expiresAt: expiresAt.toISOString(),
    existing: accounts.length > 0,
    signedIn: invitee !== null,
    mobile: invitee ? invitee.mobile : invitation.mobile,
    mobile_verify: Boolean(invitee ? invitee.mobileVerifiedAt : invitation.mobileVerifiedAt),
    termsRequired,
  }
}

/** Returns the signed-in account as an invitee. Throws 401. */
export async function callerAsInvitee(ctx: Ctx): Promise<Invitee> {
  const invitee = await selectInvitee(callerId(ctx))
  if (!invitee?.enabled) throw new AppError(401)
  return invitee
}

/** Returns the values of an open invitation's form. Throws the state of a dead link. */
export const readInvitation = async (ctx: Ctx, { params: { id } }: ServiceInput<typeof calls.readInvitation>) =>
  viewOf(ctx, await openInvitation(ctx, id))

export type InvitationState =
  | { kind: 'open'; view: InvitationView; mobile: LinkMobile }
  | { kind: DeadInvitation; declined: boolean; inviter: string; company: string; email: string }

const deadKinds: readonly string[] = ['expired', 'used', 'canceled', 'active', 'notFound']

/** Returns the state of a link for its page: the data of the form; or why the link is dead, and the inviter. */
export async function invitationState(ctx: Ctx, guid: string): Promise<InvitationState> {
  try {
    const offer = await openInvitation(ctx, guid)
    const { id: owner, mobile } = offer.invitation
    const proven = offer.invitation.mobileVerifiedAt ? mobile : null
    const asked = offer.invitee || proven ? null : mobile
    // without Redis no code can be entered, but the rest of the form works
    const code = asked && (await mobileCodeState({ purpose: 'invitation', owner, mobile: asked }).catch(() => null))
    const ofLink: LinkMobile = { proven, asked: asked ? { mobile: asked, code: code || null } : null }
    return { kind: 'open', view: await viewOf(ctx, offer), mobile: ofLink }
  } catch (error) {
    if (!(error instanceof AppError) || !deadKinds.includes(error.code)) throw error
    const kind = error.code as DeadInvitation
    if (kind === 'notFound') return { kind, declined: false, inviter: '', company: '', email: '' }
    const { status, inviterId, contractorId, email } = await invitationOf(guid)
    const [inviter, company] = await Promise.all([selectInviter(inviterId), selectContractorName(contractorId)])
    return { kind, declined: status === 'refusal', inviter: inviterLabel(inviter), company, email }
  }
}

/**
 * Checks that an open invitation's e-mail has no account, and checks the typed mobile. Throws what the next two
 * functions throw.
 */
async function requireNewcomer(ctx: Ctx, hash: string, typed: string) {
  const { invitation, invitee } = await openInvitation(ctx, hash)
  if (invitee) throw new AppError(409)
  await requireNoAccount(ctx, hash, invitation.email)
  if (!(await personForm(ctx)).mobile) throw fieldError('mobile', 'errorUnknownField')
  const mobile = mobileFrom(typed)
  if (!mobile) throw fieldError('mobile', 'errorMobile')
  return { invitation, mobile, proof: { purpose: 'invitation', owner: invitation.id, mobile } as const }
}

/**
 * Sends the code that proves a mobile, and returns the code's state. Within the resend time it sends nothing. Throws
 * the state of a dead link, 400 for the mobile, 401 invitationSignIn if the e-mail has an account, 429, 503.
 */
export async function sendInvitationCode(ctx: Ctx, { body }: ServiceInput<typeof calls.sendInvitationCode>) {
  const { invitation, proof } = await requireNewcomer(ctx, body.hash, body.mobile)
  return sendLinkCode(ctx, proof, () => storeAskedMobile(invitation.id, proof.mobile))
}

/**
 * Proves the form's mobile by its code. Throws 400 for a mobile that another account has, but only after the right
 * code.
 */
export async function verifyInvitationMobile(
  ctx: Ctx,
  { body }: ServiceInput<typeof calls.verifyInvitationMobile>,
): Promise<ServiceOutput<typeof calls.verifyInvitationMobile>> {
  const { invitation, mobile, proof } = await requireNewcomer(ctx, body.hash, body.mobile)
  await proveMobile(ctx, proof, body.code)
  if (await isMobileTaken(mobile)) throw mobileTaken()
  if (!(await storeProvenMobile(invitation.id, mobile, ctx.now()))) throw new AppError(409)
  return { mobile_verify: true }
}

/**
 * Declines an invitation and mails the inviter. Throws its state if it isn't open, and 404 if a newer link has replaced
 * this one.
 */
export async function declineAndMail(ctx: Ctx, { id, idHash, inviterId }: Invitation) {
  await db().transaction(async (tx) => {
    await lockInviter(tx, { inviterId })
    const locked = await invitationRows.lock(tx, id)
    if (locked?.idHash !== idHash) throw notFound()
    const end = endOf(locked, ctx.now())
    if (end) throw deadInvitation(end)
    await invitationRows.update(tx, id, { status: 'refusal', finishedAt: ctx.now() })
    await audit(tx, ctx, invitationEntity, id, { status: 'active' }, { status: 'refusal' })
    await invalidate(tx, 'open-invitations')
    await mailInviter(tx, ctx, locked, 'invitationDeclined')
  })
}

/** Declines an open invitation by its link. Throws the state of a dead link. */
export async function declineInvitation(ctx: Ctx, { params: { id } }: ServiceInput<typeof calls.declineInvitation>) {
  const { invitation } = await openInvitation(ctx, id)
  await declineAndMail(ctx, invitation)
  return {}
}
