import { db } from '@/db/client'
import { auditEvent } from '@/lib/base/audit/audit'
import { refusalEntity } from './entity'
import { addToHour, lockHour, removeHours, selectNotedKeys, takeHours } from './queries'

/**
 * How many addresses at most get a history row in one hour (docs/rules/address-lists.md#refusals-in-the-history).
 */
export const mostNoted = 100

export const hourLength = 3_600_000
/** By this many milliseconds after the end of an hour every process has stored what it counted. */
const settling = 5 * 60_000
const kept = 2 * 24 * hourLength

/** A refused address. It is counted under `key`: the address itself, or the /64 of an IPv6 address. */
export type Refused = { key: string; ip: string; requestId: string; at: Date }

/**
 * Stores what one process refused within an hour: a history row for each address that has none of that hour yet, up to
 * `mostNoted` rows. Further addresses are added to `others`, the number of requests of addresses without a row. Returns
 * the keys that have a row now, and whether the hour has all its rows.
 */
export const storeRefusals = (hour: Date, refused: readonly Refused[], others: number) =>
  db().transaction(async (tx) => {
    const before = await lockHour(tx, hour)
    const end = new Date(hour.getTime() + hourLength)
    const keys = refused.map(({ key }) => key)
    const known = keys.length > 0 ? await selectNotedKeys(tx, refusalEntity.name, keys, hour, end) : new Set<string>()
    const fresh = refused.filter(({ key }) => !known.has(key))
    const noted = fresh.slice(0, Math.max(0, mostNoted - before))
    for (const { key, ip, requestId, at } of noted)
      await auditEvent(tx, { ip, user: null, requestId, now: () => at }, refusalEntity, key, 'create')
    await addToHour(tx, hour, { noted: noted.length, others: others + fresh.length - noted.length })
    return { keys: [...known, ...noted.map(({ key }) => key)], full: before + noted.length >= mostNoted }
  })

/** Writes one history row for each hour that is over: how many requests of further addresses were refused. */
export const recordRefusals = (now: Date) =>
  db().transaction(async (tx) => {
    for (const { hour, others } of await takeHours(tx, new Date(now.getTime() - hourLength - settling))) {
      const at = new Date(hour.getTime() + hourLength - 1)
      const ctx = { ip: '', user: null, requestId: '', now: () => at }
      await auditEvent(tx, ctx, refusalEntity, 'others', 'create', { requests: others })
    }
    await removeHours(tx, new Date(now.getTime() - kept))
  })
