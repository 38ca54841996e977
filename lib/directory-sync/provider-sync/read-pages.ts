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
import { type MappingSource, mapPerson, titleOf } from './values'

/** Milliseconds for which a job begins further pages: then it makes room for other jobs. */
const workTime = 3_000
/** The most pages and people of a directory: one that never ends would fill the database. */
const limits = { pages: 50_000, people: 1_000_000 }

/**
 * Waits for a request to the directory. Throws BatchStopped with the code of the failure if the directory can't be
 * read.
 */
export const stopOnDirectoryFailure = <T>(request: Promise<T>): Promise<T> =>
  request.catch((error: unknown) => {
    throw isDirectoryFailure(error) ? new BatchStopped(error.code) : error
  })

type Reading = MappingSource & {
  directory: Directory
  limit: number
  fields: readonly Definition[]
  ending?: AbortSignal | undefined
}

async function fetchPage({ directory, limit, mappers }: Reading, cursor: string | null): Promise<DirectoryPage> {
  const roles = mappers.some(
    ({ type, before, customAttributes }) => type === 'users-access' && !customAttributes && before === accessSource,
  )
  return stopOnDirectoryFailure(directory.page(cursor, limit, { roles }))
}

/** Stores a page as rows of the run. Returns the new options of the run; null if it was stopped in the meantime. */
const storePage = (id: string, before: SyncOptions, page: DirectoryPage, { fields, ...source }: Reading) =>
  db().transaction(async (tx) => {
    const run = await lockBatchJob(tx, id)
    if (run?.state !== 'running') return null
    const options = SyncOptions.parse(run.options)
    // another worker has already stored this page
    if (options.phase !== 'read' || options.cursor !== before.cursor || options.pages !== before.pages) return options
    const ids = page.people.map(({ externalId }) => externalId)
    const knownIds = await selectPresentExternalIds(tx, id, ids)
    const newPeople = page.people.filter(
      ({ externalId }, index) => !knownIds.has(externalId) && ids.indexOf(externalId) === index,
    )
    const enabledPeople = newPeople.filter(({ enabled }) => enabled)
    const read = options.read + newPeople.length + page.unread
    const pages = options.pages + 1
    // a page without new people that isn't the last one would repeat for ever
    const isEndless = page.next !== null && newPeople.length + page.unread === 0
    if (isEndless || pages > limits.pages || read > limits.people) throw new BatchStopped('syncEndless')
    await addRows(tx, id, [
      ...enabledPeople.map((person) => ({
        title: titleOf(person),
        input: { externalId: person.externalId, ...mapPerson(person, source, fields) },
      })),
      // a person without a readable id can't be written
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
      off: options.off + newPeople.length - enabledPeople.length,
      cursor: page.next,
      phase: page.next === null ? ('write' as const) : ('read' as const),
    }
    await updateBatchJob(tx, id, { options: next })
    return { ...options, ...next }
  })

/**
 * Reads pages of a directory into the rows of a run, for some seconds, from where it stopped. Returns whether the last
 * page was read. Throws BatchStopped for a directory that can't be read, and for one that never ends
 * (docs/rules/providers.md#reading).
 */
export async function readPages(run: BatchJobRow, reading: Reading): Promise<boolean> {
  const until = performance.now() + workTime
  let options: SyncOptions | null = SyncOptions.parse(run.options)
  while (options?.phase === 'read') {
    if (reading.ending?.aborted || performance.now() >= until) return false
    options = await storePage(run.id, options, await fetchPage(reading, options.cursor), reading)
  }
  return true
}
