import { type SQL, sql } from 'drizzle-orm'
import type { Transaction } from '@/db/client'
import { history } from '@/db/schema/operations'
import type { Ctx } from './ctx'

/** The part of a context that history needs; a job has no more. */
export type AuditCtx = Pick<Ctx, 'ip' | 'user' | 'requestId' | 'now'> & Partial<Pick<Ctx, 'service'>>
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

const secretField = /password|secret|hash|token(?!lifespan)|key$/i
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

/** A person by the account's id, a service account by its application's: ids of both are never the same. */
const changerOf = ({ user, service }: AuditCtx) => service?.applicationId ?? user?.id ?? null

/** What every history row of an entry says: who, what, when, from where. */
const commonOf = (ctx: AuditCtx, { type, entity, entityId, changerId }: AuditEntry) => ({
  type,
  entity,
  entityId,
  ip: ctx.ip || null,
  changerId: changerId === undefined ? changerOf(ctx) : changerId,
  requestId: ctx.requestId,
  date: ctx.now(),
})

/**
 * The row of an entry without changes as a statement that writes it once for each row of the CTE `from`, for a
 * change that is itself one statement.
 */
export function auditFrom(ctx: Ctx, entry: AuditEntry, from: string): SQL {
  const { type, entity, entityId, ip, changerId, requestId, date } = commonOf(ctx, entry)
  return sql`insert into ${history} (type, entity, entity_id, ip, changer_id, request_id, date)
    select ${type}::history_type, ${entity}, ${entityId}, ${ip}, ${changerId}::uuid, ${requestId}, ${date}::timestamptz
    from ${sql.identifier(from)}`
}

/** Writes history in the transaction of the change itself: a row a field, secrets as ***. */
export async function audit(tx: Transaction, ctx: AuditCtx, entry: AuditEntry) {
  const common = commonOf(ctx, entry)
  const { type, changes } = entry
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
