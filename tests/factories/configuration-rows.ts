import { sql } from 'drizzle-orm'
import { db } from '@/db/client'
import { definitions, type SettingId } from '@/lib/platform/settings/definitions'
import { left } from './configuration-tables'

type Row = Record<string, unknown>
const id = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g
/** What differs in each instance, also if its configuration is the same. */
const ownOfInstance = ['created_at', 'updated_at', 'secret', 'secrets', 'client_secret', 'actor_id', 'version_at']
/** Places: their order is compared by the export. */
const places = ['order', 'priority']

/**
 * Returns the rows of all configuration tables as text, without ids: each id is replaced by what it stands for. Whoever
 * compares them knows what an export would have to have, without reading one.
 */
export async function configurationRows(): Promise<Record<string, string[]>> {
  const tables: Record<string, Row[]> = {}
  for (const name of Object.keys(left)) {
    const { rows } = await db().execute<{ row: Row }>(sql`select to_jsonb(t) as row from ${sql.identifier(name)} t`)
    tables[name] = rows.map(({ row }) => row)
  }
  // what a file leaves out by intention
  const current = new Map((tables.documents ?? []).map((row) => [row.id, row.version]))
  tables.document_locales = (tables.document_locales ?? []).filter(
    (row) => current.get(row.document_id) === row.version,
  )
  tables.settings = (tables.settings ?? []).filter(
    (row) => JSON.stringify(row.value) !== JSON.stringify(definitions[row.id as SettingId]?.default),
  )
  const known = new Map<string, string>()
  const textOf = (name: string, row: Row) =>
    JSON.stringify(
      Object.fromEntries(
        Object.entries(row)
          .filter(([column]) => column !== 'id' || !String(row.id).match(id))
          .filter(
            ([column]) =>
              ![...ownOfInstance, ...places].includes(column) && !(column === 'version' && name === 'applications'),
          )
          .sort(([one], [other]) => (one < other ? -1 : 1)),
      ),
    ).replace(id, (found) => known.get(found) ?? '#')
  for (let round = 0; round < 3; round++) {
    const next = Object.entries(tables).flatMap(([name, rows]) =>
      rows.map((row): [string, string] => [String(row.id), `${name}:${textOf(name, row).slice(0, 200)}`]),
    )
    known.clear()
    for (const [key, text] of next) if (key.match(id)) known.set(key, text.replaceAll('"', "'").slice(0, 120))
  }
  return Object.fromEntries(
    Object.entries(tables).map(([name, rows]) => [name, rows.map((row) => textOf(name, row)).sort()]),
  )
}
