import type { Transaction } from '@/db/client'
import { history } from '@/db/schema/operations'
import type { Ctx } from './ctx'

type Value = unknown
export type AuditEntry = {
  type: 'create' | 'update' | 'delete' | 'login'
  /** What kind of thing, such as users or network-aliases. */
  entity: string
  entityId: string
  /** By field: as it was and as it is. A login or a bare event has none. */
  changes?: Record<string, { previous?: Value; current?: Value; subtype?: string }>
  /** Who did it, where that isn't the signed-in user of the context (at sign-in, say). */
  changerId?: string | null
}

const secretField = /password|secret|hash|token|key$/i
const hidden = (field: string, value: Value) => {
  if (value === undefined || value === null) return null
  return secretField.test(field) ? '***' : value
}

/** The fields whose value differs, for `changes`. */
export function changesBetween<T extends Record<string, Value>>(previous: Partial<T>, current: Partial<T>) {
  const changes: NonNullable<AuditEntry['changes']> = {}
  for (const field of new Set([...Object.keys(previous), ...Object.keys(current)]))
    if (JSON.stringify(previous[field] ?? null) !== JSON.stringify(current[field] ?? null))
      changes[field] = { previous: previous[field], current: current[field] }
  return changes
}

/** Writes history in the transaction of the change itself: a row a field, secrets as ***. */
export async function audit(tx: Transaction, ctx: Ctx, { type, entity, entityId, changes, changerId }: AuditEntry) {
  const common = {
    type,
    entity,
    entityId,
    ip: ctx.ip || null,
    changerId: changerId === undefined ? (ctx.user?.id ?? null) : changerId,
    requestId: ctx.requestId,
    date: ctx.now(),
  }
  const fields = Object.entries(changes ?? {})
  if (fields.length === 0) {
    if (type !== 'update') await tx.insert(history).values(common)
    return
  }
  await tx.insert(history).values(
    fields.map(([field, { previous, current, subtype }]) => ({
      ...common,
      field,
      subtype,
      previous: hidden(field, previous),
      current: hidden(field, current),
    })),
  )
}
