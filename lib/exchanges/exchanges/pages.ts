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

/** Milliseconds for which a job begins further pages: others wait for its place. */
const slice = 3_000
/** How many pages and rows a source may have: one that never ends would fill the database. */
const most = { pages: 50_000, rows: 1_000_000 }

/** Stops the run with the code of what is wrong at the other side. */
const orStop = <T>(asked: Promise<T>): Promise<T> =>
  asked.catch((error: unknown) => {
    throw error instanceof ExchangeFailed ? new BatchStopped(error.code) : error
  })

type Page = { run: BatchJobRow; sync: SyncRow; options: ExchangeOptions; ending: AbortSignal | undefined }
type Work = (page: Page) => Promise<ExchangeOptions | null>

/** Locks a run that still stands where this page began; null if another worker did the page or the run stopped. */
async function lockAt(tx: Parameters<typeof lockBatchJob>[0], id: string, { cursor, pages }: ExchangeOptions) {
  const run = await lockBatchJob(tx, id)
  if (run?.state !== 'running') return null
  const options = ExchangeOptions.parse(run.options)
  const moved = options.phase !== 'pages' || options.cursor !== cursor || options.pages !== pages
  return { run, options, moved }
}

const readPage: Work = async ({ run, sync, options, ending }) => {
  const query = { limit: String(sync.pageSize), ...(options.cursor === null ? {} : { after: options.cursor }) }
  const { items, next } = await orStop(exchange(sync, { runId: run.id, query, ending }).then(pageOf))
  return db().transaction(async (tx) => {
    const locked = await lockAt(tx, run.id, options)
    if (!locked || locked.moved) return locked?.options ?? null
    const rows = readItems(sync.key as ImportKey, items, locked.run.total)
    const ids = rows.flatMap(({ input, fault }) => (fault ? [] : [input.externalId]))
    const seen = await selectPresentExternalIds(tx, run.id, ids)
    const isDouble = (id: string, at: number) =>
      seen.has(id) || rows.findIndex(({ input, fault }) => !fault && input.externalId === id) < at
    const stored = rows.map((row, at) =>
      !row.fault && isDouble(row.input.externalId, at)
        ? { ...row, input: { externalId: '' }, fault: { code: 'integrationDouble', params: {} } }
        : row,
    )
    const pages = options.pages + 1
    // a page whose rows were all there before comes again and again
    const endless = next !== null && stored.every(({ fault }) => fault?.code === 'integrationDouble')
    if (endless || pages > most.pages || locked.run.total + rows.length > most.rows)
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

/** What a receiver may answer: the rows that it refused. */
const Refused = z.object({
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
  const json = await orStop(exchange(sync, { runId: run.id, body, idempotencyKey: `${run.id}-${page}`, ending }))
  const refused = Refused.safeParse(json ?? {})
  if (!refused.success) throw new BatchStopped('integrationFormat')
  const why = new Map(refused.data.faults.map(({ id, error }) => [id, error]))
  const failed = rows.filter(({ id }) => why.has(id))
  return db().transaction(async (tx) => {
    const locked = await lockAt(tx, run.id, options)
    if (!locked || locked.moved) return locked?.options ?? null
    await addRows(
      tx,
      run.id,
      failed.map(({ id, title }) => {
        const reason = (why.get(id) ?? '').toWellFormed().replaceAll('\0', '').slice(0, 300)
        const fault = reason ? 'integrationRefused' : 'integrationRefusedRow'
        const params: Record<string, string> = reason ? { reason } : {}
        return { title, input: { externalId: id }, state: 'failed' as const, fault, params }
      }),
    )
    const done = rows.length - failed.length
    const next = {
      pages: page,
      cursor: rows.at(-1)?.id ?? options.cursor,
      phase: last ? ('rows' as const) : options.phase,
    }
    // the total is what was expected, and at the end what there was
    const { total } = locked.run
    const whole = locked.run.done + locked.run.failed + rows.length
    const grown = last ? whole - total - failed.length : expected - failed.length
    await updateBatchJob(tx, run.id, { counts: { done, failed: 0 }, grown, options: next })
    return { ...locked.options, ...next }
  })
}

/**
 * Reads or sends pages for some seconds, from where the run stopped. Returns whether the last page was done. Throws
 * RunStopped for another system that can't be reached, and for one that never ends
 * (docs/rules/integration.md#runs).
 */
export async function workOnPages(
  run: BatchJobRow,
  sync: SyncRow,
  ending: AbortSignal | undefined,
  rights: () => Promise<void>,
) {
  const until = performance.now() + slice
  const work = sync.key in exports ? sendPage : readPage
  let options: ExchangeOptions | null = ExchangeOptions.parse(run.options)
  while (options?.phase === 'pages') {
    if (ending?.aborted || performance.now() >= until) return false
    await rights()
    try {
      options = await work({ run, sync, options, ending })
    } catch (error) {
      // this process ends, which is no fault of the other side: another one sends the page again
      if (ending?.aborted && error instanceof BatchStopped) return false
      throw error
    }
  }
  return true
}
