import { gte, sql } from 'drizzle-orm'
import { db } from '@/db/client'
import { housekeepingSteps } from '@/db/schema/operations'
import { log } from '../runtime/log'

/** Housekeeping steps by name. Metrics use the names, so names never change. */
export type HousekeepingSteps = Record<string, (now: Date) => Promise<unknown>>

async function note(name: string, done: boolean) {
  const at = sql`now()`
  const values = done ? { doneAt: at } : { failedAt: at, failures: sql`${housekeepingSteps.failures} + 1` }
  await db()
    .insert(housekeepingSteps)
    .values({ name, ...(done ? { doneAt: at } : { failedAt: at, failures: 1 }) })
    .onConflictDoUpdate({ target: housekeepingSteps.name, set: values })
}

async function doneSince(since: Date): Promise<Set<string>> {
  const rows = await db()
    .select({ name: housekeepingSteps.name })
    .from(housekeepingSteps)
    .where(gte(housekeepingSteps.doneAt, since))
  return new Set(rows.map(({ name }) => name))
}

/**
 * Runs every step, even when others fail. Logs and counts each failure by name. Skips steps that have succeeded since
 * `since`, so that a second try repeats only what failed. Throws at the end if any step failed.
 */
export async function runHousekeeping(steps: HousekeepingSteps, since: Date | null): Promise<void> {
  const done = since ? await doneSince(since) : new Set<string>()
  const failed: string[] = []
  for (const [name, step] of Object.entries(steps)) {
    if (done.has(name)) continue
    try {
      await step(new Date())
      await note(name, true)
    } catch (error) {
      failed.push(name)
      log.error({ err: error, step: name }, 'a step of housekeeping failed')
      await note(name, false).catch((fault: unknown) =>
        log.error({ err: fault, step: name }, 'a failed step of housekeeping was not counted'),
      )
    }
  }
  if (failed.length > 0) throw new Error(`steps of housekeeping failed: ${failed.join(', ')}`)
}
