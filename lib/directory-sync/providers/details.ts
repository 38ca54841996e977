import { type Database, db, type Transaction } from '@/db/client'
import type { ProviderRow, ProviderSyncRow } from '@/lib/identity-providers/connections/service'
import type { ProviderSync, SyncDetails } from './contract'
import { selectLastRuns, selectMapperCounts, selectRunning, selectSyncs } from './queries'

const seconds = { minutes: 60, hours: 3_600, days: 86_400 }

/** Returns the seconds between scheduled runs; 0 if there are none. */
export const periodOf = ({ periodUnit, periodAmount }: Pick<ProviderSyncRow, 'periodUnit' | 'periodAmount'>): number =>
  periodUnit * seconds[periodAmount]

type Last = Awaited<ReturnType<typeof selectLastRuns>>[number]
type Around = { provider: Pick<ProviderRow, 'enabled'>; last: Last | undefined; mappers: number; running: boolean }

/** Whether a run ended without having done what it should. */
const isFailed = (last: Last | undefined): boolean => last?.state === 'stopped'

/** Whether scheduled runs wait for a person: the last run failed, and nobody has saved the settings since. */
const isHeld = (sync: Pick<ProviderSyncRow, 'updatedAt'>, last: Last | undefined): boolean =>
  isFailed(last) && last !== undefined && sync.updatedAt <= last.updatedAt

/** Returns when the next scheduled run begins; null if there is none (docs/rules/providers.md#schedule). */
export function nextRun(sync: ProviderSyncRow, { provider, last, mappers, running }: Around): Date | null {
  const period = periodOf(sync)
  if (!sync.enabled || !provider.enabled || mappers === 0 || running) return null
  // the first run comes by itself
  if (!last) return sync.updatedAt
  if (period === 0 || isHeld(sync, last)) return null
  return new Date(last.createdAt.getTime() + period * 1_000)
}

function statusOf(sync: ProviderSyncRow, { provider, last, running }: Around): SyncDetails['status'] {
  if (!sync.enabled || !provider.enabled) return 'disabled'
  if (running && last?.state === 'running') return 'process'
  if (!last) return 'await'
  return isFailed(last) ? 'error' : 'success'
}

/** Returns why no run can be started, as the code of an error; null if one can (docs/rules/providers.md#start). */
export function startBarred(sync: ProviderSyncRow, { provider, last, mappers, running }: Around): string | null {
  if (!provider.enabled) return 'syncProviderOff'
  if (!sync.enabled) return 'syncOff'
  if (mappers === 0) return 'syncFieldsMissing'
  if (running) return 'syncRunning'
  return last ? null : 'syncAwait'
}

/** Returns what stands around synchronizations: their provider, last run, enabled mappers, and whether a run works. */
export async function aroundOf(run: Database | Transaction, providers: readonly ProviderRow[]) {
  const syncs = await selectSyncs(
    run,
    providers.map(({ id }) => id),
  )
  const ids = syncs.map(({ id }) => id)
  // one after another: a transaction has one connection
  const last = await selectLastRuns(run, ids)
  const counts = await selectMapperCounts(run, ids)
  const working = await selectRunning(run, ids)
  return syncs.flatMap((sync) => {
    const provider = providers.find(({ id }) => id === sync.providerId)
    if (!provider) return []
    const counted = counts.find(({ syncId }) => syncId === sync.id)
    return [
      {
        sync,
        counted,
        around: {
          provider,
          last: last.find(({ subject }) => subject === sync.id),
          mappers: counted?.enabled ?? 0,
          running: working.some(({ syncId }) => syncId === sync.id),
        },
      },
    ]
  })
}

/** Returns what these directories synchronize, as answers show it, under the directories' ids. */
export async function shownSyncs(providers: readonly ProviderRow[]): Promise<Map<string, ProviderSync[]>> {
  const shown = (await aroundOf(db(), providers)).map(({ sync, counted, around }) => {
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
          held: isHeld(sync, last),
          startBarred: startBarred(sync, around),
        },
        updatedAt: sync.updatedAt.toISOString(),
      },
    }
  })
  const all = new Map<string, ProviderSync[]>()
  for (const { providerId, sync } of shown) all.set(providerId, [...(all.get(providerId) ?? []), sync])
  return all
}
