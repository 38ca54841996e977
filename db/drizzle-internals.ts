import type { MigrationMeta } from 'drizzle-orm/migrator'

// What the platform reads of Drizzle although its types leave it out. tests/unit/project/library-internals.test.ts fails when an
// upgrade changes it.

export type QueryClient = { query(...args: unknown[]): Promise<unknown> }

/** Returns the connection of a transaction. */
export const connectionOf = (tx: { _: { session: unknown } }) => (tx._.session as { client: QueryClient }).client

type Runner = {
  dialect: {
    migrate(migrations: MigrationMeta[], session: unknown, config: { migrationsFolder: string }): Promise<void>
  }
  session: unknown
}

/** Runs migrations like Drizzle's `migrate`, which only takes a folder. */
export function runMigrations(database: object, migrations: MigrationMeta[], migrationsFolder: string) {
  const { dialect, session } = database as Runner
  return dialect.migrate(migrations, session, { migrationsFolder })
}
