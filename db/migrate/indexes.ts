import type { MigrationMeta } from 'drizzle-orm/migrator'
import type pg from 'pg'

type Declared = { name: string; table: string; statement: string }

// leading comments; unique ones are constraints, which a migration must not go on without
const creates =
  /^(?:\s*--[^\n]*\n)*\s*CREATE INDEX (?:CONCURRENTLY )?(?:IF NOT EXISTS )?("([^"]+)" ON (?:"public"\.)?"([^"]+)" .*?);?\s*$/is
const drops = /^(?:\s*--[^\n]*\n)*\s*DROP (INDEX|TABLE) (?:IF EXISTS )?(?:"public"\.)?"([^"]+)"/i

function declaredBy(statement: string): Declared | undefined {
  const [, rest, name, table] = creates.exec(statement) ?? []
  return rest && name && table ? { name, table, statement: `create index concurrently ${rest}` } : undefined
}

/** The indexes that stand at the end of these migrations, as statements that make them beside people's work. */
function declaredIndexes(migrations: MigrationMeta[]): Declared[] {
  const declared = new Map<string, Declared>()
  for (const statement of migrations.flatMap(({ sql }) => sql)) {
    const index = declaredBy(statement)
    if (index) declared.set(index.name, index)
    const [, kind, name = ''] = drops.exec(statement) ?? []
    for (const one of [...declared.values()])
      if (kind && (kind.toUpperCase() === 'INDEX' ? one.name : one.table) === name) declared.delete(one.name)
  }
  return [...declared.values()]
}

/**
 * Takes the statements out of the migrations that would make an index on a table that is there: within their
 * transaction nobody could write to it until the index is done. `buildIndexes` makes it afterwards.
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
 * Makes every index of these migrations that is missing, and anew what a broken off attempt has left invalid. Nobody
 * who reads or writes waits for it; it waits for transactions that began before.
 */
export async function buildIndexes(client: pg.ClientBase, migrations: MigrationMeta[]): Promise<void> {
  const { rows } = await client.query<{ name: string; valid: boolean }>(
    `select c.relname as name, i.indisvalid as valid from pg_index i join pg_class c on c.oid = i.indexrelid
     where c.relnamespace = 'public'::regnamespace`,
  )
  const valid = new Map(rows.map((row) => [row.name, row.valid]))
  for (const { name, statement } of declaredIndexes(migrations)) {
    if (valid.get(name)) continue
    if (valid.has(name)) await client.query(`drop index concurrently public.${client.escapeIdentifier(name)}`)
    await client.query(statement)
  }
}
