import { type SQL, sql } from 'drizzle-orm'
import type { Transaction } from '@/db/client'
import { history } from '@/db/schema/operations'
import { changerOf } from '../context/access'
import type { Ctx } from '../context/ctx'
import { putEvent, putEvents } from '../events/outbox'
import { declaredAs, type Entity, type FieldName, type Fields, type Recorded } from './entity'
import { isSame, masked, type Plain, plain } from './values'

/** The part of a context that recording needs; jobs have no more. */
export type AuditContext = Pick<Ctx, 'ip' | 'user' | 'requestId' | 'now'> & Partial<Pick<Ctx, 'service'>>

/** How many objects one statement records. */
const atOnce = 500

type Act = 'create' | 'update' | 'delete' | 'login'
type Change = { previous: Plain; current: Plain }

/** `changerId`: who did it, if not the caller of the context, as at sign-in. */
type ActOptions = { changerId?: string | null | undefined }
type Options<N extends string> = ActOptions & {
  /** By field: the section of the profile that shows it, for dynamic fields. */
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
  const found: { at: number; name: string; change: Change }[] = []
  for (const name of names) {
    const key = declaredAs(entity, name)
    if (key === undefined) throw new TypeError(`${entity.name} declares no field ${name}`)
    // otherwise a field that an update leaves out would look as if it had been emptied
    for (const side of [before, after])
      if (side && !Object.hasOwn(side, name)) throw new TypeError(`${entity.name}: ${name} stands on one side alone`)
    const [previous, current] = [plain(before?.[name]), plain(after?.[name])]
    if (isSame(previous, current)) continue
    const secrets = entity.fields[key]?.secrets
    const change = { previous: masked(previous, secrets), current: masked(current, secrets) }
    found.push({ at: order.indexOf(key), name, change })
  }
  return new Map(found.sort((one, other) => one.at - other.at).map(({ name, change }) => [name, change]))
}

/** Returns what all history rows of one act have in common: who, what, when, from where. */
const commonOf = (ctx: AuditContext, entity: Entity, entityId: string, type: Act, { changerId }: ActOptions) => ({
  type,
  entity: entity.name,
  entityId,
  ip: ctx.ip || null,
  changerId: changerId === undefined ? changerOf(ctx) : changerId,
  requestId: ctx.requestId,
  date: ctx.now(),
})

/** Inserts a row for each field, or one row without a field. */
async function store(
  tx: Transaction,
  common: ReturnType<typeof commonOf>,
  changes: Map<string, Change>,
  subtype: Record<string, string | undefined> = {},
) {
  const rows = [...changes].map(([field, change]) => ({ ...common, field, subtype: subtype[field], ...change }))
  await tx.insert(history).values(rows.length > 0 ? rows : [common])
}

/**
 * Records a change in its own transaction: a history row for each field that differs, and an event in the outbox.
 * Without `before` it is a creation, without `after` a deletion. Returns false, and writes nothing, when an update
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
  if (!before && !after) throw new TypeError(`${entity.name}: there is neither a before nor an after`)
  const type = before && after ? 'update' : after ? 'create' : 'delete'
  const changes = changesOf(entity, before, after)
  if (type === 'update' && changes.size === 0) return false
  const common = commonOf(ctx, entity, entityId, type, options)
  await store(tx, common, changes, subtype)
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
 * Records the same kind of change of many objects, as `audit` does for each, in few statements: updates, and creations
 * where there is no `before`. Updates that change nothing are left out.
 */
export async function auditMany<F extends Fields, K extends FieldName<F>>(
  tx: Transaction,
  ctx: AuditContext,
  entity: Entity<F>,
  acted: readonly ({ id: string; before: Recorded<F, K> | null; after: Recorded<F, K> } & Pick<
    Options<K>,
    'subtype'
  >)[],
  options: ActOptions = {},
): Promise<void> {
  for (let at = 0; at < acted.length; at += atOnce) {
    const acts = acted.slice(at, at + atOnce).flatMap(({ id, before, after, subtype = {} }) => {
      const type = before ? ('update' as const) : ('create' as const)
      const changes = changesOf(entity, before, after)
      const common = { ...commonOf(ctx, entity, id, type, options), type }
      return changes.size > 0 ? [{ common, changes, subtype: subtype as Record<string, string | undefined> }] : []
    })
    if (acts.length === 0) continue
    await tx
      .insert(history)
      .values(
        acts.flatMap(({ common, changes, subtype }) =>
          [...changes].map(([field, change]) => ({ ...common, field, subtype: subtype[field], ...change })),
        ),
      )
    await putEvents(
      tx,
      entity.name,
      acts.map(({ common: { type, changerId, requestId, date, entityId }, changes }) => ({
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
 * Records an act that changes no field of an object, such as reading its secret. `about` describes it. Puts no event
 * into the outbox.
 */
export async function auditEvent<F extends Fields, K extends FieldName<F>>(
  tx: Transaction,
  ctx: AuditContext,
  entity: Entity<F>,
  entityId: string,
  type: Act,
  about: Recorded<F, K> | null = null,
  options: ActOptions = {},
): Promise<void> {
  await store(tx, commonOf(ctx, entity, entityId, type, options), changesOf(entity, null, about))
}

/**
 * Returns `auditEvent` as SQL that inserts a row for each row of the CTE `from`, for acts that are a single statement.
 */
export function auditEventFrom(
  ctx: AuditContext,
  entity: Entity,
  entityId: string,
  type: Act,
  from: string,
  options: ActOptions = {},
): SQL {
  const { ip, changerId, requestId, date } = commonOf(ctx, entity, entityId, type, options)
  return sql`insert into ${history} (type, entity, entity_id, ip, changer_id, request_id, date)
    select ${type}::history_type, ${entity.name}, ${entityId}, ${ip}, ${changerId}::uuid, ${requestId}, ${date}::timestamptz
    from ${sql.identifier(from)}`
}
