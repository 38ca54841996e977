import { db, type Transaction } from '@/db/client'
import { keepingAdministrator } from '@/lib/access/rights/last-administrator'
import { audit } from '@/lib/base/audit/audit'
import { requireMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import { emit } from '@/lib/base/events/events'
import { lockAdministered } from './administer'
import { userEntity } from './entity'
import { userRows } from './queries'

type EnableInput = { userId: string; enabled: boolean; reason?: string | undefined; updatedAt?: string | undefined }

/**
 * Enables or disables an account; disabling ends its sessions, and the history keeps its reason. Needs users.write.
 * Throws what `lockAdministered` throws, and 409 lastAdministrator (docs/rules/people.md#disabling).
 */
export async function setUserEnabled(ctx: Ctx, { userId, enabled, reason, updatedAt }: EnableInput) {
  requireMethod(ctx, 'users.write')
  const afterCommit = await db().transaction((tx) => {
    const change = async () => {
      const before = await lockAdministered(tx, ctx, userId, updatedAt)
      if (before.enabled === enabled) return undefined
      // a directory doesn't take back what a person has decided
      await userRows.update(tx, userId, { enabled, disabledByProvider: false })
      const [auditedBefore, auditedAfter] = [
        { enabled: !enabled, blockReason: null },
        { enabled, blockReason: reason || null },
      ]
      await audit(
        tx,
        ctx,
        userEntity,
        userId,
        auditedBefore,
        enabled ? { ...auditedAfter, blockReason: null } : auditedAfter,
      )
      return enabled ? undefined : emit(tx, ctx, 'userDisabled', { userId })
    }
    // this lock comes before the account's, as everywhere: the other order would deadlock
    return enabled ? change() : keepingAdministrator(tx, change)
  })
  await afterCommit?.()
}

/**
 * Disables an account that its directory has disabled or no longer has. Call it first in the transaction. Returns a
 * function to run after the commit; undefined if the account is disabled already. Throws as `setUserEnabled`
 * (docs/rules/providers.md#people-who-are-gone).
 */
export const disableByProvider = (tx: Transaction, ctx: Ctx, userId: string, reason: string) =>
  keepingAdministrator(tx, async () => {
    const before = await lockAdministered(tx, ctx, userId)
    if (!before.enabled) return undefined
    await userRows.update(tx, userId, { enabled: false, disabledByProvider: true })
    const auditedBefore = { enabled: true, blockReason: null }
    await audit(tx, ctx, userEntity, userId, auditedBefore, { enabled: false, blockReason: reason })
    return emit(tx, ctx, 'userDisabled', { userId })
  })
