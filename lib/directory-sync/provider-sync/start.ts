import { db, type Transaction } from '@/db/client'
import { removeBatchJobs, startBatchJob } from '@/lib/base/batch-jobs/batch-jobs'
import { syncKind } from '@/lib/base/batch-jobs/kinds'
import { AppError } from '@/lib/base/runtime/errors'
import { type ProviderRow, type ProviderSyncRow as Sync, tidyCalls } from '@/lib/identity-providers/connections/service'
import { scheduledOrigin } from '@/lib/site/domains/run-context'
import { platformSettings } from '@/lib/site/settings/service'
import { nextRun, startRefusal, syncCircumstances } from '../providers/details'
import type { SyncOptions } from './options'
import { isFormerSync, lockSync, selectScheduled } from './queries'

type LockedSync = { sync: Sync; provider: ProviderRow }
type RunStart = Pick<SyncOptions, 'trigger' | 'dry' | 'starter' | 'actorId' | 'origin'> & { now: Date }

/** Returns the 409 with the reason why a run can't start; its `error` is the same code, for clients of the REST API. */
export const startRefusedError = (code: string) => new AppError(409, code, { error: code })

/** Returns the circumstances of a locked synchronization. */
async function circumstancesOfLocked(tx: Transaction, { sync, provider }: LockedSync) {
  const entry = (await syncCircumstances(tx, [provider])).find((row) => row.sync.id === sync.id)
  if (!entry) throw new Error('a synchronization without its provider')
  return entry.around
}

/** Starts a run of a locked synchronization. Returns its id. Throws 409 syncRunning while another run works. */
export async function startSyncRun(
  tx: Transaction,
  { sync, provider }: LockedSync,
  { now, ...start }: RunStart,
): Promise<string> {
  const options: SyncOptions = {
    ...start,
    syncId: sync.id,
    providerId: provider.id,
    enteredBy: provider.enteredBy,
    phase: 'read',
    cursor: null,
    read: 0,
    pages: 0,
    off: 0,
    known: 0,
    gone: 0,
  }
  try {
    return await startBatchJob(tx, { kind: syncKind, subject: sync.id }, { options, rows: [], now })
  } catch (error) {
    if (error instanceof AppError && error.code === 'runRunning') throw startRefusedError('syncRunning')
    throw error
  }
}

/** Returns why a run or a trial (`dry`) can't start; null if it can (docs/rules/providers.md#start). */
export async function startRefusalNow(tx: Transaction, locked: LockedSync, dry: boolean): Promise<string | null> {
  const circumstances = await circumstancesOfLocked(tx, locked)
  const refusal = startRefusal(locked.sync, circumstances)
  if (!dry) return refusal
  // a trial writes nothing, so neither the provider nor the synchronization has to be enabled
  return circumstances.mappers === 0 ? 'syncFieldsMissing' : circumstances.running ? 'syncRunning' : null
}

/** Starts each run that is due. The next call, a minute later, tries a synchronization again that can't start now. */
export async function startDueSyncs(now: Date): Promise<void> {
  for (const { id } of await selectScheduled())
    await db().transaction(async (tx) => {
      const locked = await lockSync(tx, { providerId: id })
      if (!locked) return
      const circumstances = await circumstancesOfLocked(tx, locked)
      const dueAt = nextRun(locked.sync, circumstances)
      if (!dueAt || dueAt > now) return
      const trigger = circumstances.last ? ('schedule' as const) : ('first' as const)
      const { actorId } = locked.sync
      await startSyncRun(tx, locked, {
        trigger,
        dry: false,
        starter: null,
        actorId,
        origin: await scheduledOrigin(),
        now,
      })
    })
}

const day = 86_400_000

/** Deletes runs and calls of directories that are older than the settings say (docs/rules/providers.md#logs). */
export async function tidySyncs(now: Date): Promise<void> {
  const { providerSyncLogRetention, providerApiLogRetention } = await platformSettings()
  const before = (days: number) => new Date(now.getTime() - days * day)
  await removeBatchJobs(before(providerSyncLogRetention), isFormerSync)
  await tidyCalls(before(providerApiLogRetention))
}
