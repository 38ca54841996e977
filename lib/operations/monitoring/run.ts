import { setTimeout as pause } from 'node:timers/promises'
import { db } from '@/db/client'
import { dropCached, invalidate } from '@/lib/base/cache/cache'
import { sendLiveEvents } from '@/lib/base/cache/live-events'
import { enqueue } from '@/lib/base/jobs/jobs'
import { log } from '@/lib/base/runtime/log'
import { type Check, checkSources } from '@/lib/base/runtime/monitoring'
import { platformSettings } from '@/lib/site/settings/service'
import { type Found, lookAtAll } from './look'
import {
  type CheckRow,
  endTurn,
  lockChecks,
  selectHolders,
  selectTurn,
  storeResult,
  syncChecks,
  takeTurn,
} from './queries'
import { stand, unfailing } from './state'

/** Milliseconds: a turn whose process died is taken over then; how soon a doubtful result is looked at again. */
const [lease, soon] = [90_000, 10_000]
/** Milliseconds in which those who ask get the result of one turn, and how long they wait for it. */
const [shared, patience] = [5_000, 30_000]

/** Returns what is to be checked, and of which kinds it is known. A source that fails keeps its checks as they are. */
async function gather() {
  const checks: Check[] = []
  const failed: string[] = []
  for (const [name, source] of checkSources()) {
    try {
      checks.push(...(await source()))
    } catch (error) {
      failed.push(name)
      log.warn({ err: error, source: name }, 'checks of a source are unknown')
    }
  }
  // a process that has not called compose() has no checks registered, which doesn't mean that there are none
  return { checks, whole: failed.length === 0 && checkSources().size > 0 }
}

/** Logs what has changed. */
function tell(changed: readonly { row: CheckRow; found: Found }[]) {
  for (const { row, found } of changed) {
    const about = { check: row.key, critical: row.critical, fault: found.error }
    if (found.error) log.error(about, 'a check is down')
    else log.info(about, 'a check is up again')
  }
}

/** Stores what was found, and when the next turn is due: soon if something is in doubt. */
async function store(found: readonly Found[], checks: readonly Check[], whole: boolean, startedAt: Date) {
  const { monitoringPeriod } = await platformSettings()
  const changed: { row: CheckRow; found: Found }[] = []
  await db().transaction(async (tx) => {
    await syncChecks(tx, checks, whole)
    const rows = new Map((await lockChecks(tx)).map((row) => [row.key, row]))
    let doubtful = false
    let told = false
    for (const one of found) {
      const row = rows.get(one.check.key)
      if (!row) continue
      const now = one.connected ? stand(row, one.error === null, one.at) : unfailing
      await storeResult(tx, row, one, now)
      doubtful ||= now.doubts > 0
      if (now.status !== row.status) changed.push({ row, found: one })
      told ||= now.status !== row.status || one.stuck > 0 !== row.stuckCount > 0
    }
    const done = new Date()
    const period = monitoringPeriod * 1000
    const nextAt = new Date(startedAt.getTime() + (doubtful ? Math.min(soon, period) : period))
    await endTurn(tx, startedAt, done, nextAt)
    // tried once: the next minute brings another turn anyway
    await enqueue(tx, 'monitoring', {}, { jobKey: 'monitoring', runAt: nextAt, maxAttempts: 1 })
    if (!told) return
    await invalidate(tx, 'monitoring')
    await sendLiveEvents(tx, 'account-changed', await selectHolders(tx, ['monitoringNotifyAccess']), { within: 0 })
  })
  dropCached('monitoring')
  tell(changed)
}

async function turn(startedAt: Date) {
  const { checks, whole } = await gather()
  await store(await lookAtAll(checks), checks, whole, startedAt)
}

/**
 * Checks everything if it is due (docs/rules/monitoring.md#turns); of several processes one does. Never throws: a job
 * that fails would be told as a failure of its own.
 */
export async function runDueChecks(now = new Date()): Promise<void> {
  try {
    // a period that was made shorter counts at once
    const { monitoringPeriod } = await platformSettings()
    if (await takeTurn(now, lease, new Date(now.getTime() - monitoringPeriod * 1000), true)) await turn(now)
  } catch (error) {
    log.warn({ err: error }, 'checks did not run')
  }
}

/** Checks everything now. Those who ask while a turn runs, or right after it, get its result. Throws what stores throw. */
export async function checkNow(): Promise<void> {
  const asked = new Date()
  if (await takeTurn(asked, lease, new Date(asked.getTime() - shared))) return turn(asked)
  const since = asked.getTime() - shared
  for (let waited = 0; waited < patience; waited += 200) {
    const row = await selectTurn()
    if (row?.doneAt && row.doneAt.getTime() >= since && row.doneAt >= (row.startedAt ?? row.doneAt)) return
    await pause(200)
  }
}
