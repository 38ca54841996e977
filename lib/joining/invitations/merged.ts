import { audit, auditMany } from '@/lib/base/audit/audit'
import type { EventHandler } from '@/lib/base/events/events'
import { invitationEntity } from './entity'
import { endOf } from './link'
import {
  addInvitationRoles,
  type Invitation,
  invitationRows,
  lockInvitationsTo,
  moveInvitations,
  selectGivableRoles,
  selectInvitedRoles,
} from './queries'

/**
 * Handles a merge of contractors: moves their invitations to the target. Of several open invitations to the same
 * e-mail, the one that was sent last stays open. It gets those roles of the others that their inviters could still
 * give; the others are revoked. The last inviter is then responsible for all of these roles
 * (docs/rules/invitations.md#merging).
 */
export const moveMerged: EventHandler<'contractorsMerged'> = async (tx, ctx, { targetId, sourceIds }) => {
  const rows = await lockInvitationsTo(tx, [targetId, ...sourceIds])
  const moved = rows.filter((row) => row.contractorId !== targetId)
  await moveInvitations(
    tx,
    moved.map(({ id }) => id),
    targetId,
  )
  await auditMany(
    tx,
    ctx,
    invitationEntity,
    moved.map(({ id, contractorId }) => ({ id, before: { contractorId }, after: { contractorId: targetId } })),
  )
  const openRows = rows.filter((row) => !endOf(row, ctx.now()))
  for (const sameEmail of Map.groupBy(openRows, ({ email }) => email).values()) {
    const [latest, ...earlier] = sameEmail.toSorted((first, second) => second.sentAt.getTime() - first.sentAt.getTime())
    if (latest && earlier.length > 0) await join(latest, earlier)
  }
  return undefined

  async function join(latest: Invitation, earlier: Invitation[]) {
    const contractorRoles = await selectInvitedRoles(latest.id, tx)
    for (const { id, inviterId } of earlier) {
      // the last inviter may have more methods than another inviter, so a role is added only if its own inviter may
      // give it
      const roles = inviterId === latest.inviterId ? selectInvitedRoles(id, tx) : selectGivableRoles(id, tx)
      await addInvitationRoles(tx, latest.id, await roles)
      await invitationRows.update(tx, id, { status: 'deleted', finishedAt: ctx.now() })
      await audit(tx, ctx, invitationEntity, id, { status: 'active' }, { status: 'deleted' })
    }
    const after = { contractorRoles: await selectInvitedRoles(latest.id, tx) }
    await audit(tx, ctx, invitationEntity, latest.id, { contractorRoles }, after)
  }
}
