import type { Database, Transaction } from '@/db/client'
import { changingRolesOf } from '@/lib/access/rights/administrators'
import { refreshRights } from '@/lib/access/rights/service'
import { lockAdministered, requireAccount } from '@/lib/accounts/users/administer'
import { touchAccount } from '@/lib/accounts/users/own'
import { requireMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { fieldError } from '@/lib/base/runtime/errors'
import type * as calls from './contract'
import { recordingMemberships } from './memberships'
import { insertMemberships, replaceMemberships, selectMemberships, shareContractors } from './people-queries'

/**
 * Replaces the contractors of an account; roles for one that is taken away go too. Needs users.write. Throws 404, 403
 * forbiddenUser, 400 for an unknown contractor, 409 lastAdministrator, and 409 if the account has changed since `updatedAt`
 * (docs/rules/people.md#administration-of-users).
 */
export async function setUserContractors(
  ctx: Ctx,
  { params: { id }, body }: ServiceInput<typeof calls.setUserContractors>,
) {
  requireMethod(ctx, 'users.write')
  const wanted = [...new Set(body.contractors)]
  const afterCommit = await changingRolesOf(id, async (tx) => {
    await requireAccount(tx, id)
    // contractors before people: a merge or a deletion of one waits, or comes first
    const found = await shareContractors(tx, wanted)
    const unknown = body.contractors.findIndex((one) => !found.has(one))
    if (unknown >= 0) throw fieldError(`contractors.${unknown}`, 'errorContractor')
    await lockAdministered(tx, ctx, id, body.updatedAt)
    const held = (await selectMemberships(tx, [id])).get(id)?.contractors ?? []
    const gone = held.filter((one) => !wanted.includes(one))
    const added = wanted.filter((one) => !held.includes(one))
    if (gone.length + added.length === 0) return undefined
    await recordingMemberships(tx, ctx, [id], () => replaceMemberships(tx, id, { gone, added }))
    await touchAccount(tx, id)
    return refreshRights(tx, ctx, { people: [id] })
  })
  await afterCommit?.()
  return {}
}

/**
 * Puts an account into contractors in a transaction, for rows of an import. Returns what runs after the commit, undefined
 * if it is in all of them. Throws 404, 403 forbiddenUser, and 400 for an unknown contractor.
 */
export async function addContractorsIn(tx: Transaction, ctx: Ctx, userId: string, contractorIds: readonly string[]) {
  const found = await shareContractors(tx, contractorIds)
  const unknown = contractorIds.findIndex((one) => !found.has(one))
  if (unknown >= 0) throw fieldError(`contractors.${unknown}`, 'errorContractor')
  await lockAdministered(tx, ctx, userId)
  const held = (await selectMemberships(tx, [userId])).get(userId)?.contractors ?? []
  const added = contractorIds.filter((one) => !held.includes(one))
  if (added.length === 0) return undefined
  await recordingMemberships(tx, ctx, [userId], () => replaceMemberships(tx, userId, { gone: [], added }))
  await touchAccount(tx, userId)
  return refreshRights(tx, ctx, { people: [userId] })
}

/** Returns those of these contractors that there are; none of them is deleted until the transaction ends. */
export const heldContractors = (tx: Transaction, ids: readonly string[]) => shareContractors(tx, ids)

/** Returns a function that says whether one of these people is in all of some contractors. */
export async function contractorsHeldBy(tx: Database | Transaction, userIds: readonly string[]) {
  const held = await selectMemberships(tx, userIds)
  return (userId: string, contractorIds: readonly string[]): boolean =>
    contractorIds.every((id) => held.get(userId)?.contractors.includes(id))
}

/** Puts accounts that the transaction has created into contractors, after `heldContractors`, as `addContractorsIn` does each. */
export async function joinContractors(
  tx: Transaction,
  ctx: Ctx,
  joining: readonly { userId: string; contractorIds: readonly string[] }[],
): Promise<void> {
  const rows = joining.flatMap(({ userId, contractorIds }) =>
    contractorIds.map((contractorId) => ({ userId, contractorId })),
  )
  if (rows.length === 0) return
  await recordingMemberships(tx, ctx, [...new Set(rows.map(({ userId }) => userId))], () => insertMemberships(tx, rows))
}
