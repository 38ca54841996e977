import { db } from '@/db/client'
import { requireMethod } from '@/lib/kernel/access'
import { requireUnchanged } from '@/lib/kernel/change'
import type { Ctx } from '@/lib/kernel/ctx'
import { emit } from '@/lib/kernel/events'
import { record } from '@/lib/kernel/record/record'
import { keepingAdministrator } from '@/lib/people/rights/administrators'
import { requireGrantable } from '@/lib/people/rights/service'
import { userEntity } from './entity'
import { lockUser, updateUser } from './queries'

/**
 * Enables or disables an account; disabling ends its sessions. Needs users.write. Throws 404 for an unknown account,
 * 403 forbiddenUser for one that holds a method which the caller lacks, 409 if somebody has changed it since
 * `updatedAt`, and 409 lastAdministrator (docs/rules/people.md#disabling).
 */
export async function setUserEnabled(
  ctx: Ctx,
  { userId, enabled, updatedAt }: { userId: string; enabled: boolean; updatedAt?: string },
) {
  requireMethod(ctx, 'users.write')
  const afterCommit = await db().transaction((tx) => {
    const change = async () => {
      const row = await lockUser(tx, userId)
      await requireGrantable(tx, ctx, { people: [userId] }, 'forbiddenUser')
      const before = requireUnchanged(row, updatedAt)
      if (before.enabled === enabled) return undefined
      await updateUser(tx, userId, { enabled })
      await record(tx, ctx, userEntity, userId, { enabled: before.enabled }, { enabled })
      return enabled ? undefined : emit(tx, ctx, 'userDisabled', { userId })
    }
    // this lock comes before the account's, as everywhere: the other order would deadlock
    return enabled ? change() : keepingAdministrator(tx, change)
  })
  await afterCommit?.()
}
