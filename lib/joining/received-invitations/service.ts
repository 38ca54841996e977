import { requireUser } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { type Counter, loaded } from '@/lib/base/frame/badges'
import { notFound } from '@/lib/base/runtime/errors'
import { pendingAgreements } from '@/lib/sign-in/agreements/service'
import { acceptFor } from '../invitations/accept'
import { deadInvitation, endOf } from '../invitations/link'
import { callerAsInvitee, refuse, signatureOf } from '../invitations/service'
import { accessOf } from '../sent-invitations/access'
import type * as calls from './contract'
import { type Addressee, countOpen, selectAddressed, selectOwnPage, selectRolesWithFaults } from './queries'

/**
 * Returns the signed-in person as the addressee of invitations. An e-mail that they never proved is nobody's: an
 * administrator or an import may have typed it, and the link in its mail proves it. Throws 401.
 */
async function caller(ctx: Ctx) {
  requireUser(ctx)
  const invitee = await callerAsInvitee(ctx)
  const email = invitee.email !== '' && invitee.emailProven ? invitee.email : null
  return { userId: invitee.id, email, invitee } satisfies Addressee & { invitee: unknown }
}

type Query = ServiceInput<typeof calls.listOwnInvitations>['query']

/** Returns one page of the invitations to a person. It checks no access. */
export async function invitationPageOf(ctx: Ctx, who: Addressee, query: Query) {
  const about = { pageSize: ctx.user?.pagination ?? null, now: ctx.now(), timeZone: ctx.timeZone }
  const { rows, meta } = await selectOwnPage(who, query, about)
  const ids = rows.map(({ invitation }) => invitation.id)
  const roles = ids.length > 0 ? await selectRolesWithFaults(ids, ctx.locale) : []
  const invitations = rows.map(({ invitation: { id, createdAt, expiresAt, finishedAt }, status, company, inviter }) => {
    const own = roles.filter(({ invitationId }) => invitationId === id)
    const given = status === 'active' ? own.filter((role) => role.given) : own
    return {
      id,
      company,
      access: accessOf(given),
      status,
      acceptable: status === 'active' && given.length > 0,
      date: createdAt.toISOString(),
      expiresAt: expiresAt.toISOString(),
      finishedAt: finishedAt?.toISOString() ?? null,
      inviter: signatureOf(inviter),
    }
  })
  return { invitations, meta }
}

/** Returns one page of the invitations to the caller. */
export async function listOwnInvitations(ctx: Ctx, { query }: { query: Query }) {
  const who = await caller(ctx)
  return { ...(await invitationPageOf(ctx, who, query)), email: who.email }
}

/** The number beside the page in the menu: how many invitations wait for the person's answer, up to 100. */
export const openInvitations: Counter<number> = {
  cache: 'open-invitations',
  own: true,
  load: (userId) => countOpen(userId, new Date()),
  count: (open) => open,
}

/** Returns how many invitations wait for the caller's answer. Throws 401. */
export async function countOpenInvitations(ctx: Ctx): Promise<number> {
  requireUser(ctx)
  return loaded(openInvitations, ctx.user.id)
}

/** Returns the terms to which the caller has to agree before they accept an invitation. */
export async function termsOfCaller(ctx: Ctx) {
  const { invitee } = await caller(ctx)
  return pendingAgreements(ctx, invitee.agreed)
}

/** Returns an open invitation to the caller. Throws 404 for one that isn't theirs, and the state of a closed one. */
async function openTo(ctx: Ctx, id: string) {
  const who = await caller(ctx)
  const invitation = await selectAddressed(id, who)
  if (!invitation) throw notFound()
  const end = endOf(invitation, ctx.now())
  if (end) throw deadInvitation(end)
  return { invitation, invitee: who.invitee }
}

/**
 * Accepts an invitation to the caller, who gets the contractor and the roles that it still gives. Throws 404, the state
 * of a closed one, and 403 termsRequired.
 */
export async function acceptOwnInvitation(ctx: Ctx, { params, body }: ServiceInput<typeof calls.acceptOwnInvitation>) {
  const { invitation, invitee } = await openTo(ctx, params.id)
  await acceptFor(ctx, invitation, invitee, { answers: body.termsAgree, byLink: false })
  return {}
}

/** Declines an invitation to the caller and mails the inviter. Throws 404 and the state of a closed one. */
export async function declineOwnInvitation(ctx: Ctx, { params }: ServiceInput<typeof calls.declineOwnInvitation>) {
  const { invitation } = await openTo(ctx, params.id)
  await refuse(ctx, invitation)
  return {}
}
