import { z } from 'zod'
import { db } from '@/db/client'
import { BatchStopped } from '@/lib/base/batch-jobs/process-rows'
import {
  addRows,
  type BatchJobRow,
  lockBatchJob,
  selectPresentExternalIds,
  updateBatchJob,
} from '@/lib/base/batch-jobs/store'
import { ExchangeFailed, exchange } from './exchange'
import { type ExportKey, exports } from './exports'
import { type ImportKey, pageOf, readItems } from './items'
import { ExchangeOptions } from './options'
import type { SyncRow } from './queries'

/** Milliseconds for which a job begins further pages: then it makes room for other jobs. */
const workTime = 3_000
/** The most pages and rows of a source: one that never ends would fill the database. */
const limits = { pages: 50_000, rows: 1_000_000 }

/** Waits for a request. Throws BatchStopped with the code of the fault of the other system. */
const stopOnExchangeFailure = <T>(request: Promise<T>): Promise<T> =>
  request.catch((error: unknown) => {
    throw error instanceof ExchangeFailed ? new BatchStopped(error.code) : error
  })

type Page = { run: BatchJobRow; sync: SyncRow; options: ExchangeOptions; ending: AbortSignal | undefined }
type Work = (page: Page) => Promise<ExchangeOptions | null>

/** Locks a run. `moved` says that another worker has done this page. Returns null if the run was stopped. */
async function lockAtPage(tx: Parameters<typeof lockBatchJob>[0], id: string, { cursor, pages }: ExchangeOptions) {
  const run = await lockBatchJob(tx, id)
  if (run?.state !== 'running') return null
  const options = ExchangeOptions.parse(run.options)
  const moved = options.phase !== 'pages' || options.cursor !== cursor || options.pages !== pages
  return { run, options, moved }
}

const readPage: Work = async ({ run, sync, options, ending }) => {
  const query = { limit: String(sync.pageSize), ...(options.cursor === null ? {} : { after: options.cursor }) }
  const { items, next } = await stopOnExchangeFailure(exchange(sync, { runId: run.id, query, ending }).then(pageOf))
  return db().transaction(async (tx) => {
    const locked = await lockAtPage(tx, run.id, options)
    if (!locked || locked.moved) return locked?.options ?? null
    const rows = readItems(sync.key as ImportKey, items, locked.run.total)
    const ids = rows.flatMap(({ input, fault }) => (fault ? [] : [input.externalId]))
    const knownIds = await selectPresentExternalIds(tx, run.id, ids)
    const isDuplicate = (id: string, index: number) =>
      knownIds.has(id) || rows.findIndex(({ input, fault }) => !fault && input.externalId === id) < index
    const stored = rows.map((row, index) =>
      !row.fault && isDuplicate(row.input.externalId, index)
        ? { ...row, input: { externalId: '' }, fault: { code: 'integrationDouble', params: {} } }
        : row,
    )
    const pages = options.pages + 1
    // a page without new rows that isn't the last one would repeat for ever
    const isEndless = next !== null && stored.every(({ fault }) => fault?.code === 'integrationDouble')
    if (isEndless || pages > limits.pages || locked.run.total + rows.length > limits.rows)
      throw new BatchStopped('integrationEndless')
    await addRows(
      tx,
      run.id,
      stored.map(({ title, input, fault }) => ({
        title,
        input,
        ...(fault ? { state: 'failed' as const, fault: fault.code, params: fault.params } : {}),
      })),
    )
    const after = { pages, cursor: next, phase: next === null ? ('rows' as const) : ('pages' as const) }
    await updateBatchJob(tx, run.id, { options: after })
    return { ...locked.options, ...after }
  })
}

/** The answer of a receiver: the rows that it refused. */
const ReceiverAnswer = z.object({
  faults: z
    .array(z.object({ id: z.string(), error: z.string().default('') }))
    .max(10_000)
    .default([]),
})

const sendPage: Work = async ({ run, sync, options, ending }) => {
  const { count, after } = exports[sync.key as ExportKey]
  const expected = options.pages === 0 ? await count() : 0
  const rows = await after(options.cursor, sync.pageSize)
  const last = rows.length < sync.pageSize
  const page = options.pages + 1
  const body = { type: sync.key, run: run.id, page, last, items: rows.map(({ item }) => item) }
  const json = await stopOnExchangeFailure(
    exchange(sync, { runId: run.id, body, idempotencyKey: `${run.id}-${page}`, ending }),
  )
  const receiverAnswer = ReceiverAnswer.safeParse(json ?? {})
  if (!receiverAnswer.success) throw new BatchStopped('integrationFormat')
  const reasons = new Map(receiverAnswer.data.faults.map(({ id, error }) => [id, error]))
  const refusedRows = rows.filter(({ id }) => reasons.has(id))
  return db().transaction(async (tx) => {
    const locked = await lockAtPage(tx, run.id, options)
    if (!locked || locked.moved) return locked?.options ?? null
    await addRows(
      tx,
      run.id,
      refusedRows.map(({ id, title }) => {
        const reason = (reasons.get(id) ?? '').toWellFormed().replaceAll('\0', '').slice(0, 300)
        const fault = reason ? 'integrationRefused' : 'integrationRefusedRow'
        const params: Record<string, string> = reason ? { reason } : {}
        return { title, input: { externalId: id }, state: 'failed' as const, fault, params }
      }),
    )
    const done = rows.length - refusedRows.length
    const next = {
      pages: page,
      cursor: rows.at(-1)?.id ?? options.cursor,
      phase: last ? ('rows' as const) : options.phase,
    }
    // the total is the expected number of rows, and at the end the actual one
    const { total } = locked.run
    const sentTotal = locked.run.done + locked.run.failed + rows.length
    const grown = last ? sentTotal - total - refusedRows.length : expected - refusedRows.length
    await updateBatchJob(tx, run.id, { counts: { done, failed: 0 }, grown, options: next })
    return { ...locked.options, ...next }
  })
}

/**
 * Reads or sends pages for some seconds, from where the run stopped. Returns whether the last page was done. Throws
 * BatchStopped for another system that can't be reached, and for a source that never ends
 * (docs/rules/integration.md#runs).
 */
export async function exchangePages(
  run: BatchJobRow,
  sync: SyncRow,
  ending: AbortSignal | undefined,
  rights: () => Promise<void>,
) {
  const until = performance.now() + workTime
  const work = sync.key in exports ? sendPage : readPage
  let options: ExchangeOptions | null = ExchangeOptions.parse(run.options)
  while (options?.phase === 'pages') {
    if (ending?.aborted || performance.now() >= until) return false
    await rights()
    try {
      options = await work({ run, sync, options, ending })
    } catch (error) {
      // this process ends, which is no fault of the other system: another process sends the page again
      if (ending?.aborted && error instanceof BatchStopped) return false
      throw error
    }
  }
  return true
}
