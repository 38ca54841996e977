import { and, eq, sql } from 'drizzle-orm'
import { db, type Transaction } from '@/db/client'
import { roles, userRoles, users } from '@/db/schema/people'
import { callerOf, requireMethod } from '@/lib/kernel/access'
import { audit } from '@/lib/kernel/audit'
import type { Ctx } from '@/lib/kernel/ctx'
import { AppError, notFound } from '@/lib/kernel/errors'
import { emit } from '@/lib/kernel/events'
import { accessOf } from '@/lib/people/roles/service'

/** Whether this is the only enabled administrator; locked, so that two can't disable each other at once. */
async function isLastAdministrator(tx: Transaction, userId: string) {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('administrators'))`)
  const rows = await tx
    .select({ id: users.id })
    .from(users)
    .innerJoin(userRoles, eq(userRoles.userId, users.id))
    .innerJoin(roles, and(eq(roles.id, userRoles.roleId), eq(roles.code, 'administrator')))
    .where(eq(users.enabled, true))
  return rows.length === 1 && rows[0]?.id === userId
}

/**
 * Enables or disables an account; disabling ends its sessions. Needs users.write. Throws 404 for an unknown one,
 * 403 forbiddenUser for one that holds a method the caller lacks, 409 lastAdministrator (decisions.md section 3).
 */
export async function setUserEnabled(ctx: Ctx, { userId, enabled }: { userId: string; enabled: boolean }) {
  requireMethod(ctx, 'users.write')
  const own = callerOf(ctx)?.methods
  const held = await accessOf(userId)
  for (const method of held.methods) if (!own?.has(method)) throw new AppError(403, 'forbiddenUser')
  const afterCommit = await db().transaction(async (tx) => {
    const [before] = await tx.select({ enabled: users.enabled }).from(users).where(eq(users.id, userId)).for('update')
    if (!before) throw notFound()
    if (before.enabled === enabled) return undefined
    if (!enabled && (await isLastAdministrator(tx, userId))) throw new AppError(409, 'lastAdministrator')
    await tx
      .update(users)
      .set({ enabled, version: sql`${users.version} + 1`, updatedAt: ctx.now() })
      .where(eq(users.id, userId))
    const changes = { enabled: { previous: before.enabled, current: enabled } }
    await audit(tx, ctx, { type: 'update', entity: 'users', entityId: userId, changes })
    return enabled ? undefined : emit(tx, ctx, 'userDisabled', { userId })
  })
  await afterCommit?.()
}
