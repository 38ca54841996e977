import { db } from '@/db/client'
import { userContractorRoles } from '@/db/schema'
import { invalidateSessions } from '@/lib/sign-in/sessions/service'
import { manager } from './access-requests'
import { type Company, createContractor, createContractorRole, join } from './companies'
import { createUser } from './users'

/** A company with its manager, and a colleague who holds one role there. */
export async function managedColleague() {
  const company = await createContractor(2)
  const role = await createContractorRole()
  const person = await createUser()
  await join(company, person.id, [role.id])
  return { ...(await manager(company)), company, role, person }
}

/** What everybody holds for a company: `user organization role`, sorted. */
export const heldFor = async ({ contractor }: Company) =>
  (await db().select().from(userContractorRoles))
    .filter(({ contractorId }) => contractorId === contractor.id)
    .map(({ userId, organizationId, roleId }) => `${userId} ${organizationId} ${roleId}`)
    .toSorted()

/** Reads the rights of open sessions anew, as planting roles doesn't. */
export async function reread(userId: string) {
  const done = await invalidateSessions(db(), userId, new Date())
  await done()
}

/** Every id in an answer, at any depth. */
export function idsIn(value: unknown): string[] {
  if (typeof value === 'string') return value.match(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi) ?? []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => [...idsIn(key), ...idsIn(inner)])
}
