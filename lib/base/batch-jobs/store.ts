import { and, asc, desc, eq, gt, gte, inArray, isNotNull, lt, ne, or, type SQL, sql } from 'drizzle-orm'
import { type Database, db, type Transaction } from '@/db/client'
import { runRows, runs } from '@/db/schema/runs'

export type BatchJobRow = typeof runs.$inferSelect
export type BatchRow = typeof runRows.$inferSelect

/** How many rows one statement inserts: making it is one piece of work, and it has a limited number of parameters. */
const rowsPerInsert = 500

export async function insertBatchJob(
  tx: Transaction,
  batchJob: typeof runs.$inferInsert,
  rows: Omit<typeof runRows.$inferInsert, 'runId'>[],
): Promise<string> {
  const [inserted] = await tx.insert(runs).values(batchJob).returning({ id: runs.id })
  if (!inserted) throw new Error('no run was made')
  for (let start = 0; start < rows.length; start += rowsPerInsert)
    await tx
      .insert(runRows)
      .values(rows.slice(start, start + rowsPerInsert).map((row) => ({ ...row, runId: inserted.id })))
  return inserted.id
}

export async function selectBatchJob(id: string): Promise<BatchJobRow | null> {
  const [batchJob] = await db().select().from(runs).where(eq(runs.id, id))
  return batchJob ?? null
}

/** Locks a batch job, so that only one worker takes its rows and nobody stops it; null if there is none. */
export async function lockBatchJob(tx: Transaction, id: string): Promise<BatchJobRow | null> {
  const [batchJob] = await tx.select().from(runs).where(eq(runs.id, id)).for('no key update')
  return batchJob ?? null
}

export const updateBatchJob = (tx: Database | Transaction, id: string, values: Parameters<typeof columnsOfChange>[0]) =>
  tx.update(runs).set(columnsOfChange(values)).where(eq(runs.id, id))

/** Seconds that a batch job has worked, those before its last resumption included. */
const secondsWorked = sql<number>`${runs.worked} + case when ${runs.state} = 'running'
  then greatest(0, extract(epoch from now() - ${runs.resumedAt}))::int else 0 end`

type BatchJobChange = Partial<Pick<BatchJobRow, 'state' | 'fault' | 'finishedAt'>> & {
  counts?: Pick<BatchJobRow, 'done' | 'failed'>
  resumed?: true
  /** The number of added rows. */
  grown?: number
  /** Members that replace those of the options. */
  options?: Record<string, unknown>
}

const columnsOfChange = ({ counts, resumed, grown, options, ...values }: BatchJobChange) => ({
  ...values,
  ...(grown ? { total: sql`${runs.total} + ${grown}` } : {}),
  ...(options ? { options: sql`${runs.options} || ${JSON.stringify(options)}::jsonb` } : {}),
  // when a batch job ends or is stopped, the time that it has worked is stored
  ...(values.state && !resumed ? { worked: secondsWorked } : {}),
  ...(resumed ? { resumedAt: sql`now()` } : {}),
  ...(counts ? { done: sql`${runs.done} + ${counts.done}`, failed: sql`${runs.failed} + ${counts.failed}` } : {}),
})

/** Adds rows behind the existing ones of a batch job that the transaction has locked; failed ones are never tried. */
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
  for (let start = 0; start < rows.length; start += rowsPerInsert)
    await tx
      .insert(runRows)
      .values(
        rows.slice(start, start + rowsPerInsert).map((row, index) => ({ ...row, runId, row: first + start + index })),
      )
  const failed = rows.filter(({ state }) => state === 'failed').length
  await tx
    .update(runs)
    .set({ total: sql`${runs.total} + ${rows.length}`, failed: sql`${runs.failed} + ${failed}` })
    .where(eq(runs.id, runId))
}

/** Returns the next waiting rows, beginning with the number `from`. */
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

/** Marks rows of a batch job as done. */
export const endRows = (tx: Transaction, runId: string, rows: number[]) =>
  tx
    .update(runRows)
    .set({ state: 'done' })
    .where(and(eq(runRows.runId, runId), inArray(runRows.row, rows)))

/** Marks rows of a batch job as done, each with the input that it keeps. */
export async function endRowsWith(tx: Transaction, runId: string, rows: Pick<BatchRow, 'row' | 'input'>[]) {
  if (rows.length === 0) return
  const [numbers, inputs] = [rows.map(({ row }) => row), rows.map(({ input }) => JSON.stringify(input))]
  await tx.execute(sql`update ${runRows} set state = 'done', input = ended.input
    from unnest(${sql.param(numbers)}::int[], ${sql.param(inputs)}::jsonb[]) ended (row, input)
    where ${runRows.runId} = ${runId} and ${runRows.row} = ended.row`)
}

/** Counts a try of a row that ended with an unexpected error. Returns the number of such tries. */
export async function countTry(row: Pick<BatchRow, 'runId' | 'row'>): Promise<number> {
  const [updated] = await db()
    .update(runRows)
    .set({ tries: sql`${runRows.tries} + 1` })
    .where(isRow(row))
    .returning({ tries: runRows.tries })
  return updated?.tries ?? 0
}

const viewColumns = {
  id: runs.id,
  state: runs.state,
  total: runs.total,
  done: runs.done,
  failed: runs.failed,
  fault: runs.fault,
  createdAt: runs.createdAt,
  finishedAt: runs.finishedAt,
  worked: secondsWorked.as('worked_now'),
}

