import { gte, sql } from 'drizzle-orm'
import { db } from '@/db/client'
import { housekeepingSteps } from '@/db/schema/operations'
import { log } from './log'

/** What is done, by a name that stays: metrics count under it. */
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
 * Runs every step, whatever becomes of the others; a failure is logged with the step's name and counted. Steps that
 * were done since `since` are left out: a second try repeats only what failed. Throws at the end if any failed.
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
