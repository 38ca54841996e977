import { digest } from '@/lib/kernel/crypto/secrets'
import type { Ctx } from '@/lib/kernel/ctx'
import { AppError, notFound } from '@/lib/kernel/errors'
import { type Invitation, type Invitee, invitationByHash, inviteeOf, openRoles } from './queries'

/** Why an invitation is of no use (docs/rules/invitations.md#states); `active`: somebody else is signed in. */
export type DeadInvitation = 'expired' | 'used' | 'canceled' | 'active' | 'notFound'

/** What became of an invitation by itself, or null while it is open. */
export function endOf({ status, expiresAt }: Pick<Invitation, 'status' | 'expiresAt'>, now: Date) {
  if (status === 'deleted') return 'canceled'
  if (status === 'deactivated') return 'expired'
  if (status !== 'active') return 'used'
  return expiresAt <= now ? 'expired' : null
}

/** What a call answers about it: 403 expired, 400 used, canceled or active (docs/rules/invitations.md#states). */
export const deadInvitation = (kind: Exclude<DeadInvitation, 'notFound'>) =>
  kind === 'expired' ? new AppError(403, kind, { expired: true }) : new AppError(400, kind)

/** The row behind a link's GUID, whatever its state. Throws 404. */
export async function invitationOf(guid: string): Promise<Invitation> {
  const row = await invitationByHash(digest(guid.toLowerCase()))
  if (!row) throw notFound()
  return row
}

type OpenRoles = Awaited<ReturnType<typeof openRoles>>
export type OpenInvitation = {
  invitation: Invitation
  /** The roles that it still gives, at least one. */
  roles: OpenRoles
  /** The invitee's account, if that is signed in; nobody is otherwise. */
  invitee: Invitee | null
}

/**
 * An open invitation by its link's GUID; looking never uses it up. Throws 404 for an unknown one, 403 expired, 400
 * used, canceled (also when nothing of what it gave is left), active when another account is signed in.
 */
export async function openInvitation(ctx: Ctx, guid: string): Promise<OpenInvitation> {
  const invitation = await invitationOf(guid)
  const end = endOf(invitation, ctx.now())
  if (end) throw deadInvitation(end)
  const [roles, invitee] = await Promise.all([
    openRoles(invitation.id),
    ctx.user ? inviteeOf(ctx.user.id) : Promise.resolve(null),
  ])
  if (roles.length === 0) throw deadInvitation('canceled')
  if (ctx.user && invitee?.email !== invitation.email) throw deadInvitation('active')
  return { invitation, roles, invitee }
}
