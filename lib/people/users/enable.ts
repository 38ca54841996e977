import { db, type Transaction } from '@/db/client'
import { holdsMethod, requireMethod } from '@/lib/kernel/access'
import { requireUnchanged } from '@/lib/kernel/change'
import type { Ctx } from '@/lib/kernel/ctx'
import { AppError } from '@/lib/kernel/errors'
import { emit } from '@/lib/kernel/events'
import { record } from '@/lib/kernel/record/record'
import { heldMethods } from '@/lib/people/roles/service'
import { userEntity } from './entity'
import { lockAdministrators, lockUser, selectEnabledAdministrators, updateUser } from './queries'

/** Whether this is the only enabled administrator. The caller holds the lock, so that two can't disable each other. */
async function isLastAdministrator(tx: Transaction, userId: string) {
  const ids = await selectEnabledAdministrators(tx)
  return ids.length === 1 && ids[0] === userId
}

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
  const afterCommit = await db().transaction(async (tx) => {
    // this lock comes before the account's, as everywhere: the other order would deadlock
    if (!enabled) await lockAdministrators(tx)
    const row = await lockUser(tx, userId)
    for (const method of await heldMethods(userId, tx))
      if (!holdsMethod(ctx, method)) throw new AppError(403, 'forbiddenUser')
    const before = requireUnchanged(row, updatedAt)
    if (before.enabled === enabled) return undefined
    if (!enabled && (await isLastAdministrator(tx, userId))) throw new AppError(409, 'lastAdministrator')
    await updateUser(tx, userId, { enabled })
    await record(tx, ctx, userEntity, userId, { enabled: before.enabled }, { enabled })
    return enabled ? undefined : emit(tx, ctx, 'userDisabled', { userId })
  })
  await afterCommit?.()
}
