import type { Transaction } from '@/db/client'
import { lockMembershipRows } from '@/lib/companies/managers/service'
import { type Invitation, selectInvitedRoles, selectOpenRoles } from './queries'

/**
 * Returns the roles that an invitation gives now, and locks the roles, the contractor and the organizations on which
 * this depends until the transaction ends. It doesn't lock the inviter. Lock the invitation first.
 */
export async function lockGrantedRoles(tx: Transaction, { id, contractorId }: Invitation) {
  const chosen = await selectInvitedRoles(id, tx)
  const [roleIds, places] = [chosen.map(({ roleId }) => roleId), chosen.map(({ organizationId }) => organizationId)]
  await lockMembershipRows(tx, contractorId, roleIds, places)
  return (await selectOpenRoles(id, tx)).map(({ organizationId, roleId }) => ({ organizationId, roleId }))
}
