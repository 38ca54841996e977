import type { Transaction } from '@/db/client'
import type { Ctx } from '../context/ctx'
import { audit } from './audit'
import { requireUnchanged } from './change'
import { requireVersion } from './conflict'
import { type Entity, type FieldName, type Fields, type Recorded, recorded } from './entity'

type ById = { params: { id: string } }
type Values<F extends Fields> = Partial<Recorded<F, FieldName<F>>>

/** A recorded kind of row: its entity, and the statements on one row that `rowsById` (db/rows.ts) returns. */
type Kind<F extends Fields, Row, Changes> = {
  entity: Entity<F>
  rows: {
    lock: (tx: Transaction, id: string) => Promise<Row | undefined>
    update: (tx: Transaction, id: string, values: Changes) => Promise<void>
    remove: (tx: Transaction, id: string) => Promise<void>
  }
}

const snapshotOf = (entity: Entity, row: object): Record<string, unknown> => recorded(entity, row)

/**
 * Replaces a row in the caller's transaction: locks it, and records and stores what `valuesOf` returns for it, if
 * anything differs. The caller checks access before and invalidates caches after. Returns whether anything changed.
 * Throws what `requireVersion` and `valuesOf` throw.
 */
export async function replaceRow<F extends Fields, Row extends Values<F> & { updatedAt: Date }, Changes extends object>(
  tx: Transaction,
  ctx: Ctx,
  { params: { id }, body: { updatedAt } }: ById & { body: { updatedAt?: string | undefined } },
  { entity, rows }: Kind<F, Row, Changes>,
  valuesOf: (before: Row) => (NoInfer<Changes> & Values<F>) | Promise<NoInfer<Changes> & Values<F>>,
): Promise<boolean> {
  const row = await rows.lock(tx, id)
  const before = await requireVersion(tx, ctx, entity, { id, row, updatedAt })
  const values = await valuesOf(before)
  const previous = snapshotOf(entity, before)
  const changed = await audit<Fields, string>(tx, ctx, entity, id, previous, {
    ...previous,
    ...snapshotOf(entity, values),
  })
  if (changed) await rows.update(tx, id, values)
  return changed
}

/**
 * Deletes a row in the caller's transaction and records it. The caller checks access before and invalidates caches
 * after. Throws 404, and what `check` throws for the locked row.
 */
export async function removeRow<F extends Fields, Row extends Values<F> & { updatedAt: Date }>(
  tx: Transaction,
  ctx: Ctx,
  { params: { id } }: ById,
  { entity, rows }: Kind<F, Row, never>,
  check: (before: Row) => Promise<void> | void,
): Promise<void> {
  const before = requireUnchanged(await rows.lock(tx, id))
  await check(before)
  await rows.remove(tx, id)
  await audit<Fields, string>(tx, ctx, entity, id, snapshotOf(entity, before), null)
}
