import { db } from '@/db/client'
import { type BatchJobRow, lockBatchJob, updateBatchJob } from '@/lib/base/batch-jobs/store'
import type { Directory } from '@/lib/identity-providers/connections/directory'
import { SyncOptions } from './options'
import { confirmRows, dropGone, selectUnconfirmed } from './queries'
import { orStop } from './read-pages'

/** Milliseconds for which a job asks: others wait for its place. */
const slice = 3_000
/** How many people are asked for at once. */
const atOnce = 6

/**
 * Asks the directory for each person who is gone, before anybody is disabled: somebody who moved from a page that was
 * still to come to one that was read already is in no page. Returns whether all were asked for. Throws RunStopped for a
 * directory that can't be read (docs/rules/providers.md#people-who-are-gone).
 */
export async function confirmMissing(run: BatchJobRow, directory: Directory, ending?: AbortSignal): Promise<boolean> {
  for (const until = performance.now() + slice; ; ) {
    const asked = await selectUnconfirmed(run.id, atOnce)
    if (asked.length === 0) return true
    if (ending?.aborted || performance.now() >= until) return false
    const there = await orStop(Promise.all(asked.map(({ externalId }) => directory.isThere(externalId))))
    const rowsOf = (wanted: boolean) => asked.flatMap(({ row }, at) => (there[at] === wanted ? [row] : []))
    const goesOn = await db().transaction(async (tx) => {
      const locked = await lockBatchJob(tx, run.id)
      if (locked?.state !== 'running') return false
      await confirmRows(tx, run.id, rowsOf(false))
      const gone = SyncOptions.parse(locked.options).gone - (await dropGone(tx, run.id, rowsOf(true)))
      await updateBatchJob(tx, run.id, { options: { gone } })
      return true
    })
    if (!goesOn) return false
  }
}
