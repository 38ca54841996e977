import type { EventHandler } from '@/lib/kernel/events'
import { record } from '@/lib/kernel/record/record'
import { joinContractor } from '@/lib/people/master-account/service'
import { invitationEntity } from './entity'
import { tellInviter } from './inviter'
import { endOf } from './link'
import { inviteeOf, openInvitationsOf, openRoles, updateInvitation } from './queries'

/**
 * Somebody who was invited came in by themselves: their open invitations count as accepted, and they get what those
 * give (docs/rules/invitations.md#states). An invitation of which nothing is left stays as it is.
 */
export const acceptByRegistration: EventHandler<'accountCreated'> = async (tx, ctx, { userId, email }) => {
  for (const invitation of await openInvitationsOf(tx, email)) {
    if (endOf(invitation, ctx.now())) continue
    const roles = await openRoles(invitation.id, tx)
    if (roles.length === 0) continue
    const { id, contractorId } = invitation
    await updateInvitation(tx, id, { status: 'autoSuccess', userId, finishedAt: ctx.now() })
    const given = roles.map(({ organizationId, roleId }) => ({ organizationId, roleId }))
    await joinContractor(tx, ctx, { userId, contractorId, roles: given, changerId: userId })
    await record(tx, ctx, invitationEntity, id, { status: 'active' }, { status: 'autoSuccess' }, { changerId: userId })
    await tellInviter(tx, ctx, invitation, 'invitationAccepted', (await inviteeOf(userId, tx))?.fio)
  }
  return undefined
}
