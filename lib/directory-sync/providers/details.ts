import { type Database, db, type Transaction } from '@/db/client'
import type { ProviderRow, ProviderSyncRow } from '@/lib/identity-providers/connections/service'
import type { ProviderSync, SyncDetails } from './contract'
import { selectLastRuns, selectMapperCounts, selectRunning, selectSyncs } from './queries'

const seconds = { minutes: 60, hours: 3_600, days: 86_400 }

/** Returns the seconds between scheduled runs; 0 if there are none. */
export const periodOf = ({ periodUnit, periodAmount }: Pick<ProviderSyncRow, 'periodUnit' | 'periodAmount'>): number =>
  periodUnit * seconds[periodAmount]

type LastRun = Awaited<ReturnType<typeof selectLastRuns>>[number]
type SyncCircumstances = {
  provider: Pick<ProviderRow, 'enabled'>
  last: LastRun | undefined
  mappers: number
  running: boolean
}

/** Whether the last run was stopped before its end. */
const isFailed = (last: LastRun | undefined): boolean => last?.state === 'stopped'

/** Whether scheduled runs are paused: the last run failed, and nobody has saved the settings since. */
const isPaused = (sync: Pick<ProviderSyncRow, 'updatedAt'>, last: LastRun | undefined): boolean =>
  isFailed(last) && last !== undefined && sync.updatedAt <= last.updatedAt

/** Returns when the next scheduled run begins; null if there is none (docs/rules/providers.md#schedule). */
export function nextRun(sync: ProviderSyncRow, { provider, last, mappers, running }: SyncCircumstances): Date | null {
  const period = periodOf(sync)
  if (!sync.enabled || !provider.enabled || mappers === 0 || running) return null
  // the first run starts without a schedule
  if (!last) return sync.updatedAt
  if (period === 0 || isPaused(sync, last)) return null
  return new Date(last.createdAt.getTime() + period * 1_000)
}

function statusOf(sync: ProviderSyncRow, { provider, last, running }: SyncCircumstances): SyncDetails['status'] {
  if (!sync.enabled || !provider.enabled) return 'disabled'
  if (running && last?.state === 'running') return 'process'
  if (!last) return 'await'
  return isFailed(last) ? 'error' : 'success'
}

/** Returns why a run can't start, as the code of an error; null if it can (docs/rules/providers.md#start). */
export function startRefusal(
  sync: ProviderSyncRow,
  { provider, last, mappers, running }: SyncCircumstances,
): string | null {
  if (!provider.enabled) return 'syncProviderOff'
  if (!sync.enabled) return 'syncOff'
  if (mappers === 0) return 'syncFieldsMissing'
  if (running) return 'syncRunning'
  return last ? null : 'syncAwait'
}

/**
 * Returns synchronizations with their circumstances: provider, last run, number of enabled mappers, and whether a run
 * works.
 */
export async function syncCircumstances(run: Database | Transaction, providers: readonly ProviderRow[]) {
  const syncs = await selectSyncs(
    run,
    providers.map(({ id }) => id),
  )
  const ids = syncs.map(({ id }) => id)
  // one after another: a transaction has one connection
  const last = await selectLastRuns(run, ids)
  const counts = await selectMapperCounts(run, ids)
  const runningSyncs = await selectRunning(run, ids)
  return syncs.flatMap((sync) => {
    const provider = providers.find(({ id }) => id === sync.providerId)
    if (!provider) return []
    const mapperCounts = counts.find(({ syncId }) => syncId === sync.id)
    return [
      {
        sync,
        counted: mapperCounts,
        around: {
          provider,
          last: last.find(({ subject }) => subject === sync.id),
          mappers: mapperCounts?.enabled ?? 0,
          running: runningSyncs.some(({ syncId }) => syncId === sync.id),
        },
      },
    ]
  })
}

/** Returns the synchronizations of these directories as answers show them, by the ids of the directories. */
export async function syncAnswers(providers: readonly ProviderRow[]): Promise<Map<string, ProviderSync[]>> {
  const entries = (await syncCircumstances(db(), providers)).map(({ sync, counted, around }) => {
    const { last } = around
    return {
      providerId: sync.providerId,
      sync: {
        id: sync.id,
        type: sync.type,
        enabled: sync.enabled,
        periodUnit: sync.periodUnit,
        periodAmount: sync.periodAmount,
        syncLimit: sync.syncLimit,
        mappers: counted?.all ?? 0,
        baseMappers: (counted?.base ?? 0) > 0,
        details: {
          status: statusOf(sync, around),
          success: last?.done ?? 0,
          error: last?.failed ?? 0,
          nextAt: nextRun(sync, around)?.toISOString() ?? null,
          createdAt: last?.createdAt.toISOString() ?? null,
          completedAt: last?.finishedAt?.toISOString() ?? null,
          fault: last?.fault ?? null,
          runId: last?.id ?? null,
          held: isPaused(sync, last),
          startBarred: startRefusal(sync, around),
        },
        updatedAt: sync.updatedAt.toISOString(),
      },
    }
  })
  const byProvider = new Map<string, ProviderSync[]>()
  for (const { providerId, sync } of entries) byProvider.set(providerId, [...(byProvider.get(providerId) ?? []), sync])
  return byProvider
}
