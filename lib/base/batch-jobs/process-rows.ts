import { type Database, db, type Transaction } from '@/db/client'
import { enqueue } from '../jobs/jobs'
import { AppError } from '../runtime/errors'
import { log } from '../runtime/log'
import {
  type BatchJobRow,
  type BatchRow,
  countTry,
  endRow,
  endRows,
  endRowsWith,
  lockBatchJob,
  nextRows,
  selectBatchJob,
  updateBatchJob,
} from './store'

/**
 * Processes one row in a transaction, which also marks the row as done. Throws AppError for a fault of the row, and
 * BatchStopped if no further row can be processed. A function that it returns runs after the commit, at most once; a
 * returned `DoneInPart` has the fault of the part that was left out.
 */
type ProcessRow = (tx: Transaction, row: BatchRow) => Promise<unknown>

/**
 * `faults`: the fault of each failed row, by its number; `singleRows`: the rows that `processRow` must process; `after`:
 * functions that run after the commit, at most once.
 */
export type Batch = { faults: Map<number, AppError>; singleRows?: ReadonlySet<number>; after?: readonly unknown[] }
/**
 * Processes several rows in few statements, with the same results as `processRow` for one after another. If it throws
 * anything but BatchStopped, its work is rolled back, and `processRow` processes the rows.
 */
type ProcessBatch = (tx: Transaction, rows: BatchRow[]) => Promise<Batch>

/**
 * What follows when no row is waiting. `rows`: `more` has added rows; `later`: another job continues; `end`: the batch
 * job is done; `stop`: it stops with this code of an error. `options` replaces members of the options.
 */
type NextStep = 'rows' | 'later' | 'end' | { stop: string }
type LoadMoreRows = (
  tx: Transaction,
  run: BatchJobRow,
) => Promise<{ next: NextStep; options?: Record<string, unknown> }>

/** How rows are processed; `reduceInput` returns the part of the input that a row keeps after its end. */
type RowProcessing = {
  processRow: ProcessRow
  processBatch?: ProcessBatch
  reduceInput?: (row: BatchRow, failed: boolean) => BatchRow['input']
  more?: LoadMoreRows
}

/**
 * Prepares the processing of rows, by kind of batch job. Loads what all rows need and returns how to process a row.
 * Returns `later` if it hasn't read all rows yet: another job continues.
 */
export type BatchKinds = Record<
  string,
  (run: BatchJobRow, ending?: AbortSignal) => Promise<ProcessRow | RowProcessing | 'later'>
>

/** Thrown when no further row can be processed: the batch job stops with this code of an error. It can be resumed. */
export class BatchStopped extends Error {
  override name = 'BatchStopped'
  constructor(readonly code: string) {
    super(code)
  }
}

/** Milliseconds after which a batch job gives way to others. */
const turnMilliseconds = 3_000
/** The most rows of a transaction, and for how many milliseconds it begins further ones: a stop waits for its end. */
const transactionLimits = { rows: 25, time: 250 }
/** How many rows are processed in few statements: they take about as long as a transaction of single rows. */
const rowsPerBatch = 100
/** How often a row is tried if it ends with an unexpected error. */
const maxTries = 3

/** Queues the job of a batch job. All batch jobs share one queue, so that they delay nothing that people wait for. */
export const scheduleBatchJob = (tx: Database | Transaction, id: string) =>
  enqueue(tx, 'run', { id }, { jobKey: `run:${id}`, queue: 'runs', priority: 'run' })

/**
 * Whether an error is a fault of the row's input. An error of the platform or of a limit is temporary: it is tried
 * again.
 */
const isFault = (error: unknown): error is AppError =>
  error instanceof AppError && error.status < 500 && error.status !== 429

function faultOf({ code, data: { errorList } }: AppError): Pick<BatchRow, 'fault' | 'params'> {
  const [field] = errorList ?? []
  return field && code === 'errorFields'
    ? { fault: field.code, params: field.params ?? null }
    : { fault: code, params: null }
}

/** An unexpected error at a row; the transaction of the row is rolled back. */
class RowFailure extends Error {
  constructor(
    readonly row: BatchRow,
    cause: unknown,
  ) {
    super('a row of a run failed', { cause })
  }
}

