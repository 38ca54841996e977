import { CallError } from '@/lib/base/http/client'
import type { Decided } from '@/lib/base/runtime/errors'

/** The result for one row: the code of its failure, or null; `decided` if another person decided first. */
export type BulkResult = { id: string; code: string | null; decided?: Decided | undefined }

/** How many rows one call takes, so that progress is visible. */
const perCall = 5

/**
 * Sends the ids in several calls, one after the other. `send` returns the result of each id and throws CallError. A
 * failure of the first call is thrown, because nothing has changed yet; after a later failure the remaining ids get the
 * code `notSent`.
 */
export async function inParts(
  ids: readonly string[],
  send: (part: string[]) => Promise<BulkResult[]>,
  progress: (done: number) => void,
): Promise<BulkResult[]> {
  const results: BulkResult[] = []
  for (let start = 0; start < ids.length; start += perCall) {
    const part = ids.slice(start, start + perCall)
    try {
      results.push(...(await send(part)))
    } catch (error) {
      if (!(error instanceof CallError) || results.length === 0) throw error
      // a call with a single id answers the failure of that id
      const isOwnFailure = part.length === 1 && error.status !== 0
      if (!isOwnFailure) return [...results, ...ids.slice(start).map((id) => ({ id, code: 'notSent' }))]
      results.push({ id: part[0] ?? '', code: error.code, decided: error.data.decided })
    }
    progress(results.length)
  }
  return results
}
