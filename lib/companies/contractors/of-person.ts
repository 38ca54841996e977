import type { Database, Transaction } from '@/db/client'
import { changingRolesOf } from '@/lib/access/rights/last-administrator'
import { refreshRights } from '@/lib/access/rights/service'
import { lockAdministered, requireAccount } from '@/lib/accounts/users/administer'
import { touchAccounts } from '@/lib/accounts/users/own'
import { requireMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { fieldError } from '@/lib/base/runtime/errors'
import type * as calls from './contract'
import { auditingMemberships } from './memberships'
import { insertMemberships, replaceMemberships, selectMemberships, shareContractors } from './people-queries'

/**
 * Replaces the contractors of an account; roles for one that is taken away go too. Needs users.write. Throws 404, 403
 * forbiddenUser, 400 for an unknown contractor, 409 lastAdministrator, and 409 if the account has changed since
 * `updatedAt` (docs/rules/people.md#administration-of-users).
 */
export async function setUserContractors(
  ctx: Ctx,
  { params: { id }, body }: ServiceInput<typeof calls.setUserContractors>,
) {
  requireMethod(ctx, 'users.write')
  const contractorIds = [...new Set(body.contractors)]
  const afterCommit = await changingRolesOf(id, async (tx) => {
    await requireAccount(tx, id)
    // contractors before people: a merge or a deletion of one waits, or has already happened
    const existingIds = await shareContractors(tx, contractorIds)
    const unknownIndex = body.contractors.findIndex((contractorId) => !existingIds.has(contractorId))
    if (unknownIndex >= 0) throw fieldError(`contractors.${unknownIndex}`, 'errorContractor')
    await lockAdministered(tx, ctx, id, body.updatedAt)
    const heldIds = (await selectMemberships(tx, [id])).get(id)?.contractors ?? []
    const removedIds = heldIds.filter((contractorId) => !contractorIds.includes(contractorId))
    const added = contractorIds.filter((contractorId) => !heldIds.includes(contractorId))
    if (removedIds.length + added.length === 0) return undefined
    await auditingMemberships(tx, ctx, [id], () => replaceMemberships(tx, id, { gone: removedIds, added }))
    await touchAccounts(tx, [id])
    return refreshRights(tx, ctx, { people: [id] })
  })
  await afterCommit?.()
  return {}
}

/**
 * Puts an account into contractors in a transaction, for rows of an import. Returns a function to run after the commit;
 * undefined if the account is in all of them. Throws 404, 403 forbiddenUser, and 400 for an unknown contractor.
 */
export async function addContractorsIn(tx: Transaction, ctx: Ctx, userId: string, contractorIds: readonly string[]) {
  const existingIds = await shareContractors(tx, contractorIds)
  const unknownIndex = contractorIds.findIndex((id) => !existingIds.has(id))
  if (unknownIndex >= 0) throw fieldError(`contractors.${unknownIndex}`, 'errorContractor')
  await lockAdministered(tx, ctx, userId)
  const heldIds = (await selectMemberships(tx, [userId])).get(userId)?.contractors ?? []
  const added = contractorIds.filter((id) => !heldIds.includes(id))
  if (added.length === 0) return undefined
  await auditingMemberships(tx, ctx, [userId], () => replaceMemberships(tx, userId, { gone: [], added }))
  await touchAccounts(tx, [userId])
  return refreshRights(tx, ctx, { people: [userId] })
}

/** Returns the ids of these contractors that exist. None of them can be deleted until the transaction ends. */
export const lockExistingContractors = (tx: Transaction, ids: readonly string[]) => shareContractors(tx, ids)

/** Returns a function that tells whether one of these people is in all of some contractors. */
export async function contractorsHeldBy(tx: Database | Transaction, userIds: readonly string[]) {
  const memberships = await selectMemberships(tx, userIds)
  return (userId: string, contractorIds: readonly string[]): boolean =>
    contractorIds.every((id) => memberships.get(userId)?.contractors.includes(id))
}

/**
 * Puts accounts that the transaction has created into contractors, with the same result as `addContractorsIn` for each.
 * Call `lockExistingContractors` before.
 */
export async function joinContractors(
  tx: Transaction,
  ctx: Ctx,
  accounts: readonly { userId: string; contractorIds: readonly string[] }[],
): Promise<void> {
  const rows = accounts.flatMap(({ userId, contractorIds }) =>
    contractorIds.map((contractorId) => ({ userId, contractorId })),
  )
  if (rows.length === 0) return
  await auditingMemberships(tx, ctx, [...new Set(rows.map(({ userId }) => userId))], () => insertMemberships(tx, rows))
}
