import type { Transaction } from '@/db/client'
import { userEntity } from '@/lib/accounts/users/entity'
import { auditMany } from '@/lib/base/audit/audit'
import type { Ctx } from '@/lib/base/context/ctx'
import { lockPeople, selectMemberships } from './people-queries'

/**
 * Runs a change of what these people hold for contractors, and records each person's contractors and contractor roles
 * before and after. Locks the people first, in the order of their ids, so that the history misses no change of another
 * transaction. Lock role, contractor and organization before, in this order.
 */
export async function recordingMemberships<T>(
  tx: Transaction,
  ctx: Ctx,
  userIds: readonly string[],
  change: () => Promise<T>,
): Promise<T> {
  await lockPeople(tx, userIds)
  const before = await selectMemberships(tx, userIds)
  const done = await change()
  const after = await selectMemberships(tx, userIds)
  const updates = userIds.flatMap((id) => {
    const [was, is] = [before.get(id), after.get(id)]
    return was && is ? [{ id, before: was, after: is }] : []
  })
  await auditMany(tx, ctx, userEntity, updates)
  return done
}
