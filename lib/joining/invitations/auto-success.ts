import { audit } from '@/lib/base/audit/audit'
import type { EventHandler } from '@/lib/base/events/events'
import { joinContractor } from '@/lib/companies/managers/service'
import { invitationEntity } from './entity'
import { lockGrantedRoles } from './given'
import { mailInviter } from './inviter'
import { endOf } from './link'
import { invitationRows, lockOpenInvitations, selectInvitee } from './queries'

/**
 * Handles the registration of an invited person without the link: their open invitations count as accepted, and they
 * get the roles of these (docs/rules/invitations.md#states). An invitation that no longer gives any role stays as it
 * is.
 */
export const acceptByRegistration: EventHandler<'accountCreated'> = async (tx, ctx, { userId, email }) => {
  for (const invitation of await lockOpenInvitations(tx, email)) {
    if (endOf(invitation, ctx.now())) continue
    const roles = await lockGrantedRoles(tx, invitation)
    if (roles.length === 0) continue
    const { id, contractorId } = invitation
    await invitationRows.update(tx, id, { status: 'autoSuccess', userId, finishedAt: ctx.now() })
    await joinContractor(tx, ctx, { userId, contractorId, roles, changerId: userId })
    await audit(tx, ctx, invitationEntity, id, { status: 'active' }, { status: 'autoSuccess' }, { changerId: userId })
    await mailInviter(tx, ctx, invitation, 'invitationAccepted', (await selectInvitee(userId, tx))?.fio)
  }
  return undefined
}
