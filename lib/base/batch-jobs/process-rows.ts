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
  lockRun,
  nextRows,
  selectRun,
  updateRun,
} from './store'

/**
 * Does one row in a transaction, which also marks the row as done. Throws AppError for a fault of the row, and RunStopped
 * if no further row can be done. A function that it returns runs after the commit, at most once; `DoneInPart` says what
 * was left out.
 */
type DoRow = (tx: Transaction, row: BatchRow) => Promise<unknown>

/**
 * The fault of each row that has one, by its number; `left`: the rows that `doRow` must do; `after`: functions that run
 * after the commit, at most once.
 */
export type Batch = { faults: Map<number, AppError>; left?: ReadonlySet<number>; after?: readonly unknown[] }
/**
 * Does several rows in few statements, with the results that `doRow` has one after another. If it throws anything but
 * RunStopped, nothing of it stays, and `doRow` does the rows.
 */
type DoTogether = (tx: Transaction, rows: BatchRow[]) => Promise<Batch>

/**
 * What follows when no row is left: more rows, which `more` has added, or the end. `later`: another job begins anew.
 * `stop` stops the run with the code of an error; `options` replaces members of the run's.
 */
type Next = 'rows' | 'later' | 'end' | { stop: string }
type More = (tx: Transaction, run: BatchJobRow) => Promise<{ next: Next; options?: Record<string, unknown> }>

/** How rows are done; `kept` returns what a row keeps when it is over. */
type Rows = {
  doRow: DoRow
  doTogether?: DoTogether
  kept?: (row: BatchRow, failed: boolean) => BatchRow['input']
  more?: More
}

/**
 * What is done with the rows of runs, by kind. It begins with what all rows need, or answers `later`: it has not read
 * all rows yet, and another job continues.
 */
export type BatchKinds = Record<string, (run: BatchJobRow, ending?: AbortSignal) => Promise<DoRow | Rows | 'later'>>

/** No further row can be done: the run stops, and says why by the code of an error. It can go on later. */
export class BatchStopped extends Error {
  override name = 'RunStopped'
  constructor(readonly code: string) {
    super(code)
  }
}

/** Milliseconds after which a run makes room for others. */
const slice = 3_000
/** How many rows a transaction does at most, and for how many milliseconds it begins another one: a stop waits for it. */
const together = { rows: 25, time: 250 }
/** How many rows are done in few statements: about what takes as long. */
const inFewStatements = 100
/** How often a row is tried that ends with an unexpected error. */
const mostTries = 3

/** All runs share one place of the worker, so that they delay nothing that people wait for. */
export const scheduleBatchJob = (run: Database | Transaction, id: string) =>
  enqueue(run, 'run', { id }, { jobKey: `run:${id}`, queue: 'runs', priority: 'run' })

/** An error of the input belongs to its row; one of the platform or of a limit goes away, and the row is tried again. */
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

/** Returns what a row keeps that is over; nothing of one that its kind can't read. */
function keptOf(kept: Rows['kept'], row: BatchRow, failed: boolean): { input?: BatchRow['input'] } {
  if (!kept) return {}
  try {
    return { input: kept(row, failed) }
  } catch {
    return { input: {} }
  }
}

/** Does rows together, where that is possible. Returns those that must be done one by one, and what runs after the commit. */
async function attemptTogether(tx: Transaction, run: BatchJobRow, rows: BatchRow[], { doTogether, kept }: Rows) {
  if (!doTogether) return { left: rows, after: [] }
  let did: Batch
  try {
    did = await tx.transaction(async (inner) => {
      const found = await doTogether(inner, rows)
      for (const fault of found.faults.values()) if (!isFault(fault)) throw fault
      return found
    })
  } catch (error) {
    if (error instanceof BatchStopped) throw error
    log.warn({ err: error, run: run.id }, 'rows of a run are done one by one')
    return { left: rows, after: [] }
  }
  const { faults, left, after = [] } = did
  const over = rows.filter(({ row }) => !left?.has(row))
  for (const row of over) {
    const fault = faults.get(row.row)
    if (fault) await endRow(tx, row, { state: 'failed', ...faultOf(fault), ...keptOf(kept, row, true) })
  }
  const well = over.filter(({ row }) => !faults.has(row))
  if (kept)
    await endRowsWith(
      tx,
      run.id,
      well.map((row) => ({ row: row.row, input: kept(row, false) })),
    )
  else
    await endRows(
      tx,
      run.id,
      well.map(({ row }) => row),
    )
  if (over.length > 0) await updateRun(tx, run.id, { counts: { done: well.length, failed: over.length - well.length } })
  return { left: rows.filter(({ row }) => left?.has(row)), after }
}

/** A row of which something was done and something was left out: what was done stays, and the row has this fault. */
export class DoneInPart {
  constructor(
    readonly fault: AppError,
    readonly after: unknown,
  ) {}
}

type Done = { fault: Pick<BatchRow, 'fault' | 'params'> | null; after?: unknown }

/** Does the row, or nothing of it. Returns its fault, or what runs after the commit. */
async function attempt(tx: Transaction, row: BatchRow, doRow: DoRow): Promise<Done> {
  try {
    const done = await tx.transaction((inner) => doRow(inner, row))
    return done instanceof DoneInPart ? { fault: faultOf(done.fault), after: done.after } : { fault: null, after: done }
  } catch (error) {
    if (isFault(error)) return { fault: faultOf(error) }
    if (error instanceof BatchStopped) throw error
    throw new RowFailure(row, error)
  }
}

