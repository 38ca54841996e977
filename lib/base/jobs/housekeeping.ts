import { gte, sql } from 'drizzle-orm'
import { db } from '@/db/client'
import { housekeepingSteps } from '@/db/schema/operations'
import { log } from '../runtime/log'

/** Housekeeping steps by name. Metrics use the names, so names never change. */
export type HousekeepingSteps = Record<string, (now: Date) => Promise<unknown>>

async function storeOutcome(name: string, succeeded: boolean) {
  const now = sql`now()`
  const values = succeeded ? { doneAt: now } : { failedAt: now, failures: sql`${housekeepingSteps.failures} + 1` }
  await db()
    .insert(housekeepingSteps)
    .values({ name, ...(succeeded ? { doneAt: now } : { failedAt: now, failures: 1 }) })
    .onConflictDoUpdate({ target: housekeepingSteps.name, set: values })
}

async function stepsDoneSince(since: Date): Promise<Set<string>> {
  const rows = await db()
    .select({ name: housekeepingSteps.name })
    .from(housekeepingSteps)
    .where(gte(housekeepingSteps.doneAt, since))
  return new Set(rows.map(({ name }) => name))
}

/**
 * Runs every step, even if others fail. Logs and counts each failure by name. Skips steps that have succeeded since
 * `since`, so that a second try repeats only the failed ones. Throws at the end if any step failed.
 */
export async function runHousekeeping(steps: HousekeepingSteps, since: Date | null): Promise<void> {
  const doneSteps = since ? await stepsDoneSince(since) : new Set<string>()
  const failedSteps: string[] = []
  for (const [name, step] of Object.entries(steps)) {
    if (doneSteps.has(name)) continue
    try {
      await step(new Date())
      await storeOutcome(name, true)
    } catch (error) {
      failedSteps.push(name)
      log.error({ err: error, step: name }, 'a step of housekeeping failed')
      await storeOutcome(name, false).catch((storeError: unknown) =>
        log.error({ err: storeError, step: name }, 'a failed step of housekeeping was not counted'),
      )
    }
  }
  if (failedSteps.length > 0) throw new Error(`steps of housekeeping failed: ${failedSteps.join(', ')}`)
}
