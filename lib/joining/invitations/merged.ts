import { audit } from '@/lib/base/audit/audit'
import type { EventHandler } from '@/lib/base/events/events'
import { invitationEntity } from './entity'
import { endOf } from './link'
import {
  addInvitationRoles,
  type Invitation,
  lockInvitationsTo,
  selectGivableRoles,
  selectInvitedRoles,
  updateInvitation,
} from './queries'

/**
 * Contractors were merged: their invitations are the target's now. Of several open ones to the same e-mail the one that
 * was sent last stays open, with the roles of the others that their inviters could give until then; these are revoked.
 * Who invited last answers for what is left (docs/rules/invitations.md#merging).
 */
export const moveMerged: EventHandler<'contractorsMerged'> = async (tx, ctx, { targetId, sourceIds }) => {
  const all = await lockInvitationsTo(tx, [targetId, ...sourceIds])
  for (const { id, contractorId } of all.filter((row) => row.contractorId !== targetId)) {
    await updateInvitation(tx, id, { contractorId: targetId })
    await audit(tx, ctx, invitationEntity, id, { contractorId }, { contractorId: targetId })
  }
  const open = all.filter((row) => !endOf(row, ctx.now()))
  for (const rows of Map.groupBy(open, ({ email }) => email).values()) {
    const [last, ...others] = rows.toSorted((one, other) => other.sentAt.getTime() - one.sentAt.getTime())
    if (last && others.length > 0) await join(last, others)
  }
  return undefined

  async function join(last: Invitation, others: Invitation[]) {
    const contractorRoles = await selectInvitedRoles(last.id, tx)
    for (const { id, inviterId } of others) {
      // who invited last may have more than the others: what is joined isn't theirs to give
      const theirs = inviterId === last.inviterId ? selectInvitedRoles(id, tx) : selectGivableRoles(id, tx)
      await addInvitationRoles(tx, last.id, await theirs)
      await updateInvitation(tx, id, { status: 'deleted', finishedAt: ctx.now() })
      await audit(tx, ctx, invitationEntity, id, { status: 'active' }, { status: 'deleted' })
    }
    const after = { contractorRoles: await selectInvitedRoles(last.id, tx) }
    await audit(tx, ctx, invitationEntity, last.id, { contractorRoles }, after)
  }
}
