import { db } from '@/db/client'
import { type BatchJobRow, lockBatchJob, updateBatchJob } from '@/lib/base/batch-jobs/store'
import type { Directory } from '@/lib/identity-providers/connections/directory'
import { SyncOptions } from './options'
import { confirmRows, dropGone, selectUnconfirmed } from './queries'
import { stopOnDirectoryFailure } from './read-pages'

/** Milliseconds for which a job asks the directory: then it makes room for other jobs. */
const workTime = 3_000
/** How many people are asked for at once. */
const peopleAtOnce = 6

/**
 * Asks the directory for each person who is gone, before any account is disabled: a person who moved from an unread
 * page to a page that was already read was in no page. Returns whether the directory was asked for all of them. Throws
 * BatchStopped for a directory that can't be read (docs/rules/providers.md#people-who-are-gone).
 */
export async function confirmMissing(run: BatchJobRow, directory: Directory, ending?: AbortSignal): Promise<boolean> {
  for (const until = performance.now() + workTime; ; ) {
    const missing = await selectUnconfirmed(run.id, peopleAtOnce)
    if (missing.length === 0) return true
    if (ending?.aborted || performance.now() >= until) return false
    const presence = await stopOnDirectoryFailure(
      Promise.all(missing.map(({ externalId }) => directory.isThere(externalId))),
    )
    const rowsOf = (isPresent: boolean) =>
      missing.flatMap(({ row }, index) => (presence[index] === isPresent ? [row] : []))
    const isRunning = await db().transaction(async (tx) => {
      const locked = await lockBatchJob(tx, run.id)
      if (locked?.state !== 'running') return false
      await confirmRows(tx, run.id, rowsOf(false))
      const missing = SyncOptions.parse(locked.options).gone - (await dropGone(tx, run.id, rowsOf(true)))
      await updateBatchJob(tx, run.id, { options: { gone: missing } })
      return true
    })
    if (!isRunning) return false
  }
}
