import { sql } from 'drizzle-orm'
import { db } from '@/db/client'
import { AppError } from '@/lib/base/runtime/errors'
import type { Writing } from './writing'

/** A part of the write of an object. Those of one object run in their order. */
export type Part = { object: string; work: () => Promise<unknown> }

/** Refusals that no later part can change. */
const final: readonly number[] = [403, 503]

/** Runs a part; undoes what it did if it is refused. Returns the refusal. */
async function tried(writing: Writing, { work }: Part): Promise<AppError | null> {
  const run = db()
  const { ids, notes } = writing
  const [known, noted] = [Object.entries(ids).map(([kind, of]) => [kind, new Map(of)] as const), notes.length]
  await run.execute(sql`savepoint configuration_part`)
  try {
    await work()
    await run.execute(sql`release savepoint configuration_part`)
    return null
  } catch (error) {
    if (!(error instanceof AppError) || final.includes(error.status)) throw error
    await run.execute(sql`rollback to savepoint configuration_part`)
    await run.execute(sql`release savepoint configuration_part`)
    Object.assign(ids, Object.fromEntries(known))
    notes.length = noted
    return error
  }
}

/**
 * Runs all parts inside a transaction that takes in others, again and again while some are refused and others are not:
 * an object may need that another one lets go of something first, whatever their order. Throws the first refusal once
 * nothing goes on.
 */
export async function settle(writing: Writing, parts: readonly Part[]): Promise<void> {
  let left = parts
  while (left.length > 0) {
    const waiting: Part[] = []
    const objects = new Set<string>()
    let first: AppError | undefined
    for (const part of left) {
      const refusal = objects.has(part.object) ? null : await tried(writing, part)
      if (!refusal && !objects.has(part.object)) continue
      first ??= refusal ?? undefined
      objects.add(part.object)
      waiting.push(part)
    }
    if (waiting.length === left.length) throw first
    left = waiting
  }
}
