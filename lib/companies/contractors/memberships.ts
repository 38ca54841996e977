import type { Transaction } from '@/db/client'
import { userEntity } from '@/lib/accounts/users/entity'
import { auditMany } from '@/lib/base/audit/audit'
import type { Ctx } from '@/lib/base/context/ctx'
import { lockPeople, selectMemberships } from './people-queries'

/**
 * Runs a change of what these people hold for contractors, and records audit events with each person's contractors and
 * contractor roles before and after. Locks the people first, in the order of their ids, so that the events miss no
 * change of another transaction. Lock role, contractor and organization before, in this order.
 */
export async function auditingMemberships<T>(
  tx: Transaction,
  ctx: Ctx,
  userIds: readonly string[],
  change: () => Promise<T>,
): Promise<T> {
  await lockPeople(tx, userIds)
  const before = await selectMemberships(tx, userIds)
  const result = await change()
  const after = await selectMemberships(tx, userIds)
  const updates = userIds.flatMap((id) => {
    const [membershipBefore, membershipAfter] = [before.get(id), after.get(id)]
    return membershipBefore && membershipAfter ? [{ id, before: membershipBefore, after: membershipAfter }] : []
  })
  await auditMany(tx, ctx, userEntity, updates)
  return result
}
