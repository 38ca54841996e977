import { sql } from 'drizzle-orm'
import { db } from '@/db/client'
import { AppError } from '@/lib/base/runtime/errors'
import type { Writing } from './writing'

/** A part of the write of an object. The parts of one object run in their order. */
export type Part = { object: string; work: () => Promise<unknown> }

/** Statuses of refusals that no later part can change. */
const finalStatuses: readonly number[] = [403, 503]

/** Runs a part, and undoes it if it is refused. Returns the refusal. */
async function tryPart(writing: Writing, { work }: Part): Promise<AppError | null> {
  const run = db()
  const { ids, notes } = writing
  const [savedIds, notesBefore] = [
    Object.entries(ids).map(([kind, idByName]) => [kind, new Map(idByName)] as const),
    notes.length,
  ]
  await run.execute(sql`savepoint configuration_part`)
  try {
    await work()
    await run.execute(sql`release savepoint configuration_part`)
    return null
  } catch (error) {
    if (!(error instanceof AppError) || finalStatuses.includes(error.status)) throw error
    await run.execute(sql`rollback to savepoint configuration_part`)
    await run.execute(sql`release savepoint configuration_part`)
    Object.assign(ids, Object.fromEntries(savedIds))
    notes.length = notesBefore
    return error
  }
}

/**
 * Runs all parts inside the caller's transaction. Repeats the refused parts as long as at least one more succeeds: an
 * object may need that another one is changed first, in whatever order the parts are. Throws the first refusal once a
 * round brings no success.
 */
export async function runParts(writing: Writing, parts: readonly Part[]): Promise<void> {
  let pending = parts
  while (pending.length > 0) {
    const refusedParts: Part[] = []
    const refusedObjects = new Set<string>()
    let firstRefusal: AppError | undefined
    for (const part of pending) {
      const refusal = refusedObjects.has(part.object) ? null : await tryPart(writing, part)
      if (!refusal && !refusedObjects.has(part.object)) continue
      firstRefusal ??= refusal ?? undefined
      refusedObjects.add(part.object)
      refusedParts.push(part)
    }
    if (refusedParts.length === pending.length) throw firstRefusal
    pending = refusedParts
  }
}
