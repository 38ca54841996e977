import type { Ctx } from '@/lib/base/context/ctx'
import { digest } from '@/lib/base/crypto/encryption'
import { AppError, notFound } from '@/lib/base/runtime/errors'
import { type Invitation, type Invitee, selectInvitationByHash, selectInvitee, selectOpenRoles } from './queries'

/** Why an invitation can't be used (docs/rules/invitations.md#states); `active`: another account is signed in. */
export type DeadInvitation = 'expired' | 'used' | 'canceled' | 'active' | 'notFound'

/** Returns the state in which an invitation has ended. Returns null while it is open. */
export function endOf({ status, expiresAt }: Pick<Invitation, 'status' | 'expiresAt'>, now: Date) {
  if (status === 'deleted') return 'canceled'
  if (status === 'deactivated') return 'expired'
  if (status !== 'active') return 'used'
  return expiresAt <= now ? 'expired' : null
}

/** Returns the error of a state: 403 expired, 400 used, canceled or active (docs/rules/invitations.md#states). */
export const deadInvitation = (kind: Exclude<DeadInvitation, 'notFound'>) =>
  kind === 'expired' ? new AppError(403, kind, { expired: true }) : new AppError(400, kind)

/** Returns the invitation of a link's GUID, in any state. Throws 404. */
export async function invitationOf(guid: string): Promise<Invitation> {
  const row = await selectInvitationByHash(digest(guid.toLowerCase()))
  if (!row) throw notFound()
  return row
}

type OpenRoles = Awaited<ReturnType<typeof selectOpenRoles>>
export type OpenInvitation = {
  invitation: Invitation
  /** The roles that it still gives, at least one. */
  roles: OpenRoles
  /** The invitee's account if it is signed in; null if no account is. */
  invitee: Invitee | null
}

/**
 * Returns an open invitation by its link's GUID, without using it up. Throws 404 for an unknown one, 403 expired, 400
 * used, 400 canceled (also if it no longer gives any role), and 400 active if another account is signed in.
 */
export async function openInvitation(ctx: Ctx, guid: string): Promise<OpenInvitation> {
  const invitation = await invitationOf(guid)
  const end = endOf(invitation, ctx.now())
  if (end) throw deadInvitation(end)
  const [roles, invitee] = await Promise.all([
    selectOpenRoles(invitation.id),
    ctx.user ? selectInvitee(ctx.user.id) : Promise.resolve(null),
  ])
  if (roles.length === 0) throw deadInvitation('canceled')
  if (ctx.user && invitee?.email !== invitation.email) throw deadInvitation('active')
  return { invitation, roles, invitee }
}
