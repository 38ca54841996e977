import { db } from '@/db/client'
import { eachFault, readBatchJob, resumeBatchJob, stopBatchJob } from '@/lib/base/batch-jobs/batch-jobs'
import { integrationKind } from '@/lib/base/batch-jobs/kinds'
import { requireMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import type { GivenFile } from '@/lib/base/contracts/file'
import { errorWords } from '@/lib/base/i18n/error-words'
import { textsIn } from '@/lib/base/i18n/texts-in'
import { AppError, notFound } from '@/lib/base/runtime/errors'
import { csvBeginning, csvOf } from '@/lib/base/tables/csv'
import type { IntegrationKey } from '../exchange-journal/keys'
import { readsData } from '../exchange-journal/service'
import type * as calls from './contract'
import { lastRunOf } from './details'
import { ExchangeOptions, ExchangeRow } from './options'
import { selectExchangeRun, selectRunPage, syncRows } from './queries'
import { lockForActing } from './service'

const [read, write] = ['integration.read', 'integration.write'] as const
type ById = { params: { id: string } }

/** Returns a run with its exchange. Throws 404. */
async function runOf(id: string) {
  const run = await selectExchangeRun(db(), id)
  const sync = run?.subject ? await syncRows.select(run.subject) : undefined
  if (!run || !sync) throw notFound()
  const { id: subject, key } = sync
  return { subject, key: key as IntegrationKey, options: run.options, scope: { kind: integrationKind, subject } }
}

/** Returns one page of the runs of an exchange. Needs integration.read. Throws 404. */
export async function listIntegrationRuns(
  ctx: Ctx,
  { params: { id }, query }: ServiceInput<typeof calls.listIntegrationRuns>,
) {
  requireMethod(ctx, read)
  if (!(await syncRows.select(id))) throw notFound()
  const { rows, meta } = await selectRunPage(id, query, ctx.user?.pagination ?? null)
  const scope = { kind: integrationKind, subject: id }
  const runs = await Promise.all(
    rows.map(async (row) => {
      const { run } = await readBatchJob(scope, row.id)
      const { trigger, starter, pages } = ExchangeOptions.parse(row.options)
      const { state, total, done, failed, fault, date, worked } = run
      return { id: row.id, trigger, starter, pages, state, total, done, failed, fault, date, worked }
    }),
  )
  return { runs, meta }
}

/**
 * Returns a run, with its first faults if the caller may read the area of the exchanged data. Needs integration.read.
 * Throws 404.
 */
export async function readIntegrationRun(ctx: Ctx, { params: { id } }: ById) {
  requireMethod(ctx, read)
  const { scope, options, key } = await runOf(id)
  const { run, faults } = await readBatchJob(scope, id)
  const answer = { run, faults: readsData(ctx, key) ? faults : [] }
  // the number of rows is unknown while pages are read
  const pages = ExchangeOptions.parse(options).phase === 'pages'
  return pages ? { ...answer, run: { ...answer.run, left: null } } : answer
}

/** Stops a run. Needs integration.write. Throws 404 and 409 runOver. */
export async function stopIntegrationRun(ctx: Ctx, { params: { id } }: ById) {
  requireMethod(ctx, write)
  return stopBatchJob((await runOf(id)).scope, id)
}

/**
 * Resumes a stopped run with the rights of the caller. Needs integration.write and the method of the exchanged data.
 * Throws 404, 403 forbiddenExchange, 409 integrationOff and integrationUnset, 409 runOver for a run that is over or
 * followed by another one, and 409 runRunning.
 */
export async function resumeIntegrationRun(ctx: Ctx, { params: { id } }: ById) {
  requireMethod(ctx, write)
  const { scope, subject } = await runOf(id)
  const actorId = await db().transaction(async (tx) => {
    const { sync, actorId } = await lockForActing(tx, ctx, subject)
    if (sync.url === '') throw new AppError(409, 'integrationUnset')
    if (!sync.enabled) throw new AppError(409, 'integrationOff')
    if ((await lastRunOf(tx, subject))?.id !== id) throw new AppError(409, 'runOver')
    if (ctx.user) await syncRows.update(tx, subject, { actorId })
    return actorId
  })
  return resumeBatchJob(scope, id, { actorId })
}

/**
 * Returns the failed rows of a run with the reason. Needs integration.read and the read method of the area of the
 * exchanged data. Throws 404, and 403 forbiddenExchange (docs/rules/integration.md#journal).
 */
export async function readIntegrationRunFaults(ctx: Ctx, { params: { id } }: ById): Promise<GivenFile> {
  requireMethod(ctx, read)
  const { scope, key } = await runOf(id)
  if (!readsData(ctx, key)) throw new AppError(403, 'forbiddenExchange')
  const text = await errorWords(ctx.locale, 'integration', 'users', 'administration', 'dynamic-fields', 'requisites')
  const t = await textsIn(ctx.locale)
  async function* chunks() {
    yield csvBeginning +
      csvOf([[t('runs.head.row'), t('runs.head.externalId'), t('runs.head.name'), t('runs.head.error')]])
    for await (const { row, title, input, fault, params } of eachFault(scope, id)) {
      const { column, ...values } = params ?? {}
      const reason = text(fault ?? 'errorUnknown', values)
      const { externalId } = ExchangeRow.parse(input)
      yield csvOf([[String(row), externalId, title, column ? `${column}: ${reason}` : reason]])
    }
  }
  return { name: 'rows-not-exchanged.csv', type: 'text/csv', chunks: chunks() }
}
