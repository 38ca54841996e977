import { sql } from 'drizzle-orm'
import { expect, vi } from 'vitest'
import type { Transaction } from '@/db/client'

/** Repeats a check until it passes, for at most 15 s: vitest's own second is too short on a machine that is busy. */
export const eventually = <T>(check: () => T | Promise<T>): Promise<T> => vi.waitFor(check, 15_000)

/** Waits in a transaction that holds locks until another connection to this database waits for one of them. */
export const somebodyWaits = (tx: Transaction): Promise<void> =>
  eventually(async () => {
    // a transaction goes on to see the connections that it saw first
    await tx.execute(sql`select pg_stat_clear_snapshot()`)
    const { rowCount } = await tx.execute(sql`select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`)
    expect(rowCount).toBeGreaterThan(0)
  })
