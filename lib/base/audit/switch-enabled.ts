import { and, eq, type SQL } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Transaction } from '@/db/client'
import type { Ctx } from '../context/ctx'
import type { ServiceInput } from '../contracts/contract'
import type { EnableCall } from '../lists/area-calls'
import { audit } from './audit'
import { requireUnchanged } from './change'
import type { Entity, Field } from './entity'

type SwitchableTable = PgTable & Record<'id' | 'enabled' | 'updatedAt', PgColumn>

type Rules = {
  table: SwitchableTable
  entity: Entity<{ enabled: Field<boolean> }>
  /** The condition for the rows that the call may switch, all by default; the others answer 404. */
  among?: SQL
  /** Throws if the row must not be switched; runs while the row is locked. */
  check?: (enabled: boolean) => Promise<void> | void
}

/**
 * Switches a row on or off in the caller's transaction. The caller checks access before and invalidates caches after.
 * Returns whether anything changed. Throws 404, and 409 if the row was changed since `updatedAt`: when two people
 * switch the same version, one succeeds.
 */
export async function switchEnabled(
  tx: Transaction,
  ctx: Ctx,
  { params: { id }, body: { enabled, updatedAt } }: ServiceInput<EnableCall>,
  { table, entity, among, check }: Rules,
): Promise<boolean> {
  const condition = and(eq(table.id, id), among)
  const rows = await tx
    .select({ enabled: table.enabled, updatedAt: table.updatedAt })
    .from(table as PgTable)
    .where(condition)
    .for('update')
  const before = requireUnchanged((rows as { enabled: boolean; updatedAt: Date }[])[0], updatedAt)
  if (before.enabled === enabled) return false
  await check?.(enabled)
  await tx
    .update(table as PgTable)
    .set({ enabled } as object)
    .where(condition)
  return audit(tx, ctx, entity, id, { enabled: before.enabled }, { enabled })
}
