import { CallError } from '@/lib/base/http/client'
import type { Decided } from '@/lib/base/runtime/errors'

/** What became of one thing: the code of its failure, or null; `decided` if somebody was first. */
export type BulkResult = { id: string; code: string | null; decided?: Decided | undefined }

/** How many things one call takes, so that progress is seen. */
const perCall = 5

/**
 * Does something with many things, a few in each call, one call after the other. `send` returns the result of each and
 * throws CallError. A failure of the first call is thrown, since nothing has happened yet; after a later one the rest
 * is reported as not done (`notSent`).
 */
export async function inParts(
  ids: readonly string[],
  send: (part: string[]) => Promise<BulkResult[]>,
  progress: (done: number) => void,
): Promise<BulkResult[]> {
  const results: BulkResult[] = []
  for (let at = 0; at < ids.length; at += perCall) {
    const part = ids.slice(at, at + perCall)
    try {
      results.push(...(await send(part)))
    } catch (error) {
      if (!(error instanceof CallError) || results.length === 0) throw error
      // a call on a single thing answers its failure as its own
      const own = part.length === 1 && error.status !== 0
      if (!own) return [...results, ...ids.slice(at).map((id) => ({ id, code: 'notSent' }))]
      results.push({ id: part[0] ?? '', code: error.code, decided: error.data.decided })
    }
    progress(results.length)
  }
  return results
}