/** Returns the input that an ended row keeps; an empty one if its kind can't read the input. */
function inputOfEndedRow(
  reduceInput: RowProcessing['reduceInput'],
  row: BatchRow,
  failed: boolean,
): { input?: BatchRow['input'] } {
  if (!reduceInput) return {}
  try {
    return { input: reduceInput(row, failed) }
  } catch {
    return { input: {} }
  }
}

/** Processes rows as a batch if the kind can. Returns the rows to process singly, and what runs after the commit. */
async function attemptBatch(
  tx: Transaction,
  batchJob: BatchJobRow,
  rows: BatchRow[],
  { processBatch, reduceInput }: RowProcessing,
) {
  if (!processBatch) return { remainingRows: rows, after: [] }
  let batch: Batch
  try {
    batch = await tx.transaction(async (inner) => {
      const result = await processBatch(inner, rows)
      for (const fault of result.faults.values()) if (!isFault(fault)) throw fault
      return result
    })
  } catch (error) {
    if (error instanceof BatchStopped) throw error
    log.warn({ err: error, run: batchJob.id }, 'rows of a run are done one by one')
    return { remainingRows: rows, after: [] }
  }
  const { faults, singleRows, after = [] } = batch
  const endedRows = rows.filter(({ row }) => !singleRows?.has(row))
  for (const row of endedRows) {
    const fault = faults.get(row.row)
    if (fault) await endRow(tx, row, { state: 'failed', ...faultOf(fault), ...inputOfEndedRow(reduceInput, row, true) })
  }
  const succeededRows = endedRows.filter(({ row }) => !faults.has(row))
  if (reduceInput)
    await endRowsWith(
      tx,
      batchJob.id,
      succeededRows.map((row) => ({ row: row.row, input: reduceInput(row, false) })),
    )
  else
    await endRows(
      tx,
      batchJob.id,
      succeededRows.map(({ row }) => row),
    )
  if (endedRows.length > 0)
    await updateBatchJob(tx, batchJob.id, {
      counts: { done: succeededRows.length, failed: endedRows.length - succeededRows.length },
    })
  return { remainingRows: rows.filter(({ row }) => singleRows?.has(row)), after }
}

/** The result of a row that was done in part: what was done stays, and the row gets this fault. */
export class DoneInPart {
  constructor(
    readonly fault: AppError,
    readonly after: unknown,
  ) {}
}

type RowResult = { fault: Pick<BatchRow, 'fault' | 'params'> | null; after?: unknown }

/** Processes a row in a savepoint. Returns its fault, if it has one, and what runs after the commit. */
async function attemptRow(tx: Transaction, row: BatchRow, processRow: ProcessRow): Promise<RowResult> {
  try {
    const result = await tx.transaction((inner) => processRow(inner, row))
    return result instanceof DoneInPart
      ? { fault: faultOf(result.fault), after: result.after }
      : { fault: null, after: result }
  } catch (error) {
    if (isFault(error)) return { fault: faultOf(error) }
    if (error instanceof BatchStopped) throw error
    throw new RowFailure(row, error)
  }
}

/**
 * Processes the next rows. The rows, their effects and the counts are one transaction under the lock of the batch job:
 * so each row is done once, however often a worker dies, and none is done after a stop. `from`: the first row that may
 * be waiting; `singleRows`: the numbers of rows to process singly, to which it adds. Returns the last row, `later`, or null
 * if no row is left. If a row can't be done now, it commits the rows before it and then throws what the row threw.
 */