/** Which batch jobs a caller may see: their own, as a person or a client, or those of an object that they may read. */
export type PersonScope = { kind: string; userId: string }
export type StarterScope = PersonScope | { kind: string; clientId: string }
export type BatchScope = StarterScope | { kind: string; subject: string }
function ownerOf(scope: BatchScope) {
  if ('userId' in scope) return { column: runs.userId, id: scope.userId }
  return 'clientId' in scope
    ? { column: runs.clientId, id: scope.clientId }
    : { column: runs.subject, id: scope.subject }
}
function isInScope(scope: BatchScope) {
  const { column, id } = ownerOf(scope)
  return and(eq(runs.kind, scope.kind), eq(column, id))
}

/** Returns the newest batch jobs within a scope. */
export const selectBatchJobs = (scope: BatchScope, limit: number) =>
  db().select(viewColumns).from(runs).where(isInScope(scope)).orderBy(desc(runs.createdAt), desc(runs.id)).limit(limit)

/** Returns the id of the newest batch job within a scope whose options have these members; null if there is none. */
export async function selectNewestBatchJobId(
  scope: BatchScope,
  options: Record<string, unknown>,
): Promise<string | null> {
  const [batchJob] = await db()
    .select({ id: runs.id })
    .from(runs)
    .where(and(isInScope(scope), sql`${runs.options} @> ${JSON.stringify(options)}::jsonb`))
    .orderBy(desc(runs.createdAt), desc(runs.id))
    .limit(1)
  return batchJob?.id ?? null
}

/** Returns the options of the newest batch job within a scope; null before the first one. */
export async function selectLastOptions(scope: BatchScope): Promise<Record<string, unknown> | null> {
  const [batchJob] = await db()
    .select({ options: runs.options })
    .from(runs)
    .where(isInScope(scope))
    .orderBy(desc(runs.createdAt), desc(runs.id))
    .limit(1)
  return batchJob?.options ?? null
}

export async function selectBatchJobView(scope: BatchScope, id: string) {
  const [batchJob] = await db()
    .select(viewColumns)
    .from(runs)
    .where(and(isInScope(scope), eq(runs.id, id)))
  return batchJob ?? null
}

/** Returns failed rows of a batch job behind the number `after`. */
export const selectFailedRows = (runId: string, after: number, limit: number) =>
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

/** Returns how many rows the batch jobs within a scope have had since `since`, and when the first of these began. */
export async function selectRowsSince(tx: Transaction, scope: BatchScope, since: Date) {
  const [totals] = await tx
    .select({
      rows: sql<number>`coalesce(sum(${runs.total}), 0)::int`,
      first: sql<Date | null>`min(${runs.createdAt})`.mapWith(runs.createdAt),
    })
    .from(runs)
    .where(and(isInScope(scope), gt(runs.createdAt, since)))
  return { rows: totals?.rows ?? 0, first: totals?.first ?? since }
}

/** Locks the starts of a person, a client or an object until the transaction ends, so that one follows the other. */
export const lockStarts = (tx: Transaction, scope: BatchScope) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`run ${scope.kind} ${ownerOf(scope).id}`}, 0))`)

/** Returns running batch jobs that were last written before `before`. */
export const selectStalledBatchJobs = (before: Date) =>
  db()
    .select({ id: runs.id })
    .from(runs)
    .where(and(eq(runs.state, 'running'), lt(runs.updatedAt, before)))
    .limit(1_000)

/** The condition for batch jobs of people and clients. */
export const hasStarter = or(isNotNull(runs.userId), isNotNull(runs.clientId))

/** The kind of a batch job that is being deleted: it has no owner any more. */
const removedKind = 'removed'
const isRemoved = eq(runs.kind, removedKind)

/**
 * Takes the owner from some batch jobs that fulfil a condition and were last written before `before`. Returns how many.
 */
export async function disownBatchJobs(before: Date, condition: SQL | undefined, limit: number): Promise<number> {
  const expired = db()
    .select({ id: runs.id })
    .from(runs)
    // the index has only createdAt
    .where(and(lt(runs.createdAt, before), lt(runs.updatedAt, before), ne(runs.state, 'running'), condition))
    .orderBy(runs.createdAt)
    .limit(limit)
    .for('update', { skipLocked: true })
  const { rowCount } = await db()
    .update(runs)
    .set({ kind: removedKind, userId: null, clientId: null, subject: null })
    .where(sql`${runs.id} = any(array(${expired}))`)
  return rowCount ?? 0
}

/** Deletes some rows of batch jobs without an owner. Returns how many. */
export async function deleteDisownedRows(limit: number): Promise<number> {
  const { rowCount } = await db().execute(sql`delete from ${runRows} where ctid = any(array(
    select ${runRows}.ctid from ${runs} join ${runRows} on ${runRows.runId} = ${runs.id} where ${isRemoved} limit ${limit}::int))`)
  return rowCount ?? 0
}

/** Deletes some batch jobs without an owner and without rows. Returns how many. */
export async function deleteDisownedBatchJobs(limit: number): Promise<number> {
  const { rowCount } = await db().execute(sql`delete from ${runs} where ctid = any(array(
    select ctid from ${runs} where ${isRemoved}
      and not exists (select from ${runRows} where ${runRows.runId} = ${runs.id}) limit ${limit}::int))`)
  return rowCount ?? 0
}

const externalIdOf = sql<string>`${runRows.input} ->> 'externalId'`

/** Returns those of `ids` that rows of a batch job already have as the `externalId` of their input. */
export const selectPresentExternalIds = async (
  tx: Transaction,
  runId: string,
  ids: readonly string[],
): Promise<Set<string>> =>
  new Set(
    (
      await tx
        .select({ externalId: externalIdOf })
        .from(runRows)
        .where(and(eq(runRows.runId, runId), sql`${externalIdOf} = any(${sql.param([...ids])}::text[])`))
    ).map(({ externalId }) => externalId),
  )