/**
 * Does the next rows. The rows, what they do and the counts are one transaction under the lock of the run: so each row is
 * done once, however often a worker dies, and after a stop none is. `from`: the rows before this one were done, and
 * needn't be looked at again; `alone`: rows that were left to be done one by one, to which it adds. Returns the last row,
 * `later`, or null if none is left to do. If a row can't be done now, the rows before it are; then it throws what the row
 * threw.
 */
async function doNext(
  id: string,
  { from, alone }: { from: number; alone: Set<number> },
  how: Rows,
  ending?: AbortSignal,
): Promise<number | 'later' | null> {
  const { doRow, doTogether, kept, more } = how
  const most = doTogether ? inFewStatements : together.rows
  const after: unknown[] = []
  let failure: unknown
  const last = await db().transaction(async (tx) => {
    const run = await lockRun(tx, id)
    if (run?.state !== 'running') return null
    const found = await nextRows(tx, id, most, from)
    const rows = found.length > 0 ? found : await nextRows(tx, id, most)
    if (rows.length === 0) {
      const { next, options } = (await more?.(tx, run)) ?? { next: 'end' as const, options: undefined }
      const told = options ? { options } : {}
      if (next === 'rows' || next === 'later') {
        await updateRun(tx, id, told)
        return next === 'rows' ? from : next
      }
      const end =
        next === 'end'
          ? { state: 'done' as const, finishedAt: new Date() }
          : { state: 'stopped' as const, fault: next.stop }
      await updateRun(tx, id, { ...end, ...told })
      return null
    }
    let left = rows.filter(({ row }) => alone.has(row))
    if (left.length === 0) {
      try {
        const did = await attemptTogether(tx, run, rows, how)
        left = did.left
        after.push(...did.after)
      } catch (error) {
        failure = error
        return from
      }
      if (left.length === 0) return rows.at(-1)?.row ?? null
      for (const { row } of left) alone.add(row)
    }
    const until = Date.now() + together.time
    const counts = { done: 0, failed: 0 }
    let reached = from
    for (const row of left) {
      try {
        const done = await attempt(tx, row, doRow)
        after.push(done.after)
        const input = keptOf(kept, row, done.fault !== null)
        await endRow(tx, row, done.fault ? { state: 'failed', ...done.fault, ...input } : { state: 'done', ...input })
        counts[done.fault ? 'failed' : 'done']++
        reached = row.row
      } catch (error) {
        failure = error
        break
      }
      if (ending?.aborted || Date.now() >= until) break
    }
    await updateRun(tx, id, { counts })
    return reached
  })
  for (const each of after) if (typeof each === 'function') await each()
  if (failure) throw failure
  return last
}

/** Gives a row up that has failed too often, so that the others don't wait for it. Returns false to try it again. */
async function givenUp({ row, cause }: RowFailure, kept: Rows['kept']): Promise<boolean> {
  if ((await countTry(row)) < mostTries) return false
  log.error({ err: cause, run: row.runId, row: row.row }, 'a row of a run was given up')
  await db().transaction(async (tx) => {
    const run = await lockRun(tx, row.runId)
    // another worker may have done it meanwhile
    if (run?.state !== 'running' || (await nextRows(tx, row.runId, 1))[0]?.row !== row.row) return
    await endRow(tx, row, { state: 'failed', fault: 'errorUnknown', ...keptOf(kept, row, true) })
    await updateRun(tx, row.runId, { counts: { done: 0, failed: 1 } })
  })
  return true
}

const stopItself = (id: string, { code }: BatchStopped) =>
  db().transaction(async (tx) => {
    const run = await lockRun(tx, id)
    if (run?.state === 'running') await updateRun(tx, id, { state: 'stopped', fault: code })
  })

/**
 * Works on a run in its job, for some seconds, until nothing is left, until somebody stops it or the process must stop.
 * Then another job continues. Throws if a row should be tried again later.
 */
export async function processRows(kinds: BatchKinds, id: string, ending?: AbortSignal): Promise<void> {
  const run = await selectRun(id)
  if (run?.state !== 'running') return
  const begin = kinds[run.kind]
  if (!begin) throw new Error(`nothing does the rows of ${run.kind}`)
  const until = Date.now() + slice
  try {
    const begun = await begin(run, ending)
    if (begun === 'later') return void (await scheduleBatchJob(db(), id))
    const rows = typeof begun === 'function' ? { doRow: begun } : begun
    let last: number | 'later' | null = 0
    const alone = new Set<number>()
    do {
      last = await doNext(id, { from: last, alone }, rows, ending).catch(async (error: unknown) => {
        if (error instanceof RowFailure && (await givenUp(error, rows.kept))) return error.row.row
        throw error
      })
      if (last === null) return
      if (last === 'later') break
    } while (!ending?.aborted && Date.now() < until)
  } catch (error) {
    if (error instanceof BatchStopped) return void (await stopItself(id, error))
    throw error
  }
  await scheduleBatchJob(db(), id)
}
