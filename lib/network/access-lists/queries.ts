import { and, eq, gt, gte, inArray, lt, sql } from 'drizzle-orm'
import { type Database, db, type Transaction } from '@/db/client'
import { addressRefusals, history } from '@/db/schema/operations'
import { accessListEntries, networkAliases, networkAliasIps, settings } from '@/db/schema/platform'

/** One row for each subnet of each enabled entry; an entry that names an alias has one row for each of its subnets. */
export const selectEnabledEntries = (database: Database | Transaction = db()) =>
  database
    .select({
      id: accessListEntries.id,
      list: accessListEntries.list,
      subnet: sql<string>`coalesce(${accessListEntries.ip}, ${networkAliasIps.ip})`,
      alias: networkAliases.name,
      dateFrom: accessListEntries.dateFrom,
      dateTo: accessListEntries.dateTo,
      comment: accessListEntries.comment,
    })
    .from(accessListEntries)
    .leftJoin(networkAliases, eq(networkAliases.id, accessListEntries.aliasId))
    .leftJoin(networkAliasIps, eq(networkAliasIps.aliasId, accessListEntries.aliasId))
    .where(sql`${accessListEntries.enabled} and coalesce(${accessListEntries.ip}, ${networkAliasIps.ip}) is not null`)

/** Returns whether an entry of a list is switched on; undefined if there is none. */
export async function selectEntryState(list: 'whitelist' | 'blacklist', id: string) {
  const [row] = await db()
    .select({ enabled: accessListEntries.enabled })
    .from(accessListEntries)
    .where(and(eq(accessListEntries.list, list), eq(accessListEntries.id, id)))
  return row
}

/** Returns the addresses and subnets of these aliases. */
export async function selectSubnets(tx: Transaction, aliasIds: string[]): Promise<string[]> {
  const rows = await tx
    .select({ ip: networkAliasIps.ip })
    .from(networkAliasIps)
    .where(inArray(networkAliasIps.aliasId, aliasIds))
  return rows.map(({ ip }) => ip)
}

/**
 * Takes the lock under which changes that decide which addresses are allowed run one after another, until the commit.
 */
export const lockRules = (tx: Transaction) => tx.execute(sql`select pg_advisory_xact_lock(hashtext('access-lists'))`)

/** Switches entries off. */
export const disableEntries = (tx: Transaction, ids: string[]) =>
  tx.update(accessListEntries).set({ enabled: false }).where(inArray(accessListEntries.id, ids))

/** Switches whitelistMode off. Its row stays, because the version of the settings is that of their newest row. */
export const switchOffWhitelistMode = (tx: Transaction) =>
  tx.update(settings).set({ value: false }).where(eq(settings.id, 'whitelistMode'))

/**
 * Locks the hour's row, and creates it if there is none. Returns how many addresses have a history row of that hour.
 */
export async function lockHour(tx: Transaction, hour: Date): Promise<number> {
  const [row] = await tx
    .insert(addressRefusals)
    .values({ hour })
    .onConflictDoUpdate({ target: addressRefusals.hour, set: { hour } })
    .returning({ noted: addressRefusals.noted })
  return row?.noted ?? 0
}

/** Returns those of `keys` that have a history row of that hour. */
export async function selectNotedKeys(tx: Transaction, entity: string, keys: string[], hour: Date, end: Date) {
  const rows = await tx
    .select({ key: history.entityId })
    .from(history)
    .where(
      and(eq(history.entity, entity), inArray(history.entityId, keys), gte(history.date, hour), lt(history.date, end)),
    )
  return new Set(rows.map(({ key }) => key))
}

export const addToHour = (tx: Transaction, hour: Date, { noted, others }: { noted: number; others: number }) =>
  tx
    .update(addressRefusals)
    .set({
      noted: sql`${addressRefusals.noted} + ${noted}`,
      others: sql`${addressRefusals.others} + ${others}`,
    })
    .where(eq(addressRefusals.hour, hour))

/** Marks the hours before `end` whose `others` have no history row yet, and returns them: each hour only once. */
export const takeHours = (tx: Transaction, end: Date) =>
  tx
    .update(addressRefusals)
    .set({ told: true })
    .where(and(lt(addressRefusals.hour, end), eq(addressRefusals.told, false), gt(addressRefusals.others, 0)))
    .returning({ hour: addressRefusals.hour, others: addressRefusals.others })

export const removeHours = (tx: Transaction, end: Date) =>
  tx.delete(addressRefusals).where(lt(addressRefusals.hour, end))

/** The rows that `switchEnabled` may switch for one list. */
export const entryRows = (list: 'whitelist' | 'blacklist') => ({
  table: accessListEntries,
  among: eq(accessListEntries.list, list),
})
