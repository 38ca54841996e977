import { db, type Transaction } from '@/db/client'
import { removeBatchJobs, startBatchJob } from '@/lib/base/batch-jobs/batch-jobs'
import { syncKind } from '@/lib/base/batch-jobs/kinds'
import { AppError } from '@/lib/base/runtime/errors'
import { type ProviderRow, type ProviderSyncRow as Sync, tidyCalls } from '@/lib/identity-providers/connections/service'
import { scheduledOrigin } from '@/lib/site/domains/run-context'
import { platformSettings } from '@/lib/site/settings/service'
import { aroundOf, nextRun, startBarred } from '../providers/details'
import type { SyncOptions } from './options'
import { isFormerSync, lockSync, selectScheduled } from './queries'

type Locked = { sync: Sync; provider: ProviderRow }
type Begin = Pick<SyncOptions, 'trigger' | 'dry' | 'starter' | 'actorId' | 'origin'> & { now: Date }

/** The 409 that says why no run can be started; its `error` is the same code, for clients of the REST API. */
export const barredError = (code: string) => new AppError(409, code, { error: code })

/** Returns what stands around a locked synchronization. */
async function aroundLocked(tx: Transaction, { sync, provider }: Locked) {
  const found = (await aroundOf(tx, [provider])).find((each) => each.sync.id === sync.id)
  if (!found) throw new Error('a synchronization without its provider')
  return found.around
}

/** Starts a run of a locked synchronization. Returns its id. Throws 409 syncRunning while another one works. */
export async function begin(tx: Transaction, { sync, provider }: Locked, { now, ...of }: Begin): Promise<string> {
  const options: SyncOptions = {
    ...of,
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
    if (error instanceof AppError && error.code === 'runRunning') throw barredError('syncRunning')
    throw error
  }
}

/** Returns why a run can't be started, with or without writing; null if it can (docs/rules/providers.md#start). */
export async function barredNow(tx: Transaction, locked: Locked, dry: boolean): Promise<string | null> {
  const around = await aroundLocked(tx, locked)
  const barred = startBarred(locked.sync, around)
  if (!dry) return barred
  // a trial writes nothing, so it needs neither switch
  return around.mappers === 0 ? 'syncFieldsMissing' : around.running ? 'syncRunning' : null
}

/** Starts each run that is due. A synchronization that can't be started is looked at again a minute later. */
export async function startDueSyncs(now: Date): Promise<void> {
  for (const { id } of await selectScheduled())
    await db().transaction(async (tx) => {
      const locked = await lockSync(tx, { providerId: id })
      if (!locked) return
      const around = await aroundLocked(tx, locked)
      const due = nextRun(locked.sync, around)
      if (!due || due > now) return
      const trigger = around.last ? ('schedule' as const) : ('first' as const)
      const { actorId } = locked.sync
      await begin(tx, locked, { trigger, dry: false, starter: null, actorId, origin: await scheduledOrigin(), now })
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
