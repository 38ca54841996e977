import { and, asc, desc, eq, gt, gte, inArray, isNotNull, lt, ne, or, type SQL, sql } from 'drizzle-orm'
import { type Database, db, type Transaction } from '@/db/client'
import { runRows, runs } from '@/db/schema/runs'

export type BatchJobRow = typeof runs.$inferSelect
export type BatchRow = typeof runRows.$inferSelect

/** How many rows one statement inserts, because a statement has a limited number of parameters. */
const atOnce = 2_000

export async function insertRun(
  tx: Transaction,
  run: typeof runs.$inferInsert,
  rows: Omit<typeof runRows.$inferInsert, 'runId'>[],
): Promise<string> {
  const [made] = await tx.insert(runs).values(run).returning({ id: runs.id })
  if (!made) throw new Error('no run was made')
  for (let at = 0; at < rows.length; at += atOnce)
    await tx.insert(runRows).values(rows.slice(at, at + atOnce).map((row) => ({ ...row, runId: made.id })))
  return made.id
}

export async function selectRun(id: string): Promise<BatchJobRow | null> {
  const [run] = await db().select().from(runs).where(eq(runs.id, id))
  return run ?? null
}

/** Locks a run, so that only one worker takes a row and nobody stops it meanwhile; null if there is none. */
export async function lockRun(tx: Transaction, id: string): Promise<BatchJobRow | null> {
  const [run] = await tx.select().from(runs).where(eq(runs.id, id)).for('no key update')
  return run ?? null
}

export const updateRun = (tx: Database | Transaction, id: string, values: Parameters<typeof setOf>[0]) =>
  tx.update(runs).set(setOf(values)).where(eq(runs.id, id))

/** Seconds that a run has worked, those of earlier goes included. */
const workedNow = sql<number>`${runs.worked} + case when ${runs.state} = 'running'
  then greatest(0, extract(epoch from now() - ${runs.resumedAt}))::int else 0 end`

type Change = Partial<Pick<BatchJobRow, 'state' | 'fault' | 'finishedAt'>> & {
  counts?: Pick<BatchJobRow, 'done' | 'failed'>
  resumed?: true
  /** By how many rows there are more. */
  grown?: number
  /** What replaces members of the options. */
  options?: Record<string, unknown>
}

const setOf = ({ counts, resumed, grown, options, ...values }: Change) => ({
  ...values,
  ...(grown ? { total: sql`${runs.total} + ${grown}` } : {}),
  ...(options ? { options: sql`${runs.options} || ${JSON.stringify(options)}::jsonb` } : {}),
  // a run that ends or is stopped keeps how long it has worked
  ...(values.state && !resumed ? { worked: workedNow } : {}),
  ...(resumed ? { resumedAt: sql`now()` } : {}),
  ...(counts ? { done: sql`${runs.done} + ${counts.done}`, failed: sql`${runs.failed} + ${counts.failed}` } : {}),
})

/** Adds rows to a run that the transaction has locked, after those that it has; failed ones are over already. */
export async function addRows(
  tx: Transaction,
  runId: string,
  rows: Omit<typeof runRows.$inferInsert, 'runId' | 'row'>[],
) {
  const [last] = await tx
    .select({ row: sql<number>`coalesce(max(${runRows.row}), 0)::int` })
    .from(runRows)
    .where(eq(runRows.runId, runId))
  const first = (last?.row ?? 0) + 1
  for (let at = 0; at < rows.length; at += atOnce)
    await tx
      .insert(runRows)
      .values(rows.slice(at, at + atOnce).map((row, n) => ({ ...row, runId, row: first + at + n })))
  const failed = rows.filter(({ state }) => state === 'failed').length
  await tx
    .update(runs)
    .set({ total: sql`${runs.total} + ${rows.length}`, failed: sql`${runs.failed} + ${failed}` })
    .where(eq(runs.id, runId))
}