async function processNextRows(
  id: string,
  { from: firstRow, singleRows }: { from: number; singleRows: Set<number> },
  processing: RowProcessing,
  ending?: AbortSignal,
): Promise<number | 'later' | null> {
  const { processRow, processBatch, reduceInput, more: loadMoreRows } = processing
  const rowLimit = processBatch ? rowsPerBatch : transactionLimits.rows
  const afterCommit: unknown[] = []
  let failure: unknown
  const lastRow = await db().transaction(async (tx) => {
    const batchJob = await lockBatchJob(tx, id)
    if (batchJob?.state !== 'running') return null
    const followingRows = await nextRows(tx, id, rowLimit, firstRow)
    const rows = followingRows.length > 0 ? followingRows : await nextRows(tx, id, rowLimit)
    if (rows.length === 0) {
      const { next, options } = (await loadMoreRows?.(tx, batchJob)) ?? { next: 'end' as const, options: undefined }
      const optionsChange = options ? { options } : {}
      if (next === 'rows' || next === 'later') {
        await updateBatchJob(tx, id, optionsChange)
        return next === 'rows' ? firstRow : next
      }
      const end =
        next === 'end'
          ? { state: 'done' as const, finishedAt: new Date() }
          : { state: 'stopped' as const, fault: next.stop }
      await updateBatchJob(tx, id, { ...end, ...optionsChange })
      return null
    }
    let remainingRows = rows.filter(({ row }) => singleRows.has(row))
    if (remainingRows.length === 0) {
      try {
        const batch = await attemptBatch(tx, batchJob, rows, processing)
        remainingRows = batch.remainingRows
        afterCommit.push(...batch.after)
      } catch (error) {
        failure = error
        return firstRow
      }
      if (remainingRows.length === 0) return rows.at(-1)?.row ?? null
      for (const { row } of remainingRows) singleRows.add(row)
    }
    const deadline = Date.now() + transactionLimits.time
    const counts = { done: 0, failed: 0 }
    let reachedRow = firstRow
    for (const row of remainingRows) {
      try {
        const result = await attemptRow(tx, row, processRow)
        afterCommit.push(result.after)
        const input = inputOfEndedRow(reduceInput, row, result.fault !== null)
        await endRow(
          tx,
          row,
          result.fault ? { state: 'failed', ...result.fault, ...input } : { state: 'done', ...input },
        )
        counts[result.fault ? 'failed' : 'done']++
        reachedRow = row.row
      } catch (error) {
        failure = error
        break
      }
      if (ending?.aborted || Date.now() >= deadline) break
    }
    await updateBatchJob(tx, id, { counts })
    return reachedRow
  })
  for (const callback of afterCommit) if (typeof callback === 'function') await callback()
  if (failure) throw failure
  return lastRow
}

/**
 * Marks a row as failed that was tried too often, so that the others don't wait for it. Returns false to try it again.
 */
async function endFailedRow({ row, cause }: RowFailure, reduceInput: RowProcessing['reduceInput']): Promise<boolean> {
  if ((await countTry(row)) < maxTries) return false
  log.error({ err: cause, run: row.runId, row: row.row }, 'a row of a batch job is dead')
  await db().transaction(async (tx) => {
    const batchJob = await lockBatchJob(tx, row.runId)
    // another worker may have processed it since
    if (batchJob?.state !== 'running' || (await nextRows(tx, row.runId, 1))[0]?.row !== row.row) return
    await endRow(tx, row, { state: 'failed', fault: 'errorUnknown', ...inputOfEndedRow(reduceInput, row, true) })
    await updateBatchJob(tx, row.runId, { counts: { done: 0, failed: 1 } })
  })
  return true
}

const stopWithFault = (id: string, { code }: BatchStopped) =>
  db().transaction(async (tx) => {
    const batchJob = await lockBatchJob(tx, id)
    if (batchJob?.state === 'running') await updateBatchJob(tx, id, { state: 'stopped', fault: code })
  })

/**
 * Processes rows of a batch job in its job, until the rows are done, somebody stops it, some seconds have passed or the
 * process must stop; in the last two cases another job continues. Throws if a row should be tried again later.
 */
export async function processRows(kinds: BatchKinds, id: string, ending?: AbortSignal): Promise<void> {
  const batchJob = await selectBatchJob(id)
  if (batchJob?.state !== 'running') return
  const startProcessing = kinds[batchJob.kind]
  if (!startProcessing) throw new Error(`nothing does the rows of ${batchJob.kind}`)
  const deadline = Date.now() + turnMilliseconds
  try {
    const started = await startProcessing(batchJob, ending)
    if (started === 'later') return void (await scheduleBatchJob(db(), id))
    const processing = typeof started === 'function' ? { processRow: started } : started
    let lastRow: number | 'later' | null = 0
    const singleRows = new Set<number>()
    do {
      lastRow = await processNextRows(id, { from: lastRow, singleRows }, processing, ending).catch(
        async (error: unknown) => {
          if (error instanceof RowFailure && (await endFailedRow(error, processing.reduceInput))) return error.row.row
          throw error
        },
      )
      if (lastRow === null) return
      if (lastRow === 'later') break
    } while (!ending?.aborted && Date.now() < deadline)
  } catch (error) {
    if (error instanceof BatchStopped) return void (await stopWithFault(id, error))
    throw error
  }
  await scheduleBatchJob(db(), id)
}
