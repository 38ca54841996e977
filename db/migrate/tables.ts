import { setTimeout as pause } from 'node:timers/promises'
import { type MigrationMeta, readMigrationFiles } from 'drizzle-orm/migrator'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import type pg from 'pg'
import type * as schema from '../schema'
import { buildIndexes, withoutIndexes } from './indexes'
import { keepVersions } from './versions'

type Log = { warn: (details: object, message: string) => void }
type Database = NodePgDatabase<typeof schema>
/** Drizzle's own way to run migrations; its type tells of nothing but what it reads them from. */
type Runner = {
  dialect: {
    migrate(migrations: MigrationMeta[], session: unknown, config: { migrationsFolder: string }): Promise<void>
  }
  session: unknown
}

/** PostgreSQL's words for a lock that was not to be had in time, and for two who wait for one another. */
const inUse = ['55P03', '40P01']

const codeOf = (error: unknown) => {
  const { code, cause } = error as { code?: string; cause?: { code?: string } }
  return code ?? cause?.code ?? ''
}

/** Does the work again when tables that it needs are in use, a second later and 60 times at most. */
async function whenFree(log: Log, work: () => Promise<void>) {
  for (let left = 60; ; left--) {
    try {
      return await work()
    } catch (error) {
      if (!inUse.includes(codeOf(error)) || left === 0) throw error
      log.warn({ left }, 'a table is in use; the migration tries again')
      await pause(1_000)
    }
  }
}

/**
 * Runs the migrations of a folder. What must wait for a table lets go of it in less than a second and tries again:
 * everybody else would wait behind it. Indexes on tables that are there are made beside people's work, last.
 */
export async function migrateTables(client: pg.Client, database: Database, migrationsFolder: string, log: Log) {
  const migrations = readMigrationFiles({ migrationsFolder })
  const { dialect, session } = database as unknown as Runner
  // less than the second after which PostgreSQL ends one of two who wait for each other: that might be a request
  await client.query(`set lock_timeout = '800ms'`)
  await whenFree(log, async () => {
    const rest = await withoutIndexes(client, migrations)
    await dialect.migrate(rest, session, { migrationsFolder })
  })
  await whenFree(log, () => keepVersions(client))
  // it holds nobody up while it waits
  await client.query('set lock_timeout = 0')
  await whenFree(log, () => buildIndexes(client, migrations))
}
