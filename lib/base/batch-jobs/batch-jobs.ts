import type { SQL } from 'drizzle-orm'
import { db, type Transaction } from '@/db/client'
import { tooManyAttempts } from '../limits/limits'
import { inBatches } from '../postgres/batches'
import { onBroken } from '../postgres/constraints'
import { AppError, notFound } from '../runtime/errors'
import { scheduleBatchJob } from './process-rows'
import {
  type BatchScope,
  deleteDisownedBatchJobs,
  deleteDisownedRows,
  disownBatchJobs,
  hasStarter,
  insertBatchJob,
  lockBatchJob,
  lockStarts,
  selectBatchJob,
  selectBatchJobs,
  selectBatchJobView,
  selectFailedRows,
  selectNewestBatchJobId,
  selectRowsSince,
  selectStalledBatchJobs,
  updateBatchJob,
} from './store'

/** Days after which a batch job that ended or was stopped is deleted. */
const retentionDays = 30
/** Minutes without a row after which the job of a batch job counts as lost. */
const stalledMinutes = 5
/** How many faults a page shows; the file of faults has all. */
const faultsOnPage = 100
/** How many batch jobs a page shows, the newest first. */
const batchJobsOnPage = 20
const day = 86_400_000

export type NewRow = {
  row: number
  title: string
  input: Record<string, unknown>
  /** A fault that was found before the start: the row is never tried. */
  fault?: { code: string; params?: Record<string, string | number> | undefined } | undefined
}

const runningError = () => new AppError(409, 'runRunning')
const refuseSecondBatchJob = <T>(write: () => Promise<T>) =>
  onBroken({ runs_running: runningError, runs_client_running: runningError, runs_subject_running: runningError }, write)

type StartInput = {
  /** The id of the batch job, if its rows are bound to it before it starts. */
  id?: string
  options: Record<string, unknown>
  rows: NewRow[]
  now: Date
  atMost?: { rows: number }
}

/**
 * Starts a batch job in a transaction; the worker begins after the commit. Returns its id. Throws 409 runRunning while
 * the person, the client or the object has another batch job of the kind, and 429 if their batch jobs of a day have
 * more rows than `atMost`.
 */
export async function startBatchJob(
  tx: Transaction,
  scope: BatchScope,
  { id, options, rows, now, atMost }: StartInput,
) {
  await lockStarts(tx, scope)
  if (atMost) {
    const recentRows = await selectRowsSince(tx, scope, new Date(now.getTime() - day))
    if (recentRows.rows + rows.length > atMost.rows)
      throw tooManyAttempts(recentRows.first.getTime() + day - now.getTime(), 'runs')
  }
  const failed = rows.filter(({ fault }) => fault).length
  const batchJob = { ...(id ? { id } : {}), ...scope, options, total: rows.length, done: 0, failed, createdAt: now }
  const storedRows = rows.map(({ row, title, input, fault }) => ({
    row,
    title,
    input,
    state: fault ? ('failed' as const) : ('waiting' as const),
    fault: fault?.code ?? null,
    params: fault?.params ?? null,
  }))
  const jobId = await refuseSecondBatchJob(() => insertBatchJob(tx, batchJob, storedRows))
  await scheduleBatchJob(tx, jobId)
  return jobId
}

type ViewRow = NonNullable<Awaited<ReturnType<typeof selectBatchJobView>>>

/**
 * Returns a batch job as a page shows it. `left`: about how many seconds it still needs, once that can be estimated.
 */
function viewOf({ createdAt, finishedAt, ...batchJob }: ViewRow) {
  const canEstimate = batchJob.state === 'running' && batchJob.worked >= 2 && batchJob.done > 0
  const left = canEstimate
    ? Math.ceil((batchJob.worked / batchJob.done) * (batchJob.total - batchJob.done - batchJob.failed))
    : null
  return { ...batchJob, date: createdAt.toISOString(), finishedAt: finishedAt?.toISOString() ?? null, left }
}
export type BatchJobView = ReturnType<typeof viewOf>

/** Returns the newest batch jobs within a scope. */
export const listBatchJobs = async (scope: BatchScope): Promise<BatchJobView[]> =>
  (await selectBatchJobs(scope, batchJobsOnPage)).map(viewOf)

