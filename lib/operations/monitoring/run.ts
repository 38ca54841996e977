import { setTimeout as pause } from 'node:timers/promises'
import { db } from '@/db/client'
import { dropCached, invalidate } from '@/lib/base/cache/cache'
import { sendLiveEvents } from '@/lib/base/cache/live-events'
import { enqueue } from '@/lib/base/jobs/jobs'
import { log } from '@/lib/base/runtime/log'
import { type Check, checkSources } from '@/lib/base/runtime/monitoring'
import { platformSettings } from '@/lib/site/settings/service'
import { type CheckResult, runChecks } from './look'
import {
  beginTurn,
  type CheckRow,
  endTurn,
  lockChecks,
  selectHolders,
  selectTurn,
  storeResult,
  syncChecks,
} from './queries'
import { nextStanding, unconnectedStanding } from './state'

/**
 * In milliseconds: after `lease`, a turn whose process died is taken over; after `soon`, a doubtful check runs again.
 */
const [lease, soon] = [90_000, 10_000]
/** In milliseconds: calls within `sharedFor` get the result of one turn; `longestWait` is the longest wait for it. */
const [sharedFor, longestWait] = [5_000, 30_000]

/**
 * Returns the checks of all sources, and whether they are complete. The checks of a source that fails stay unchanged.
 */
async function gatherChecks() {
  const checks: Check[] = []
  const failedSources: string[] = []
  for (const [name, source] of checkSources()) {
    try {
      checks.push(...(await source()))
    } catch (error) {
      failedSources.push(name)
      log.warn({ err: error, source: name }, 'checks of a source are unknown')
    }
  }
  // a process that hasn't called compose() has no registered sources, which doesn't mean that there are no checks
  return { checks, whole: failedSources.length === 0 && checkSources().size > 0 }
}

/** Logs the checks whose status changed. */
function logChanges(changes: readonly { row: CheckRow; found: CheckResult }[]) {
  for (const { row, found: result } of changes) {
    const fields = { check: row.key, critical: row.critical, fault: result.error }
    if (result.error) log.error(fields, 'a check is down')
    else log.info(fields, 'a check is up again')
  }
}

/** Stores the results, and the time of the next turn: soon if a status is in doubt. */
async function storeResults(
  results: readonly CheckResult[],
  checks: readonly Check[],
  complete: boolean,
  startedAt: Date,
) {
  const { monitoringPeriod } = await platformSettings()
  const changes: { row: CheckRow; found: CheckResult }[] = []
  await db().transaction(async (tx) => {
    await syncChecks(tx, checks, complete)
    const rows = new Map((await lockChecks(tx)).map((row) => [row.key, row]))
    let doubtful = false
    let visibleChange = false
    for (const result of results) {
      const row = rows.get(result.check.key)
      if (!row) continue
      const standing = result.connected ? nextStanding(row, result.error === null, result.at) : unconnectedStanding
      await storeResult(tx, row, result, standing)
      doubtful ||= standing.doubts > 0
      if (standing.status !== row.status) changes.push({ row, found: result })
      visibleChange ||= standing.status !== row.status || result.stuck > 0 !== row.stuckCount > 0
    }
    const doneAt = new Date()
    const period = monitoringPeriod * 1000
    const nextAt = new Date(startedAt.getTime() + (doubtful ? Math.min(soon, period) : period))
    await endTurn(tx, startedAt, doneAt, nextAt)
    // a single attempt, as the next minute brings another turn
    await enqueue(tx, 'monitoring', {}, { jobKey: 'monitoring', runAt: nextAt, maxAttempts: 1 })
    if (!visibleChange) return
    await invalidate(tx, 'monitoring')
    await sendLiveEvents(tx, 'account-changed', await selectHolders(tx, ['monitoringNotifyAccess']), { within: 0 })
  })
  dropCached('monitoring')
  logChanges(changes)
}

async function runTurn(startedAt: Date) {
  const { checks, whole: complete } = await gatherChecks()
  await storeResults(await runChecks(checks), checks, complete, startedAt)
}

/**
 * Runs all checks if they are due (docs/rules/monitoring.md#turns); of several processes one does it. Never throws: a
 * failed job would be reported as a failure of its own.
 */
export async function runDueChecks(now = new Date()): Promise<void> {
  try {
    // a period that was shortened takes effect at once
    const { monitoringPeriod } = await platformSettings()
    if (await beginTurn(now, lease, new Date(now.getTime() - monitoringPeriod * 1000), true)) await runTurn(now)
  } catch (error) {
    log.warn({ err: error }, 'checks did not run')
  }
}

/** Runs all checks now. Callers during a turn, or right after it, get its result. Throws the errors of the stores. */
export async function checkNow(): Promise<void> {
  const calledAt = new Date()
  if (await beginTurn(calledAt, lease, new Date(calledAt.getTime() - sharedFor))) return runTurn(calledAt)
  const since = calledAt.getTime() - sharedFor
  for (let waitedMs = 0; waitedMs < longestWait; waitedMs += 200) {
    const row = await selectTurn()
    if (row?.doneAt && row.doneAt.getTime() >= since && row.doneAt >= (row.startedAt ?? row.doneAt)) return
    await pause(200)
  }
}
