import type { SQL } from 'drizzle-orm'
import { db, type Transaction } from '@/db/client'
import { tooManyAttempts } from '../limits/limits'
import { inBatches } from '../postgres/batches'
import { onBroken } from '../postgres/constraints'
import { AppError, notFound } from '../runtime/errors'
import { scheduleBatchJob } from './process-rows'
import {
  type BatchScope,
  deleteDisowned,
  deleteDisownedRows,
  disownRuns,
  insertRun,
  lockRun,
  lockStarts,
  ofStarters,
  selectFaults,
  selectNewestRun,
  selectRowsSince,
  selectRun,
  selectRuns,
  selectShownRun,
  selectStalled,
  updateRun,
} from './store'

/** Days for which a run is kept after its end, or after it was stopped. */
const keptDays = 30
/** Minutes without a row after which the job of a run counts as lost. */
const stalledAfter = 5
/** How many faults a page shows; a file has all. */
const shownFaults = 100
/** How many runs a page shows; the newest. */
const shownRuns = 20
const day = 86_400_000

export type NewRow = {
  row: number
  title: string
  input: Record<string, unknown>
  /** Known before the start: the row is never tried. */
  fault?: { code: string; params?: Record<string, string | number> | undefined } | undefined
}

const running = () => new AppError(409, 'runRunning')
const onlyOne = <T>(write: () => Promise<T>) =>
  onBroken({ runs_running: running, runs_client_running: running, runs_subject_running: running }, write)

type Start = {
  /** For a run whose rows are bound to it before it starts. */
  id?: string
  options: Record<string, unknown>
  rows: NewRow[]
  now: Date
  atMost?: { rows: number }
}

/**
 * Starts a run in a transaction; the worker begins after the commit. Returns its id. Throws 409 runRunning while the
 * person, the client or the thing has another run of the kind, and 429 if their runs of a day have too many rows.
 */
export async function startBatchJob(tx: Transaction, scope: BatchScope, { id, options, rows, now, atMost }: Start) {
  await lockStarts(tx, scope)
  if (atMost) {
    const past = await selectRowsSince(tx, scope, new Date(now.getTime() - day))
    if (past.rows + rows.length > atMost.rows) throw tooManyAttempts(past.first.getTime() + day - now.getTime(), 'runs')
  }
  const failed = rows.filter(({ fault }) => fault).length
  const run = { ...(id ? { id } : {}), ...scope, options, total: rows.length, done: 0, failed, createdAt: now }
  const stored = rows.map(({ row, title, input, fault }) => ({
    row,
    title,
    input,
    state: fault ? ('failed' as const) : ('waiting' as const),
    fault: fault?.code ?? null,
    params: fault?.params ?? null,
  }))
  const made = await onlyOne(() => insertRun(tx, run, stored))
  await scheduleBatchJob(tx, made)
  return made
}

type Shown = NonNullable<Awaited<ReturnType<typeof selectShownRun>>>

/** Returns a run as a page shows it. `left`: about how many seconds it needs, once that can be guessed. */
function viewOf({ createdAt, finishedAt, ...run }: Shown) {
  const guessed = run.state === 'running' && run.worked >= 2 && run.done > 0
  const left = guessed ? Math.ceil((run.worked / run.done) * (run.total - run.done - run.failed)) : null
  return { ...run, date: createdAt.toISOString(), finishedAt: finishedAt?.toISOString() ?? null, left }
}
export type BatchJobView = ReturnType<typeof viewOf>

/** Returns the newest runs within a scope. */
export const listBatchJobs = async (scope: BatchScope): Promise<BatchJobView[]> =>
  (await selectRuns(scope, shownRuns)).map(viewOf)

/** Returns the id of the newest run within a scope whose options have these members; null if there is none. */
export const newestBatchJob = (scope: BatchScope, options: Record<string, unknown>) => selectNewestRun(scope, options)

async function shownRun(scope: BatchScope, id: string): Promise<Shown> {
  const run = await selectShownRun(scope, id)
  if (!run) throw notFound()
  return run
}

/** Returns a run with its first faults. Throws 404 outside of the scope. */
export async function readBatchJob(scope: BatchScope, id: string) {
  const run = await shownRun(scope, id)
  const faults = run.failed > 0 ? await selectFaults(id, 0, shownFaults) : []
  return {
    run: viewOf(run),
    faults: faults.map(({ row, title, fault, params }) => ({
      row,
      title,
      code: fault ?? 'errorUnknown',
      params: params ?? {},
    })),
  }
}

/** Returns what the kind of a run stored for all of its rows. Throws 404 outside of the scope. */
export async function batchOptions(scope: BatchScope, id: string): Promise<Record<string, unknown>> {
  await shownRun(scope, id)
  return (await selectRun(id))?.options ?? {}
}

/** Yields the failed rows of a run in their order. Throws 404 outside of the scope. */
export async function* eachFault(scope: BatchScope, id: string) {
  await shownRun(scope, id)
  for (let after = 0; ; ) {
    const page = await selectFaults(id, after, 500)
    yield* page
    const last = page.at(-1)
    if (!last || page.length < 500) return
    after = last.row
  }
}

async function change(
  scope: BatchScope,
  id: string,
  work: (tx: Transaction, state: Shown['state']) => Promise<unknown>,
) {
  await shownRun(scope, id)
  await onlyOne(() =>
    db().transaction(async (tx) => {
      const run = await lockRun(tx, id)
      if (!run) throw notFound()
      if (run.state === 'done') throw new AppError(409, 'runOver')
      await work(tx, run.state)
    }),
  )
  return {}
}

/** Stops a run: when this returns, no further row is done. Throws 404, and 409 runOver when all rows are done. */
export const stopBatchJob = (scope: BatchScope, id: string) =>
  change(scope, id, async (tx, state) => {
    if (state === 'running') await updateRun(tx, id, { state: 'stopped' })
  })

/**
 * Lets a stopped run go on with the rows that are left; `options` replaces members of its own. Throws 404, 409 runOver
 * when all rows are done, and 409 runRunning while the person, the client or the thing has another run of
 * the kind.
 */
export const resumeBatchJob = (scope: BatchScope, id: string, options: Record<string, unknown> = {}) =>
  change(scope, id, async (tx, state) => {
    if (state === 'running') return
    await updateRun(tx, id, { state: 'running', fault: null, resumed: true, options })
    await scheduleBatchJob(tx, id)
  })

/**
 * Deletes runs that fulfil a condition and were written last before then, with their rows, which may be a hundred
 * thousand: nobody finds such a run from the first statement on, and what a killed worker has left the next one deletes.
 */
export async function removeBatchJobs(before: Date, which: SQL | undefined): Promise<void> {
  await inBatches((limit) => disownRuns(before, which, limit))
  await inBatches(deleteDisownedRows)
  await deleteDisowned()
}

/** Continues runs whose job was lost, and deletes those that ended a month ago. */
export async function tidyBatchJobs(now: Date): Promise<void> {
  const stalled = await selectStalled(new Date(now.getTime() - stalledAfter * 60_000))
  for (const { id } of stalled) await scheduleBatchJob(db(), id)
  const before = new Date(now.getTime() - keptDays * day)
  await removeBatchJobs(before, ofStarters)
}