/** Returns the next rows that nobody has done, from this one on. */
export const nextRows = (tx: Transaction, runId: string, limit: number, from = 0): Promise<BatchRow[]> =>
  tx
    .select()
    .from(runRows)
    .where(and(eq(runRows.runId, runId), eq(runRows.state, 'waiting'), gte(runRows.row, from)))
    .orderBy(asc(runRows.row))
    .limit(limit)

const isRow = ({ runId, row }: Pick<BatchRow, 'runId' | 'row'>) => and(eq(runRows.runId, runId), eq(runRows.row, row))

export const endRow = (
  tx: Transaction,
  row: Pick<BatchRow, 'runId' | 'row'>,
  values: Pick<BatchRow, 'state'> & Partial<Pick<BatchRow, 'fault' | 'params' | 'input'>>,
) => tx.update(runRows).set(values).where(isRow(row))

/** Marks rows of a run as done. */
export const endRows = (tx: Transaction, runId: string, rows: number[]) =>
  tx
    .update(runRows)
    .set({ state: 'done' })
    .where(and(eq(runRows.runId, runId), inArray(runRows.row, rows)))

/** Marks rows of a run as done, each with what it keeps. */
export async function endRowsWith(tx: Transaction, runId: string, rows: Pick<BatchRow, 'row' | 'input'>[]) {
  if (rows.length === 0) return
  const [numbers, inputs] = [rows.map(({ row }) => row), rows.map(({ input }) => JSON.stringify(input))]
  await tx.execute(sql`update ${runRows} set state = 'done', input = ended.input
    from unnest(${sql.param(numbers)}::int[], ${sql.param(inputs)}::jsonb[]) ended (row, input)
    where ${runRows.runId} = ${runId} and ${runRows.row} = ended.row`)
}

/** Counts a try of a row that ended with an unexpected error. Returns how many there were. */
export async function countTry(row: Pick<BatchRow, 'runId' | 'row'>): Promise<number> {
  const [counted] = await db()
    .update(runRows)
    .set({ tries: sql`${runRows.tries} + 1` })
    .where(isRow(row))
    .returning({ tries: runRows.tries })
  return counted?.tries ?? 0
}

const shown = {
  id: runs.id,
  state: runs.state,
  total: runs.total,
  done: runs.done,
  failed: runs.failed,
  fault: runs.fault,
  createdAt: runs.createdAt,
  finishedAt: runs.finishedAt,
  worked: workedNow.as('worked_now'),
}

/** Which runs a caller may see: their own, as a person or a client, or those of a thing that they may read. */
export type OwnRuns = { kind: string; userId: string }
export type StartedRuns = OwnRuns | { kind: string; clientId: string }
export type BatchScope = StartedRuns | { kind: string; subject: string }
function ownerOf(scope: BatchScope) {
  if ('userId' in scope) return { column: runs.userId, id: scope.userId }
  return 'clientId' in scope
    ? { column: runs.clientId, id: scope.clientId }
    : { column: runs.subject, id: scope.subject }
}
function within(scope: BatchScope) {
  const { column, id } = ownerOf(scope)
  return and(eq(runs.kind, scope.kind), eq(column, id))
}

/** Returns the newest runs within a scope. */
export const selectRuns = (scope: BatchScope, limit: number) =>
  db().select(shown).from(runs).where(within(scope)).orderBy(desc(runs.createdAt), desc(runs.id)).limit(limit)

/** Returns the id of the newest run within a scope whose options have these members; null if there is none. */
export async function selectNewestRun(scope: BatchScope, options: Record<string, unknown>): Promise<string | null> {
  const [run] = await db()
    .select({ id: runs.id })
    .from(runs)
    .where(and(within(scope), sql`${runs.options} @> ${JSON.stringify(options)}::jsonb`))
    .orderBy(desc(runs.createdAt), desc(runs.id))
    .limit(1)
  return run?.id ?? null
}

/** Returns the options of the newest run within a scope; null before the first one. */
export async function selectLastOptions(scope: BatchScope): Promise<Record<string, unknown> | null> {
  const [run] = await db()
    .select({ options: runs.options })
    .from(runs)
    .where(within(scope))
    .orderBy(desc(runs.createdAt), desc(runs.id))
    .limit(1)
  return run?.options ?? null
}