/** Returns the id of the newest batch job within a scope whose options have these members; null if there is none. */
export const newestBatchJob = (scope: BatchScope, options: Record<string, unknown>) =>
  selectNewestBatchJobId(scope, options)

async function requireBatchJob(scope: BatchScope, id: string): Promise<ViewRow> {
  const batchJob = await selectBatchJobView(scope, id)
  if (!batchJob) throw notFound()
  return batchJob
}

/** Returns a batch job with its first faults. Throws 404 outside of the scope. */
export async function readBatchJob(scope: BatchScope, id: string) {
  const batchJob = await requireBatchJob(scope, id)
  const faults = batchJob.failed > 0 ? await selectFailedRows(id, 0, faultsOnPage) : []
  return {
    run: viewOf(batchJob),
    faults: faults.map(({ row, title, fault, params }) => ({
      row,
      title,
      code: fault ?? 'errorUnknown',
      params: params ?? {},
    })),
  }
}

/** Returns the options that the kind of a batch job stored for all of its rows. Throws 404 outside of the scope. */
export async function batchOptions(scope: BatchScope, id: string): Promise<Record<string, unknown>> {
  await requireBatchJob(scope, id)
  return (await selectBatchJob(id))?.options ?? {}
}

/** Yields the failed rows of a batch job in their order. Throws 404 outside of the scope. */
export async function* eachFault(scope: BatchScope, id: string) {
  await requireBatchJob(scope, id)
  for (let after = 0; ; ) {
    const page = await selectFailedRows(id, after, 500)
    yield* page
    const last = page.at(-1)
    if (!last || page.length < 500) return
    after = last.row
  }
}

async function changeBatchJob(
  scope: BatchScope,
  id: string,
  work: (tx: Transaction, state: ViewRow['state']) => Promise<unknown>,
) {
  await requireBatchJob(scope, id)
  await refuseSecondBatchJob(() =>
    db().transaction(async (tx) => {
      const batchJob = await lockBatchJob(tx, id)
      if (!batchJob) throw notFound()
      if (batchJob.state === 'done') throw new AppError(409, 'runOver')
      await work(tx, batchJob.state)
    }),
  )
  return {}
}

/** Stops a batch job: after this returns no further row is done. Throws 404, and 409 runOver when all rows are done. */
export const stopBatchJob = (scope: BatchScope, id: string) =>
  changeBatchJob(scope, id, async (tx, state) => {
    if (state === 'running') await updateBatchJob(tx, id, { state: 'stopped' })
  })

/**
 * Resumes a stopped batch job with its remaining rows; `options` replaces members of its options. Throws 404, 409
 * runOver when all rows are done, and 409 runRunning while the person, the client or the object has another batch job
 * of the kind.
 */
export const resumeBatchJob = (scope: BatchScope, id: string, options: Record<string, unknown> = {}) =>
  changeBatchJob(scope, id, async (tx, state) => {
    if (state === 'running') return
    await updateBatchJob(tx, id, { state: 'running', fault: null, resumed: true, options })
    await scheduleBatchJob(tx, id)
  })

/**
 * Deletes batch jobs that fulfil a condition and were last written before `before`, with their rows, which may be a
 * hundred thousand. After the first statement no query returns them any more. What a killed worker hasn't deleted is
 * deleted by the next call.
 */
export async function removeBatchJobs(before: Date, condition: SQL | undefined): Promise<void> {
  await inBatches((limit) => disownBatchJobs(before, condition, limit))
  await inBatches(deleteDisownedRows)
  await inBatches(deleteDisownedBatchJobs)
}

/** Continues batch jobs whose job was lost, and deletes those that ended a month ago. */
export async function tidyBatchJobs(now: Date): Promise<void> {
  const stalled = await selectStalledBatchJobs(new Date(now.getTime() - stalledMinutes * 60_000))
  for (const { id } of stalled) await scheduleBatchJob(db(), id)
  const before = new Date(now.getTime() - retentionDays * day)
  await removeBatchJobs(before, hasStarter)
}
