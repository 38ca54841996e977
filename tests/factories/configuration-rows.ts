import { isDeepStrictEqual } from 'node:util'
import { sql } from 'drizzle-orm'
import { db } from '@/db/client'
import { definitions, type SettingId } from '@/lib/site/settings/definitions'
import { leftOut } from './configuration-tables'

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
  for (const name of Object.keys(leftOut)) {
    const { rows } = await db().execute<{ row: Row }>(sql`select to_jsonb(t) as row from ${sql.identifier(name)} t`)
    tables[name] = rows.map(({ row }) => row)
  }
  // what a file leaves out by intention
  const current = new Map((tables.documents ?? []).map((row) => [row.id, row.version]))
  tables.document_locales = (tables.document_locales ?? []).filter(
    (row) => current.get(row.document_id) === row.version,
  )
  const byDefault = (tables.roles ?? []).find(({ code }) => code === 'user')?.id
  tables.settings = (tables.settings ?? []).filter(
    ({ id: setting, value }) =>
      !isDeepStrictEqual(value, setting === 'defaultUserRole' ? byDefault : definitions[setting as SettingId]?.default),
  )
  // a text of a domain that its language got later is nobody's any more
  const ofLanguage = new Set(
    (tables.locale_texts ?? []).map((row) => JSON.stringify([row.locale_id, row.key, row.text])),
  )
  tables.domain_texts = (tables.domain_texts ?? []).filter(
    (row) => !ofLanguage.has(JSON.stringify([row.locale_id, row.key, row.text])),
  )
  const seenRows = new Set<string>()
  tables.access_list_entries = (tables.access_list_entries ?? [])
    .sort(
      (one, other) =>
        Number(other.enabled) - Number(one.enabled) || (String(one.created_at) < String(other.created_at) ? -1 : 1),
    )
    .filter((row) => {
      const rowText = JSON.stringify([row.list, row.ip, row.alias_id, row.date_from, row.date_to])
      return seenRows.size < seenRows.add(rowText).size
    })
  const nameOfId = new Map<string, string>()
  const named = (text: string) => text.replace(id, (uuid) => nameOfId.get(uuid) ?? '#')
  /** A value with names in place of ids, and its members in one order. */
  const plain = (value: unknown): unknown => {
    if (typeof value === 'string') return named(value)
    // orders that mean something are compared by the export
    if (Array.isArray(value))
      return value.map(plain).sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1))
    if (typeof value !== 'object' || value === null) return value
    const members = Object.entries(value).map(([member, inner]): [string, unknown] => [named(member), plain(inner)])
    return Object.fromEntries(members.sort(([one], [other]) => (one < other ? -1 : 1)))
  }
  const skipped = [...ownOfInstance, ...places]
  const textOf = (name: string, row: Row) => {
    const columns = Object.entries(row)
      .filter(([column]) => column !== 'id' || !String(row.id).match(id))
      .filter(([column]) => !skipped.includes(column) && !(column === 'version' && name === 'applications'))
    return JSON.stringify(plain(Object.fromEntries(columns)))
  }
  for (let round = 0; round < 3; round++) {
    const next = Object.entries(tables).flatMap(([name, rows]) =>
      rows.map((row): [string, string] => [String(row.id), `${name}:${textOf(name, row).slice(0, 200)}`]),
    )
    nameOfId.clear()
    for (const [key, text] of next) if (key.match(id)) nameOfId.set(key, text.replaceAll('"', "'").slice(0, 120))
  }
  return Object.fromEntries(
    Object.entries(tables).map(([name, rows]) => [name, rows.map((row) => textOf(name, row)).sort()]),
  )
}
