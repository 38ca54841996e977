import { type SQL, sql } from 'drizzle-orm'
import type { Transaction } from '@/db/client'
import { history } from '@/db/schema/operations'
import { changerOf } from '../context/access'
import type { Ctx } from '../context/ctx'
import { putEvent, putEvents, type RecordedEvent } from '../events/outbox'
import { declaredAs, type Entity, type FieldName, type Fields, type Recorded } from './entity'
import { isSame, masked, type Plain, plain } from './values'

/** The part of a context that recording needs; jobs have no more. */
export type AuditContext = Pick<Ctx, 'ip' | 'user' | 'requestId' | 'now'> & Partial<Pick<Ctx, 'service'>>

/** How many objects one statement records. */
const objectsPerInsert = 500

type AuditType = 'create' | 'update' | 'delete' | 'login'
type Change = { previous: Plain; current: Plain }

/** `changerId`: who caused it, if not the caller of the context, as at sign-in. */
type AuditOptions = { changerId?: string | null | undefined }
type Options<N extends string> = AuditOptions & {
  /** For dynamic fields, by field: the section of the profile that shows it. */
  subtype?: { [K in N]?: string }
}

type Snapshot = Readonly<Record<string, unknown>>

/**
 * Returns the fields whose values differ, in the order of their declaration, secrets masked. Throws TypeError for a
 * field that is not declared, or that only one side of an update has.
 */
export function changesOf(entity: Entity, before: Snapshot | null, after: Snapshot | null): Map<string, Change> {
  const order = Object.keys(entity.fields)
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])
  const changes: { at: number; name: string; change: Change }[] = []
  for (const name of names) {
    const key = declaredAs(entity, name)
    if (key === undefined) throw new TypeError(`${entity.name} declares no field ${name}`)
    // a field that only one side of an update has would look as if it had been filled or emptied
    for (const side of [before, after])
      if (side && !Object.hasOwn(side, name)) throw new TypeError(`${entity.name}: ${name} stands on one side alone`)
    const [previous, current] = [plain(before?.[name]), plain(after?.[name])]
    if (isSame(previous, current)) continue
    const secrets = entity.fields[key]?.secrets
    const change = { previous: masked(previous, secrets), current: masked(current, secrets) }
    changes.push({ at: order.indexOf(key), name, change })
  }
  return new Map(changes.sort((first, second) => first.at - second.at).map(({ name, change }) => [name, change]))
}

/** Returns the columns that all history rows of one audit event share: who, what, when, from where. */
const commonColumns = (
  ctx: AuditContext,
  entity: Entity,
  entityId: string,
  type: AuditType,
  { changerId }: AuditOptions,
) => ({
  type,
  entity: entity.name,
  entityId,
  ip: ctx.ip || null,
  changerId: changerId === undefined ? changerOf(ctx) : changerId,
  requestId: ctx.requestId,
  date: ctx.now(),
})

/** Returns a history row for each changed field, or one row without a field. */
function rowsOf(
  common: ReturnType<typeof commonColumns>,
  changes: Map<string, Change>,
  subtype: Record<string, string | undefined> = {},
): (typeof history.$inferInsert)[] {
  const rows = [...changes].map(([field, change]) => ({ ...common, field, subtype: subtype[field], ...change }))
  return rows.length > 0 ? rows : [common]
}

/** Returns what a change is. Throws TypeError if the object is neither there before nor after it. */
function typeOf(entity: Entity, before: Snapshot | null, after: Snapshot | null): RecordedEvent['type'] {
  if (!before && !after) throw new TypeError(`${entity.name}: there is neither a before nor an after`)
  return before && after ? 'update' : after ? 'create' : 'delete'
}

/**
 * Records a change in its transaction: a history row for each field that differs, and an event in the event outbox.
 * Without `before` it is a creation, without `after` a deletion. Returns false, and writes nothing, if an update
 * changes nothing. Throws TypeError for fields that the entity does not declare.
 */
export async function audit<F extends Fields, K extends FieldName<F>>(
  tx: Transaction,
  ctx: AuditContext,
  entity: Entity<F>,
  entityId: string,
  before: Recorded<F, K> | null,
  after: Recorded<F, K> | null,
  { subtype, ...options }: Options<K> = {},
): Promise<boolean> {
  const type = typeOf(entity, before, after)
  const changes = changesOf(entity, before, after)
  if (type === 'update' && changes.size === 0) return false
  const common = commonColumns(ctx, entity, entityId, type, options)
  await tx.insert(history).values(rowsOf(common, changes, subtype))
  const { changerId, requestId, date } = common
  await putEvent(tx, {
    type,
    entity: entity.name,
    entityId,
    changes: Object.fromEntries(changes),
    changerId,
    requestId,
    date,
  })
  return true
}

/**
 * Records changes of many objects of one entity, as `audit` does for each, in few statements: updates, creations where
 * `before` is null, and deletions where `after` is. Updates that change nothing are left out.
 */
export async function auditMany<F extends Fields, K extends FieldName<F>>(
  tx: Transaction,
  ctx: AuditContext,
  entity: Entity<F>,
  objects: readonly ({ id: string; before: Recorded<F, K> | null; after: Recorded<F, K> | null } & Pick<
    Options<K>,
    'subtype'
  >)[],
  options: AuditOptions = {},
): Promise<void> {
  for (let start = 0; start < objects.length; start += objectsPerInsert) {
    const auditEvents = objects
      .slice(start, start + objectsPerInsert)
      .flatMap(({ id, before, after, subtype = {} }) => {
        const type = typeOf(entity, before, after)
        const changes = changesOf(entity, before, after)
        const common = { ...commonColumns(ctx, entity, id, type, options), type }
        return type !== 'update' || changes.size > 0
          ? [{ common, changes, subtype: subtype as Record<string, string | undefined> }]
          : []
      })
    if (auditEvents.length === 0) continue
    await tx
      .insert(history)
      .values(auditEvents.flatMap(({ common, changes, subtype }) => rowsOf(common, changes, subtype)))
    await putEvents(
      tx,
      entity.name,
      auditEvents.map(({ common: { type, changerId, requestId, date, entityId }, changes }) => ({
        type,
        entity: entity.name,
        entityId,
        changes: Object.fromEntries(changes),
        changerId,
        requestId,
        date,
      })),
    )
  }
}

/**
 * Records an audit event that changes no field of an object, such as reading its secret. `details` describes it. Stores
 * no event in the event outbox.
 */
export async function auditEvent<F extends Fields, K extends FieldName<F>>(
  tx: Transaction,
  ctx: AuditContext,
  entity: Entity<F>,
  entityId: string,
  type: AuditType,
  details: Recorded<F, K> | null = null,
  options: AuditOptions = {},
): Promise<void> {
  await tx
    .insert(history)
    .values(rowsOf(commonColumns(ctx, entity, entityId, type, options), changesOf(entity, null, details)))
}

/**
 * Returns `auditEvent` as SQL that inserts a history row for each row of a CTE, for changes that are a single
 * statement.
 */
export function auditEventFrom(
  ctx: AuditContext,
  entity: Entity,
  entityId: string,
  type: AuditType,
  cte: string,
  options: AuditOptions = {},
): SQL {
  const { ip, changerId, requestId, date } = commonColumns(ctx, entity, entityId, type, options)
  return sql`insert into ${history} (type, entity, entity_id, ip, changer_id, request_id, date)
    select ${type}::history_type, ${entity.name}, ${entityId}, ${ip}, ${changerId}::uuid, ${requestId}, ${date}::timestamptz
    from ${sql.identifier(cte)}`
}
