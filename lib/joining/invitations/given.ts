import type { Transaction } from '@/db/client'
import { keepPlaces } from '@/lib/companies/managers/service'
import { type Invitation, selectInvitedRoles, selectOpenRoles } from './queries'

/**
 * Returns the roles that an invitation gives now, and keeps all that this depends on but the inviter as it is until the
 * transaction ends: the roles, the contractor and the organizations. Lock the invitation before.
 */
export async function keepGiven(tx: Transaction, { id, contractorId }: Invitation) {
  const chosen = await selectInvitedRoles(id, tx)
  const [roleIds, places] = [chosen.map(({ roleId }) => roleId), chosen.map(({ organizationId }) => organizationId)]
  await keepPlaces(tx, contractorId, roleIds, places)
  return (await selectOpenRoles(id, tx)).map(({ organizationId, roleId }) => ({ organizationId, roleId }))
}
