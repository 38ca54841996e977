import type { MigrationMeta } from 'drizzle-orm/migrator'
import type pg from 'pg'

type Declared = { name: string; table: string; statement: string }

// with leading comments; without unique indexes: these are constraints, without which a migration must not continue
const createIndex =
  /^(?:\s*--[^\n]*\n)*\s*CREATE INDEX (?:CONCURRENTLY )?(?:IF NOT EXISTS )?("([^"]+)" ON (?:"public"\.)?"([^"]+)" .*?);?\s*$/is
const dropStatement = /^(?:\s*--[^\n]*\n)*\s*DROP (INDEX|TABLE) (?:IF EXISTS )?(?:"public"\.)?"([^"]+)"/i

function declaredBy(statement: string): Declared | undefined {
  const [, definition, name, table] = createIndex.exec(statement) ?? []
  return definition && name && table ? { name, table, statement: `create index concurrently ${definition}` } : undefined
}

/** Returns the indexes that exist after these migrations, with statements that create them concurrently. */
function declaredIndexes(migrations: MigrationMeta[]): Declared[] {
  const declared = new Map<string, Declared>()
  for (const statement of migrations.flatMap(({ sql }) => sql)) {
    const index = declaredBy(statement)
    if (index) declared.set(index.name, index)
    const [, kind, name = ''] = dropStatement.exec(statement) ?? []
    for (const candidate of [...declared.values()])
      if (kind && (kind.toUpperCase() === 'INDEX' ? candidate.name : candidate.table) === name)
        declared.delete(candidate.name)
  }
  return [...declared.values()]
}

/**
 * Removes from the migrations the statements that create an index on an existing table: within the transaction they
 * would block writes to the table. `buildIndexes` creates these indexes afterwards.
 */
export async function withoutIndexes(client: pg.ClientBase, migrations: MigrationMeta[]): Promise<MigrationMeta[]> {
  const { rows } = await client.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public'`,
  )
  const tables = new Set(rows.map(({ name }) => name))
  const isLater = (statement: string) => tables.has(declaredBy(statement)?.table ?? '')
  return migrations.map((migration) => ({
    ...migration,
    sql: migration.sql.filter((statement) => !isLater(statement)),
  }))
}

/**
 * Creates every missing index of these migrations, and recreates those that an interrupted run left invalid. This
 * doesn't block reads or writes; it waits for transactions that began before. Then it analyzes the tables, as
 * PostgreSQL has no statistics of a new index's expressions.
 */
export async function buildIndexes(client: pg.ClientBase, migrations: MigrationMeta[]): Promise<void> {
  const { rows } = await client.query<{ name: string; valid: boolean }>(
    `select c.relname as name, i.indisvalid as valid from pg_index i join pg_class c on c.oid = i.indexrelid
     where c.relnamespace = 'public'::regnamespace`,
  )
  const valid = new Map(rows.map((row) => [row.name, row.valid]))
  const tables = new Set<string>()
  for (const { name, table, statement } of declaredIndexes(migrations)) {
    if (valid.get(name)) continue
    if (valid.has(name)) await client.query(`drop index concurrently public.${client.escapeIdentifier(name)}`)
    await client.query(statement)
    tables.add(table)
  }
  for (const table of tables) await client.query(`analyze public.${client.escapeIdentifier(table)}`)
}
