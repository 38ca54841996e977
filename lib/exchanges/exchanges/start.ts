import { db, type Transaction } from '@/db/client'
import { removeBatchJobs, startBatchJob } from '@/lib/base/batch-jobs/batch-jobs'
import { integrationKind } from '@/lib/base/batch-jobs/kinds'
import { AppError } from '@/lib/base/runtime/errors'
import { scheduledOrigin } from '@/lib/site/domains/run-context'
import { platformSettings } from '@/lib/site/settings/service'
import { tidyJournal } from '../exchange-journal/service'
import { lastRunOf, nextRun } from './details'
import type { ExchangeOptions } from './options'
import { isFormerExchange, type SyncRow, selectScheduled, syncRows } from './queries'

type RunStart = Pick<ExchangeOptions, 'trigger' | 'starter' | 'actorId' | 'origin'> & { now: Date }

/** Starts a run of a locked exchange. Returns its id. Throws 409 integrationRunning while another run works. */
export async function startExchangeRun(tx: Transaction, sync: SyncRow, { now, ...start }: RunStart): Promise<string> {
  const { id: syncId, enteredBy } = sync
  const options: ExchangeOptions = { ...start, syncId, enteredBy, phase: 'pages', cursor: null, pages: 0 }
  try {
    return await startBatchJob(tx, { kind: integrationKind, subject: sync.id }, { options, rows: [], now })
  } catch (error) {
    if (error instanceof AppError && error.code === 'runRunning') throw new AppError(409, 'integrationRunning')
    throw error
  }
}

/** Starts each run that is due (docs/rules/integration.md#schedule). */
export async function startDueExchanges(now: Date): Promise<void> {
  for (const { id } of await selectScheduled())
    await db().transaction(async (tx) => {
      const sync = await syncRows.lock(tx, id)
      const dueAt = sync ? nextRun(sync, await lastRunOf(tx, id)) : null
      if (!sync || !dueAt || dueAt > now) return
      const { actorId } = sync
      await startExchangeRun(tx, sync, {
        trigger: 'schedule',
        starter: null,
        actorId,
        origin: await scheduledOrigin(),
        now,
      })
    })
}

const day = 86_400_000

/** Deletes runs and records of the journal that are older than the settings say (docs/rules/integration.md#journal). */
export async function tidyIntegration(now: Date): Promise<void> {
  const { integrationLogRetention, integrationJournalRetention } = await platformSettings()
  const before = (days: number) => new Date(now.getTime() - days * day)
  await removeBatchJobs(before(integrationLogRetention), isFormerExchange)
  await tidyJournal(now, before(integrationJournalRetention))
}
