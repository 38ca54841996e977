import { asc, eq, sql } from 'drizzle-orm'
import { type Database, db, type Transaction } from '@/db/client'
import { chosen, countRows, paged, selectPage } from '@/db/list'
import { localNameColumn } from '@/db/local-name'
import { deviceTypes, domains } from '@/db/schema/platform'
import { found } from '@/db/search'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import type { listDeviceTypes, searchDeviceTypes } from './contract'

type ListInput = ServiceInput<typeof listDeviceTypes>['query']
type SearchInput = ServiceInput<typeof searchDeviceTypes>['query']
type Values = { name: string; nameEn: string | null; code: string }

export const selectDeviceTypes = () =>
  db()
    .select({ id: deviceTypes.id, code: deviceTypes.code, name: deviceTypes.name, nameEn: deviceTypes.nameEn })
    .from(deviceTypes)
    .orderBy(asc(deviceTypes.name), asc(deviceTypes.id))

const called = (text: string) => found(text, [deviceTypes.name, deviceTypes.nameEn, deviceTypes.code])

/** Returns one page of device types; names are sorted in the language of `locale`. */
export const selectDeviceTypePage = (query: ListInput, pageSize: number | null, locale: string) =>
  selectPage(
    query,
    pageSize,
    {
      sorts: { name: localNameColumn(deviceTypes, locale), code: deviceTypes.code, updatedAt: deviceTypes.updatedAt },
      tie: deviceTypes.id,
      filters: { search: called },
    },
    {
      rows: (parts) => paged(db().select().from(deviceTypes).$dynamic(), parts),
      count: (where) => countRows(deviceTypes, where),
    },
  )

/** Returns how many domains use each device type, by its id; unused types are missing. */
export async function selectDomainsByType(database: Database | Transaction): Promise<Map<string, number>> {
  const { rows } = await database.execute<{ id: string; count: number }>(
    sql`select named.id, count(*)::int as count
      from ${domains}, jsonb_object_keys(${domains.devicesIdAttributes}) as named (id) group by named.id`,
  )
  return new Map(rows.map(({ id, count }) => [id, count]))
}

/** Inserts a device type. Returns its id and code; undefined if another one has the code. */
export async function insertDeviceType(tx: Transaction, values: Values, createdAt: Date) {
  const [row] = await tx
    .insert(deviceTypes)
    .values({ ...values, createdAt })
    .onConflictDoNothing({ target: deviceTypes.code })
    .returning({ id: deviceTypes.id, code: deviceTypes.code })
  return row
}

/** Locks a device type for a change; undefined if there is none. */
export async function lockDeviceType(tx: Transaction, id: string) {
  const [row] = await tx.select().from(deviceTypes).where(eq(deviceTypes.id, id)).for('update')
  return row
}

export const storeDeviceType = (tx: Transaction, id: string, values: Values) =>
  tx.update(deviceTypes).set(values).where(eq(deviceTypes.id, id))

export const removeDeviceType = (tx: Transaction, id: string) => tx.delete(deviceTypes).where(eq(deviceTypes.id, id))

/**
 * Returns the device types with a name or code that contains the text (50 at most), or with these ids, sorted by name.
 */
export const selectDeviceTypeOptions = (query: SearchInput, locale: string) => {
  const { id, name, nameEn, code } = deviceTypes
  const by = localNameColumn(deviceTypes, locale)
  return chosen(db().select({ id, name, nameEn, code }).from(deviceTypes).$dynamic(), query, { id, called, by })
}
