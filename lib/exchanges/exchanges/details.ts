import { type Database, db, type Transaction } from '@/db/client'
import type { SyncDetails } from '@/lib/directory-sync/providers/contract'
import { periodOf } from '@/lib/directory-sync/providers/details'
import type { IntegrationKey } from '../exchange-journal/keys'
import type { IntegrationSync } from './contract'
import { secretOf } from './exchange'
import { type SyncRow, selectLastRuns } from './queries'

type LastRun = Awaited<ReturnType<typeof selectLastRuns>>[number] | undefined

/** Faults that the next run would have too until a person acts. */
const rightsFaults = ['integrationActor', 'integrationActorRights', 'integrationActorChanged']

/**
 * Whether scheduled runs are paused until a start by hand or a save: a person stopped the last run, or its actor lacks
 * rights. A failure of the other system doesn't pause them (docs/rules/integration.md#schedule).
 */
const isPaused = (sync: Pick<SyncRow, 'updatedAt'>, last: LastRun): boolean =>
  last?.state === 'stopped' &&
  (last.fault === null || rightsFaults.includes(last.fault)) &&
  sync.updatedAt <= last.updatedAt

/** Returns when the next scheduled run begins; null if there is none. */
export function nextRun(sync: SyncRow, last: LastRun): Date | null {
  const period = periodOf(sync)
  if (!sync.enabled || sync.url === '' || period === 0 || last?.state === 'running') return null
  if (!last) return sync.updatedAt
  return isPaused(sync, last) ? null : new Date(last.createdAt.getTime() + period * 1_000)
}

/** Returns why a run can't start, as the code of an error; null if it can. */
export function startRefusal(sync: SyncRow, last: LastRun): string | null {
  if (sync.url === '') return 'integrationUnset'
  if (!sync.enabled) return 'integrationOff'
  return last?.state === 'running' ? 'integrationRunning' : null
}

function statusOf(sync: SyncRow, last: LastRun): SyncDetails['status'] {
  if (!sync.enabled) return 'disabled'
  if (!last) return 'await'
  return last.state === 'running' ? 'process' : last.state === 'done' ? 'success' : 'error'
}

/** Returns the last characters of the secret; empty if no key decrypts it. */
function secretTailOf(sync: SyncRow): string {
  try {
    return secretOf(sync).slice(-4)
  } catch {
    return ''
  }
}

/** Returns the newest run of an exchange; undefined before the first one. */
export const lastRunOf = async (run: Database | Transaction, id: string): Promise<LastRun> =>
  (await selectLastRuns(run, [id]))[0]

/** Returns exchanges as answers show them. */
export async function exchangeAnswers(rows: readonly SyncRow[]): Promise<IntegrationSync[]> {
  const runs = await selectLastRuns(
    db(),
    rows.map(({ id }) => id),
  )
  return rows.map((sync) => {
    const last = runs.find(({ subject }) => subject === sync.id)
    const { id, key, enabled, url, auth, authName, periodUnit, periodAmount, pageSize } = sync
    return {
      ...{ id, enabled, url, auth, authName, periodUnit, periodAmount, pageSize },
      key: key as IntegrationKey,
      secretTail: secretTailOf(sync),
      vouched: sync.enteredBy === null,
      details: {
        status: statusOf(sync, last),
        success: last?.done ?? 0,
        error: last?.failed ?? 0,
        nextAt: nextRun(sync, last)?.toISOString() ?? null,
        createdAt: last?.createdAt.toISOString() ?? null,
        completedAt: last?.finishedAt?.toISOString() ?? null,
        fault: last?.fault ?? null,
        runId: last?.id ?? null,
        held: isPaused(sync, last),
        startBarred: startRefusal(sync, last),
      },
      updatedAt: sync.updatedAt.toISOString(),
    }
  })
}
