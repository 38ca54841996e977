import { db } from '@/db/client'
import { auditEvent } from '@/lib/base/audit/audit'
import { refusalEntity } from './entity'
import { addToHour, lockHour, removeHours, selectNotedKeys, takeHours } from './queries'

/** The most addresses that get a history row in one hour (docs/rules/address-lists.md#refusals-in-the-history). */
export const maxRowsPerHour = 100

export const hourLength = 3_600_000
/** Milliseconds after the end of an hour by which every process has stored its counts. */
const settlingTime = 5 * 60_000
const retention = 2 * 24 * hourLength

/** A refused address. It is counted under `key`: the address itself, or the /64 of an IPv6 address. */
export type RefusedAddress = { key: string; ip: string; requestId: string; at: Date }

/**
 * Stores what one process refused within an hour: a history row for each address that has none of that hour yet, up to
 * `maxRowsPerHour` rows. Further addresses are added to `others`, the number of requests of addresses without a row.
 * Returns the keys that have a row now, and whether the hour has all its rows.
 */
export const storeRefusals = (hour: Date, refused: readonly RefusedAddress[], others: number) =>
  db().transaction(async (tx) => {
    const rowsBefore = await lockHour(tx, hour)
    const end = new Date(hour.getTime() + hourLength)
    const keys = refused.map(({ key }) => key)
    const recordedKeys =
      keys.length > 0 ? await selectNotedKeys(tx, refusalEntity.name, keys, hour, end) : new Set<string>()
    const newAddresses = refused.filter(({ key }) => !recordedKeys.has(key))
    const recorded = newAddresses.slice(0, Math.max(0, maxRowsPerHour - rowsBefore))
    for (const { key, ip, requestId, at } of recorded)
      await auditEvent(tx, { ip, user: null, requestId, now: () => at }, refusalEntity, key, 'create')
    await addToHour(tx, hour, { noted: recorded.length, others: others + newAddresses.length - recorded.length })
    return {
      keys: [...recordedKeys, ...recorded.map(({ key }) => key)],
      full: rowsBefore + recorded.length >= maxRowsPerHour,
    }
  })

/** Writes one history row for each hour that is over: how many requests of further addresses were refused. */
export const recordRefusals = (now: Date) =>
  db().transaction(async (tx) => {
    for (const { hour, others } of await takeHours(tx, new Date(now.getTime() - hourLength - settlingTime))) {
      const hourEnd = new Date(hour.getTime() + hourLength - 1)
      const ctx = { ip: '', user: null, requestId: '', now: () => hourEnd }
      await auditEvent(tx, ctx, refusalEntity, 'others', 'create', { requests: others })
    }
    await removeHours(tx, new Date(now.getTime() - retention))
  })
