import { db } from '@/db/client'
import { BatchStopped } from '@/lib/base/batch-jobs/process-rows'
import {
  addRows,
  type BatchJobRow,
  lockBatchJob,
  selectPresentExternalIds,
  updateBatchJob,
} from '@/lib/base/batch-jobs/store'
import type { Definition } from '@/lib/fields/values/definition'
import { type Directory, type DirectoryPage, isDirectoryFailure } from '@/lib/identity-providers/connections/directory'
import { accessSource } from '@/lib/identity-providers/connections/kinds'
import { SyncOptions } from './options'
import { mapped, type Source, titleOf } from './values'

/** Milliseconds for which a job begins further pages: others wait for its place. */
const slice = 3_000
/** How many pages and people a directory may have: one that never ends would fill the database. */
const most = { pages: 50_000, people: 1_000_000 }

/** Stops the run with the code of the check if the directory can't be read. */
export const orStop = <T>(asked: Promise<T>): Promise<T> =>
  asked.catch((error: unknown) => {
    throw isDirectoryFailure(error) ? new BatchStopped(error.code) : error
  })

type Reading = Source & {
  directory: Directory
  limit: number
  fields: readonly Definition[]
  ending?: AbortSignal | undefined
}

async function pageOf({ directory, limit, mappers }: Reading, cursor: string | null): Promise<DirectoryPage> {
  const roles = mappers.some(
    ({ type, before, customAttributes }) => type === 'users-access' && !customAttributes && before === accessSource,
  )
  return orStop(directory.page(cursor, limit, { roles }))
}

/** Stores a page as rows of the run. Returns what the run says of itself afterwards, null if it stopped meanwhile. */
const keep = (id: string, before: SyncOptions, page: DirectoryPage, { fields, ...source }: Reading) =>
  db().transaction(async (tx) => {
    const run = await lockBatchJob(tx, id)
    if (run?.state !== 'running') return null
    const options = SyncOptions.parse(run.options)
    // another worker has read it
    if (options.phase !== 'read' || options.cursor !== before.cursor || options.pages !== before.pages) return options
    const ids = page.people.map(({ externalId }) => externalId)
    const seen = await selectPresentExternalIds(tx, id, ids)
    const fresh = page.people.filter(({ externalId }, at) => !seen.has(externalId) && ids.indexOf(externalId) === at)
    const on = fresh.filter(({ enabled }) => enabled)
    const read = options.read + fresh.length + page.unread
    const pages = options.pages + 1
    // a page of people who were there before comes again and again
    const endless = page.next !== null && fresh.length + page.unread === 0
    if (endless || pages > most.pages || read > most.people) throw new BatchStopped('syncEndless')
    await addRows(tx, id, [
      ...on.map((person) => ({
        title: titleOf(person),
        input: { externalId: person.externalId, ...mapped(person, source, fields) },
      })),
      // who it is can't be read, so nobody is written
      ...Array.from({ length: page.unread }, () => ({
        title: '—',
        input: { externalId: '' },
        state: 'failed' as const,
        fault: 'syncPerson',
      })),
    ])
    const next = {
      read,
      pages,
      off: options.off + fresh.length - on.length,
      cursor: page.next,
      phase: page.next === null ? ('write' as const) : ('read' as const),
    }
    await updateBatchJob(tx, id, { options: next })
    return { ...options, ...next }
  })

/**
 * Reads pages of a directory into the rows of a run, for some seconds, from where it stopped. Returns whether the last
 * page was read. Throws RunStopped for a directory that can't be read, and for one that never ends
 * (docs/rules/providers.md#reading).
 */
export async function readPages(run: BatchJobRow, reading: Reading): Promise<boolean> {
  const until = performance.now() + slice
  let options: SyncOptions | null = SyncOptions.parse(run.options)
  while (options?.phase === 'read') {
    if (reading.ending?.aborted || performance.now() >= until) return false
    options = await keep(run.id, options, await pageOf(reading, options.cursor), reading)
  }
  return true
}
