import { callerId } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import { type DrawnMarkup, drawMarkup } from '@/lib/base/markup/markup'
import { createConcurrencyLimit } from '@/lib/base/runtime/concurrency-limit'
import { fieldError } from '@/lib/base/runtime/errors'

type Format = 'md' | 'html'
/** Texts with their HTML, by their format and content. */
export type DrawnTexts = ReadonlyMap<string, string>
/** The key of a text among drawn ones. */
export const drawnKey = (format: Format, content: string) => `${format} ${content}`

/** The timeout for drawing all texts of one call, in milliseconds. */
const timeout = 60_000
/** The largest number of a caller's calls that wait while one of them draws. */
const mostWaiting = 50

type Limit = ReturnType<typeof createConcurrencyLimit>
// one for each process: bundles may contain several copies of this file
const shared = globalThis as typeof globalThis & { platformDrawing?: Map<string, Limit> }
shared.platformDrawing ??= new Map()
const limits = shared.platformDrawing

/**
 * Draws the texts that aren't in `known`, one after another. Only one call of each caller draws at a time, so that
 * other callers get their turn between its calls. Returns the drawn texts with the known ones. Throws 400
 * errorTooTangled at the field of the first text that can't be drawn or isn't drawn in time, and 503 when too many
 * calls wait.
 */
export async function drawTexts(
  ctx: Ctx,
  texts: readonly { format: Format; content: string; field: string }[],
  known: DrawnTexts,
): Promise<DrawnTexts> {
  const drawn = new Map(known)
  if (texts.every(({ format, content }) => drawn.has(drawnKey(format, content)))) return drawn
  const caller = callerId(ctx)
  const limit = limits.get(caller) ?? createConcurrencyLimit(() => 1, mostWaiting)
  limits.set(caller, limit)
  try {
    return await limit(async () => {
      const deadline = performance.now() + timeout
      for (const { format, content, field } of texts) {
        const key = drawnKey(format, content)
        if (drawn.has(key)) continue
        const result: DrawnMarkup = performance.now() < deadline ? await drawMarkup(content, format) : { fault: 'late' }
        if (!('html' in result)) throw fieldError(field, 'errorTooTangled')
        drawn.set(key, result.html)
      }
      return drawn
    })
  } finally {
    const { running, waiting } = limit.load()
    if (running + waiting === 0) limits.delete(caller)
  }
}
