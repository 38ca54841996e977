import { and, desc, eq, gte, inArray, type SQL, sql } from 'drizzle-orm'
import type { Transaction } from '@/db/client'
import { history } from '@/db/schema/operations'
import { users } from '@/db/schema/people'
import { applications } from '@/db/schema/platform'
import { changerOf, holdsMethod } from '../context/access'
import type { Ctx } from '../context/ctx'
import { AppError, type Conflict, type Saver } from '../runtime/errors'
import { requireUnchanged } from './change'
import { personName } from './changer'
import { areaOf, declaredAs, type Entity, type Secrets } from './entity'
import { plain } from './values'

type LockedObject<R> = {
  /** The id of the object; several if one form edits several objects, such as the settings of a page. */
  id: string | readonly string[]
  /** The row that the transaction has locked. */
  row: R | undefined
  /** The version with which the form was read, if the call has one. */
  updatedAt: string | undefined
  /** Whether the caller may read this row without the method of its area. */
  own?: true
}

const mayRead = (ctx: Ctx, entity: Entity) => {
  const area = areaOf(entity)
  return area !== undefined && holdsMethod(ctx, `${area}.read`)
}

/**
 * Requires the version with which a form was read, as `requireUnchanged` does, and returns the row. If the caller may
 * read the entity's area, the 409 also has who saved it and the values of its recorded fields, and the 404 who deleted it
 * (docs/rules/rest.md#conflicts).
 */
export async function requireVersion<R extends { updatedAt: Date }>(
  tx: Transaction,
  ctx: Ctx,
  entity: Entity,
  { id, row, updatedAt, own }: LockedObject<R>,
): Promise<R> {
  try {
    return requireUnchanged(row, updatedAt)
  } catch (error) {
    if (!(error instanceof AppError) || !(own || mayRead(ctx, entity))) throw error
    const data = row ? await conflictOf(tx, ctx, entity, id, row, updatedAt) : await deletionOf(tx, ctx, entity, id)
    throw new AppError(error.status, error.code, data)
  }
}

/** Returns the audit events of an object, the newest first, each with the name of who caused it. */
const selectAuditEvents = (
  tx: Transaction,
  entity: Entity,
  id: string | readonly string[],
  condition: SQL,
  { most: limit = 500, known = sql<boolean>`true` } = {},
) =>
  tx
    .select({
      type: history.type,
      field: history.field,
      date: history.date,
      changerId: history.changerId,
      person: personName,
      login: users.login,
      application: applications.name,
      known,
    })
    .from(history)
    .leftJoin(users, eq(users.id, history.changerId))
    .leftJoin(applications, eq(applications.id, history.changerId))
    .where(and(eq(history.entity, entity.name), inArray(history.entityId, [id].flat()), condition))
    .orderBy(desc(history.id))
    .limit(limit)

type AuditEvent = Awaited<ReturnType<typeof selectAuditEvents>>[number]

/**
 * Returns who caused an audit event. People may see each other's names; a program sees a person's name only with the
 * method `users.read`. The login of a person without a name needs that method too, because people sign in with it.
 */
const saverOf = (ctx: Ctx, event: AuditEvent | undefined): Saver | null => {
  if (!event) return null
  const you = event.changerId === changerOf(ctx)
  const mayReadLogin = you || holdsMethod(ctx, 'users.read')
  const person = mayReadLogin || ctx.user ? event.person : null
  const name = person ?? (mayReadLogin ? event.login : null) ?? event.application
  return name ? { name, you } : null
}

/**
 * Whether a conflict leaves a value out. An address is shown: only callers who may change the object send a version.
 */
const isHidden = (secrets: Secrets | undefined) => secrets !== undefined && secrets !== 'address'

async function conflictOf<R extends { updatedAt: Date }>(
  tx: Transaction,
  ctx: Ctx,
  entity: Entity,
  id: string | readonly string[],
  row: R,
  updatedAt = '',
) {
  const events = await selectAuditEvents(tx, entity, id, gte(history.date, new Date(updatedAt)))
  const values: Record<string, unknown> = {}
  const hidden: string[] = []
  // a value with a secret part is not shown at all: its other parts are not worth the risk
  for (const [name, { secrets }] of Object.entries(entity.fields))
    if (isHidden(secrets) && events.some(({ field }) => field === name)) hidden.push(name)
  for (const [name, value] of Object.entries(row)) {
    const key = declaredAs(entity, name)
    if (key !== undefined && !isHidden(entity.fields[key]?.secrets)) values[name] = plain(value)
  }
  const at = row.updatedAt.toISOString()
  return { conflict: { updatedAt: at, at, by: saverOf(ctx, events[0]), values, hidden } }
}

async function deletionOf(tx: Transaction, ctx: Ctx, entity: Entity, id: string | readonly string[]) {
  const [lastEvent] = await selectAuditEvents(tx, entity, id, sql`true`, { most: 1 })
  return lastEvent?.type === 'delete'
    ? { deleted: { at: lastEvent.date.toISOString(), by: saverOf(ctx, lastEvent) } }
    : {}
}

/** Replaces the members of a recorded object if they are too many to name, as after an import. */
export const unnamed = '…'

/**
 * Returns when and by whom one of these members of a recorded object, such as texts by key, was last written; `by` is
 * null if the history doesn't have it. Meant for members without a version. The caller must be allowed to read the
 * object.
 */
export async function lastWrite(
  tx: Transaction,
  ctx: Ctx,
  entity: Entity,
  id: string,
  { field, members }: { field: string; members: readonly string[] },
): Promise<Pick<Conflict, 'at' | 'by'>> {
  const hasMember = (names: readonly string[]) => sql`${history.current} ?| ${sql.param([...names])}::text[]`
  const isMember = sql<boolean>`${hasMember(members)}`
  const [lastEvent] = await selectAuditEvents(
    tx,
    entity,
    id,
    sql`${history.field} = ${field} and ${hasMember([...members, unnamed])}`,
    {
      most: 1,
      known: isMember,
    },
  )
  if (!lastEvent) return { at: ctx.now().toISOString(), by: null }
  return { at: lastEvent.date.toISOString(), by: lastEvent.known ? saverOf(ctx, lastEvent) : null }
}

/**
 * Returns when and by whom an object of an entity whose id `isOf` accepts was last changed since a moment; null if the
 * history has no such change. Meant for entities with few changes a day. The caller must be allowed to read the
 * objects.
 */
export async function lastChangeOf(
  tx: Transaction,
  ctx: Ctx,
  entity: Entity,
  since: Date,
  isOf: (id: string) => boolean,
): Promise<{ at: Date; by: Saver | null } | null> {
  const ids = await tx
    .selectDistinct({ id: history.entityId })
    .from(history)
    .where(and(eq(history.entity, entity.name), gte(history.date, since)))
  const matchingIds = ids.map(({ id }) => id).filter(isOf)
  const [lastEvent] =
    matchingIds.length > 0
      ? await selectAuditEvents(tx, entity, matchingIds, gte(history.date, since), { most: 1 })
      : []
  return lastEvent ? { at: lastEvent.date, by: saverOf(ctx, lastEvent) } : null
}
