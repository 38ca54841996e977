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

/** Milliseconds in which the texts of one call must be drawn together. */
const patience = 60_000
/** How many further calls of somebody wait while one of theirs draws. */
const mostWaiting = 50

type Gate = ReturnType<typeof createConcurrencyLimit>
// one for each process: bundles may contain several copies of this file
const shared = globalThis as typeof globalThis & { platformDrawing?: Map<string, Gate> }
shared.platformDrawing ??= new Map()
const gates = shared.platformDrawing

/**
 * Draws texts that aren't among those that are known, one after another. Of each caller one call draws at a time, so
 * that the texts of others have their turn after each of theirs. Returns them with those that were known. Throws 400
 * errorTooTangled at the field of the first that can't be drawn, or not in time with those before it, and 503 when
 * too many wait.
 */
export async function drawTexts(
  ctx: Ctx,
  texts: readonly { format: Format; content: string; field: string }[],
  known: DrawnTexts,
): Promise<DrawnTexts> {
  const drawn = new Map(known)
  if (texts.every(({ format, content }) => drawn.has(drawnKey(format, content)))) return drawn
  const caller = callerId(ctx)
  const gate = gates.get(caller) ?? createConcurrencyLimit(() => 1, mostWaiting)
  gates.set(caller, gate)
  try {
    return await gate(async () => {
      const end = performance.now() + patience
      for (const { format, content, field } of texts) {
        const key = drawnKey(format, content)
        if (drawn.has(key)) continue
        const got: DrawnMarkup = performance.now() < end ? await drawMarkup(content, format) : { fault: 'late' }
        if (!('html' in got)) throw fieldError(field, 'errorTooTangled')
        drawn.set(key, got.html)
      }
      return drawn
    })
  } finally {
    const { running, waiting } = gate.load()
    if (running + waiting === 0) gates.delete(caller)
  }
}
