import { setTimeout as pause } from 'node:timers/promises'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import type pg from 'pg'
import type { Database } from '../client'
import { runMigrations } from '../drizzle-internals'
import { buildIndexes, withoutIndexes } from './indexes'
import { keepVersions } from './versions'

type Log = { warn: (details: object, message: string) => void }

/** PostgreSQL's codes for a lock timeout and a deadlock. */
const inUse = ['55P03', '40P01']

const codeOf = (error: unknown) => {
  const { code, cause } = error as { code?: string; cause?: { code?: string } }
  return code ?? cause?.code ?? ''
}

/** Repeats the work if its tables are in use, after a second and at most 60 times. */
export async function whenFree(log: Log, work: () => Promise<void>) {
  for (let attemptsLeft = 60; ; attemptsLeft--) {
    try {
      return await work()
    } catch (error) {
      if (!inUse.includes(codeOf(error)) || attemptsLeft === 0) throw error
      log.warn({ left: attemptsLeft }, 'a table is in use; the migration tries again')
      await pause(1_000)
    }
  }
}

/**
 * Runs the migrations of a folder. A migration that has to wait for a table releases its locks within a second and
 * tries again, because other requests would wait behind it. Indexes on existing tables are created last, concurrently.
 */
export async function migrateTables(client: pg.Client, database: Database, migrationsFolder: string, log: Log) {
  const migrations = readMigrationFiles({ migrationsFolder })
  // less than the second after which PostgreSQL resolves a deadlock, because it might end a person's request
  await client.query(`set lock_timeout = '800ms'`)
  await whenFree(log, async () => {
    const migrationsNow = await withoutIndexes(client, migrations)
    await runMigrations(database, migrationsNow, migrationsFolder)
  })
  await whenFree(log, () => keepVersions(client))
  // building indexes blocks nobody while it waits
  await client.query('set lock_timeout = 0')
  await whenFree(log, () => buildIndexes(client, migrations))
}
