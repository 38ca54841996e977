import { and, desc, eq, gte, inArray, type SQL, sql } from 'drizzle-orm'
import type { Transaction } from '@/db/client'
import { history } from '@/db/schema/operations'
import { users } from '@/db/schema/people'
import { applications } from '@/db/schema/platform'
import type { SystemicMethod } from '../access/access-methods'
import { changerOf, holdsMethod } from '../context/access'
import type { Ctx } from '../context/ctx'
import { AppError, type Conflict, type Saver } from '../runtime/errors'
import { requireUnchanged } from './change'
import { personName } from './changer'
import { declaredAs, type Entity, type Secrets } from './entity'
import { plain } from './values'

type Locked<R> = {
  /** Who may read such objects: only they learn what the others did. `own`: whoever made the call may read this row. */
  read: SystemicMethod | 'own'
  /** Its id; several if one form edits several objects, such as the settings of a page. */
  id: string | readonly string[]
  /** The row that the transaction has locked. */
  row: R | undefined
  /** The version that the form was read with, if it names one. */
  updatedAt: string | undefined
}

/**
 * Requires the version that a form was read with, as `requireUnchanged` does, and returns the row. For whoever may read
 * the object, the 409 also says who saved it and what its recorded fields are now, and the 404 who deleted it
 * (docs/rules/rest.md#conflicts).
 */
export async function requireVersion<R extends { updatedAt: Date }>(
  tx: Transaction,
  ctx: Ctx,
  entity: Entity,
  { read, id, row, updatedAt }: Locked<R>,
): Promise<R> {
  try {
    return requireUnchanged(row, updatedAt)
  } catch (error) {
    if (!(error instanceof AppError) || (read !== 'own' && !holdsMethod(ctx, read))) throw error
    const data = row ? await conflictOf(tx, ctx, entity, id, row, updatedAt) : await deletionOf(tx, ctx, entity, id)
    throw new AppError(error.status, error.code, data)
  }
}

/** Acts on an object, the newest first, each with the name of who did it. */
const actsOn = (
  tx: Transaction,
  entity: Entity,
  id: string | readonly string[],
  which: SQL,
  { most = 500, known = sql<boolean>`true` } = {},
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
    .where(and(eq(history.entity, entity.name), inArray(history.entityId, [id].flat()), which))
    .orderBy(desc(history.id))
    .limit(most)

type Act = Awaited<ReturnType<typeof actsOn>>[number]

/**
 * Returns who did it. A person's name is for people, who work together; a program learns it only with the right to read
 * users. The login of a person without a name needs that right too, because people sign in with it.
 */
const saverOf = (ctx: Ctx, act: Act | undefined): Saver | null => {
  if (!act) return null
  const you = act.changerId === changerOf(ctx)
  const known = you || holdsMethod(ctx, 'users.read')
  const person = known || ctx.user ? act.person : null
  const name = person ?? (known ? act.login : null) ?? act.application
  return name ? { name, you } : null
}

/** An address is shown: a version is required of those alone who may change the object, and they see it whole. */
const isHidden = (secrets: Secrets | undefined) => secrets !== undefined && secrets !== 'address'

async function conflictOf<R extends { updatedAt: Date }>(
  tx: Transaction,
  ctx: Ctx,
  entity: Entity,
  id: string | readonly string[],
  row: R,
  updatedAt = '',
) {
  const acts = await actsOn(tx, entity, id, gte(history.date, new Date(updatedAt)))
  const values: Record<string, unknown> = {}
  const hidden: string[] = []
  // a value with a secret part is not shown at all: its other parts are not worth the risk
  for (const [name, { secrets }] of Object.entries(entity.fields))
    if (isHidden(secrets) && acts.some(({ field }) => field === name)) hidden.push(name)
  for (const [name, value] of Object.entries(row)) {
    const key = declaredAs(entity, name)
    if (key !== undefined && !isHidden(entity.fields[key]?.secrets)) values[name] = plain(value)
  }
  const at = row.updatedAt.toISOString()
  return { conflict: { updatedAt: at, at, by: saverOf(ctx, acts[0]), values, hidden } }
}

async function deletionOf(tx: Transaction, ctx: Ctx, entity: Entity, id: string | readonly string[]) {
  const [last] = await actsOn(tx, entity, id, sql`true`, { most: 1 })
  return last?.type === 'delete' ? { deleted: { at: last.date.toISOString(), by: saverOf(ctx, last) } } : {}
}

/** Stands in a recorded object for members that are too many to name, as after an import. */
export const unnamed = '…'

/**
 * Returns when and by whom one of these members of a recorded object, such as texts by key, was last written; `by` is
 * null if the history doesn't say. For what has no version of its own; whoever calls it may read the object.
 */
export async function lastWrite(
  tx: Transaction,
  ctx: Ctx,
  entity: Entity,
  id: string,
  { field, members }: { field: string; members: readonly string[] },
): Promise<Pick<Conflict, 'at' | 'by'>> {
  const has = (names: readonly string[]) => sql`${history.current} ?| ${sql.param([...names])}::text[]`
  const known = sql<boolean>`${has(members)}`
  const [last] = await actsOn(tx, entity, id, sql`${history.field} = ${field} and ${has([...members, unnamed])}`, {
    most: 1,
    known,
  })
  if (!last) return { at: ctx.now().toISOString(), by: null }
  return { at: last.date.toISOString(), by: last.known ? saverOf(ctx, last) : null }
}

/**
 * Returns when and by whom an object of a kind was last changed since a moment, of those whose id `isOf` accepts; null if
 * the history doesn't say. For kinds with few changes a day; whoever calls it may read them.
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
  const own = ids.map(({ id }) => id).filter(isOf)
  const [last] = own.length > 0 ? await actsOn(tx, entity, own, gte(history.date, since), { most: 1 }) : []
  return last ? { at: last.date, by: saverOf(ctx, last) } : null
}
