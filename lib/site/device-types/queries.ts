import { asc, sql } from 'drizzle-orm'
import { type Database, db, type Transaction } from '@/db/client'
import { chosen, selectPage, wholeRows } from '@/db/list'
import { localNameColumn } from '@/db/local-name'
import { insertUnlessTaken, rowsById } from '@/db/rows'
import { deviceTypes, domains } from '@/db/schema/platform'
import { found } from '@/db/search'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import type { listDeviceTypes, searchDeviceTypes } from './contract'

type ListInput = ServiceInput<typeof listDeviceTypes>['query']
type SearchInput = ServiceInput<typeof searchDeviceTypes>['query']

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
    wholeRows(deviceTypes),
  )

/** Returns how many domains use each device type, by its id; unused types are missing. */
export async function selectDomainsByType(database: Database | Transaction): Promise<Map<string, number>> {
  const { rows } = await database.execute<{ id: string; count: number }>(
    sql`select named.id, count(*)::int as count
      from ${domains}, jsonb_object_keys(${domains.devicesIdAttributes}) as named (id) group by named.id`,
  )
  return new Map(rows.map(({ id, count }) => [id, count]))
}

/** Inserts a device type, unless another one has its code. */
export const insertDeviceType = insertUnlessTaken(deviceTypes)

export const deviceTypeRows = rowsById(deviceTypes)

/**
 * Returns the device types with a name or code that contains the text (50 at most), or with these ids, sorted by name.
 */
export const selectDeviceTypeOptions = (query: SearchInput, locale: string) => {
  const { id, name, nameEn, code } = deviceTypes
  const by = localNameColumn(deviceTypes, locale)
  return chosen(db().select({ id, name, nameEn, code }).from(deviceTypes).$dynamic(), query, { id, called, by })
}
