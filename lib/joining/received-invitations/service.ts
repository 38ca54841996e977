import { requireUser } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { type Counter, loaded } from '@/lib/base/frame/badges'
import { notFound } from '@/lib/base/runtime/errors'
import { pendingAgreements } from '@/lib/sign-in/agreements/service'
import { acceptForAccount } from '../invitations/accept'
import { deadInvitation, endOf } from '../invitations/link'
import { callerAsInvitee, declineAndMail, inviterLabel } from '../invitations/service'
import { accessOf } from '../sent-invitations/access'
import type * as calls from './contract'
import {
  type Addressee,
  countOpenInvitationsTo,
  selectAddressed,
  selectOwnPage,
  selectRolesWithFaults,
} from './queries'

/**
 * Returns the signed-in person as the addressee of invitations. An e-mail that they haven't proven doesn't count,
 * because an administrator or an import may have entered it; the link in the mail would prove it. Throws 401.
 */
async function callerAsAddressee(ctx: Ctx) {
  requireUser(ctx)
  const invitee = await callerAsInvitee(ctx)
  const email = invitee.email !== '' && invitee.emailProven ? invitee.email : null
  return { userId: invitee.id, email, invitee } satisfies Addressee & { invitee: unknown }
}

type Query = ServiceInput<typeof calls.listOwnInvitations>['query']

/** Returns one page of the invitations to a person. It checks no access. */
export async function invitationPageOf(ctx: Ctx, addressee: Addressee, query: Query) {
  const listContext = { pageSize: ctx.user?.pagination ?? null, now: ctx.now(), timeZone: ctx.timeZone }
  const { rows, meta } = await selectOwnPage(addressee, query, listContext)
  const ids = rows.map(({ invitation }) => invitation.id)
  const roles = ids.length > 0 ? await selectRolesWithFaults(ids, ctx.locale) : []
  const invitations = rows.map(({ invitation: { id, createdAt, expiresAt, finishedAt }, status, company, inviter }) => {
    const invitedRoles = roles.filter(({ invitationId }) => invitationId === id)
    const currentRoles = status === 'active' ? invitedRoles.filter((role) => role.given) : invitedRoles
    return {
      id,
      company,
      access: accessOf(currentRoles),
      status,
      acceptable: status === 'active' && currentRoles.length > 0,
      date: createdAt.toISOString(),
      expiresAt: expiresAt.toISOString(),
      finishedAt: finishedAt?.toISOString() ?? null,
      inviter: inviterLabel(inviter),
    }
  })
  return { invitations, meta }
}

/** Returns one page of the invitations to the caller. */
export async function listOwnInvitations(ctx: Ctx, { query }: { query: Query }) {
  const addressee = await callerAsAddressee(ctx)
  return { ...(await invitationPageOf(ctx, addressee, query)), email: addressee.email }
}

/** The number at the page in the menu: how many invitations the person can answer, up to 100. */
export const openInvitations: Counter<number> = {
  cache: 'open-invitations',
  own: true,
  load: (userId) => countOpenInvitationsTo(userId, new Date()),
  count: (count) => count,
}

/** Returns how many invitations the caller can answer. Throws 401. */
export async function countOpenInvitations(ctx: Ctx): Promise<number> {
  requireUser(ctx)
  return loaded(openInvitations, ctx.user.id)
}

/** Returns the agreements that the caller must agree to before they accept an invitation. */
export async function termsOfCaller(ctx: Ctx) {
  const { invitee } = await callerAsAddressee(ctx)
  return pendingAgreements(ctx, invitee.agreed)
}

/**
 * Returns an open invitation to the caller. Throws 404 for one that isn't addressed to them, and the state of one that
 * has ended.
 */
async function openInvitationTo(ctx: Ctx, id: string) {
  const addressee = await callerAsAddressee(ctx)
  const invitation = await selectAddressed(id, addressee)
  if (!invitation) throw notFound()
  const end = endOf(invitation, ctx.now())
  if (end) throw deadInvitation(end)
  return { invitation, invitee: addressee.invitee }
}

/**
 * Accepts an invitation to the caller, who gets the contractor and the roles that it still gives. Throws 404, the state
 * of an invitation that has ended, and 403 termsRequired.
 */
export async function acceptOwnInvitation(ctx: Ctx, { params, body }: ServiceInput<typeof calls.acceptOwnInvitation>) {
  const { invitation, invitee } = await openInvitationTo(ctx, params.id)
  await acceptForAccount(ctx, invitation, invitee, { answers: body.termsAgree, byLink: false })
  return {}
}

/**
 * Declines an invitation to the caller and mails the inviter. Throws 404 and the state of an invitation that has ended.
 */
export async function declineOwnInvitation(ctx: Ctx, { params }: ServiceInput<typeof calls.declineOwnInvitation>) {
  const { invitation } = await openInvitationTo(ctx, params.id)
  await declineAndMail(ctx, invitation)
  return {}
}