export async function selectShownRun(scope: BatchScope, id: string) {
  const [run] = await db()
    .select(shown)
    .from(runs)
    .where(and(within(scope), eq(runs.id, id)))
  return run ?? null
}

/** Returns failed rows of a run after this row. */
export const selectFaults = (runId: string, after: number, limit: number) =>
  db()
    .select({
      row: runRows.row,
      title: runRows.title,
      input: runRows.input,
      fault: runRows.fault,
      params: runRows.params,
    })
    .from(runRows)
    .where(and(eq(runRows.runId, runId), eq(runRows.state, 'failed'), gt(runRows.row, after)))
    .orderBy(asc(runRows.row))
    .limit(limit)

/** Returns how many rows the runs within a scope had since then, and when the first of them began. */
export async function selectRowsSince(tx: Transaction, scope: BatchScope, since: Date) {
  const [sum] = await tx
    .select({
      rows: sql<number>`coalesce(sum(${runs.total}), 0)::int`,
      first: sql<Date | null>`min(${runs.createdAt})`.mapWith(runs.createdAt),
    })
    .from(runs)
    .where(and(within(scope), gt(runs.createdAt, since)))
  return { rows: sum?.rows ?? 0, first: sum?.first ?? since }
}

/** Makes starts of a person, a client or a thing, one after another, until the transaction ends. */
export const lockStarts = (tx: Transaction, scope: BatchScope) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`run ${scope.kind} ${ownerOf(scope).id}`}, 0))`)

/** Returns runs in which nothing has happened since then although they should work. */
export const selectStalled = (before: Date) =>
  db()
    .select({ id: runs.id })
    .from(runs)
    .where(and(eq(runs.state, 'running'), lt(runs.updatedAt, before)))
    .limit(1_000)

/** A condition on runs of people and clients. */
export const ofStarters = or(isNotNull(runs.userId), isNotNull(runs.clientId))

/** The kind of a run that is being deleted: it is nobody's any more. */
const removedKind = 'removed'
const isRemoved = eq(runs.kind, removedKind)

/** Makes some runs that were written last before then, and fulfil a condition, nobody's. Returns how many. */
export async function disownRuns(before: Date, which: SQL | undefined, limit: number): Promise<number> {
  const old = db()
    .select({ id: runs.id })
    .from(runs)
    // an index has when they began alone
    .where(and(lt(runs.createdAt, before), lt(runs.updatedAt, before), ne(runs.state, 'running'), which))
    .orderBy(runs.createdAt)
    .limit(limit)
    .for('update', { skipLocked: true })
  const { rowCount } = await db()
    .update(runs)
    .set({ kind: removedKind, userId: null, clientId: null, subject: null })
    .where(sql`${runs.id} = any(array(${old}))`)
  return rowCount ?? 0
}

/** Deletes some rows of runs that are nobody's. Returns how many. */
export async function deleteDisownedRows(limit: number): Promise<number> {
  const { rowCount } = await db().execute(sql`delete from ${runRows} where ctid = any(array(
    select ${runRows}.ctid from ${runs} join ${runRows} on ${runRows.runId} = ${runs.id} where ${isRemoved} limit ${limit}::int))`)
  return rowCount ?? 0
}

/** Deletes runs that are nobody's, whose rows are gone. */
export const deleteDisowned = () =>
  db()
    .delete(runs)
    .where(and(isRemoved, sql`not exists (select from ${runRows} where ${runRows.runId} = ${runs.id})`))

const externalIdOf = sql<string>`${runRows.input} ->> 'externalId'`

/** Returns those of these external ids (`externalId` of their input) that rows of a run have already. */
export const selectSeen = async (tx: Transaction, runId: string, ids: readonly string[]): Promise<Set<string>> =>
  new Set(
    (
      await tx
        .select({ externalId: externalIdOf })
        .from(runRows)
        .where(and(eq(runRows.runId, runId), sql`${externalIdOf} = any(${sql.param([...ids])}::text[])`))
    ).map(({ externalId }) => externalId),
  )
