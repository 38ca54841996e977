import { sql } from 'drizzle-orm'
import type { Database, Transaction } from '@/db/client'
import { isInsideTransaction, isJoined, onOwnConnection } from '@/db/scope'
import { type Derivation, derivations } from '../runtime/derivation'
import { type Channel, closeListening, isListening, onNotification } from './notifications'

/** `until` is on the monotonic clock, which nobody can set back; `there` is true once the value has been loaded. */
type Entry = Derivation & { key: string; value: Promise<unknown>; bytes: number; there?: true }
/** The entries, least recently read first, and the sum of their bytes. */
type Cache = { entries: Map<string, Entry>; bytes: number; tidiedAt: number }

// one cache for each process: bundles may contain several copies of this file
const shared = globalThis as typeof globalThis & {
  platformCache?: Cache
  platformCacheHooks?: Map<string, () => void>
}
shared.platformCache ??= { entries: new Map(), bytes: 0, tidiedAt: 0 }
shared.platformCacheHooks ??= new Map()
const { platformCache: cache, platformCacheHooks: hooks } = shared
const { entries } = cache

/** Sets the function that this process calls when any process has invalidated `name`; a later one replaces it. */
export const onInvalidated = (name: string, hook: () => void) => hooks.set(name, hook)

const channel: Channel = 'platform_cache'
onNotification(channel, {
  onPayload(name) {
    dropCached(name)
    hooks.get(name)?.()
  },
  onGap: () => dropAllCached(),
})

/**
 * Milliseconds for which a value is cached while invalidations arrive, and while they may not arrive. Changes that
 * invalidate nothing, such as an UPDATE in psql or a restored dump, are seen after the first of these times at the
 * latest.
 */
const ageWhileListening = 30_000
const ageWithoutListening = 1_000

/** The most values of a process's cache, and the most bytes that they may have. */
const limits = { entries: 5_000, bytes: 64 * 1024 ** 2 }

/**
 * Makes the value that is being made expire no later than one that it read; otherwise their ages would add up.
 */
function limitAgeOfWhole(part: Entry) {
  const whole = derivations.getStore()
  if (!whole) return
  if (part.until < whole.until) whole.until = part.until
  whole.uses?.(part)
}

const isCachedNow = (entry: Entry) => entries.get(entry.key) === entry && entry.until > performance.now()

const endOfAge = (maxAge = ageWhileListening) =>
  performance.now() + Math.min(maxAge, isListening() ? ageWhileListening : ageWithoutListening)

/** A result of `derive`. */
export type Derived<T> = {
  value: T
  /** Whether all cached values that it was made of are those that `cached` still returns. */
  isCurrent: () => boolean
  /** Whether it was also made of what no cache has, so that nothing says when it changes. */
  readsStores: boolean
}

/**
 * Runs work whose result is stored outside this cache: a part that `cached` no longer returns makes the whole out of date
 * in the same moment, and its age is that of its oldest part.
 */
export async function derive<T>(work: () => Promise<T>): Promise<Derived<T>> {
  const parts = new Set<Entry>()
  const whole: Derivation = { until: endOfAge(), uses: (part) => parts.add(part as Entry) }
  const value = await derivations.run(whole, work)
  const isCurrent = () => whole.until > performance.now() && [...parts].every(isCachedNow)
  return { value, isCurrent, readsStores: whole.readsStores === true }
}

/** Returns about how many bytes a value takes: those of its texts, and some for each of its parts. */
function bytesOf(value: unknown, visited = new Set<unknown>()): number {
  if (typeof value === 'string') return 2 * value.length + 16
  if (typeof value !== 'object' || value === null || visited.has(value)) return 8
  visited.add(value)
  if (ArrayBuffer.isView(value)) return value.byteLength
  const parts = value instanceof Map || value instanceof Set ? [...value] : Object.values(value)
  return parts.reduce((sum: number, part) => sum + bytesOf(part, visited), 32)
}

function drop(key: string) {
  cache.bytes -= entries.get(key)?.bytes ?? 0
  entries.delete(key)
}

/** Drops expired entries from time to time, and the least recently read ones while the cache exceeds its limits. */
function tidy(now: number) {
  if (now - cache.tidiedAt >= ageWhileListening) {
    cache.tidiedAt = now
    for (const [key, { until }] of entries) if (until <= now) drop(key)
  }
  for (const key of entries.keys()) {
    if (entries.size <= limits.entries && cache.bytes <= limits.bytes) return
    drop(key)
  }
}

/** Drops the values under this name and under `<name>:…`, in this process only. */
export function dropCached(name: string) {
  for (const key of entries.keys()) if (key === name || key.startsWith(`${name}:`)) drop(key)
}

/**
 * Returns the value that is cached under `key`; loads it when it is missing. Keys are `<name>` or `<name>:<part>`.
 * Meant for small values that nearly every request needs: settings, domains, schemas. A key contains nothing that a
 * visitor can invent. A value that nobody invalidates is cached for `maxAge` milliseconds at most. Inside a transaction
 * a missing value is read over its connection and not cached.
 */
export async function cached<T>(key: string, load: () => Promise<T>, maxAge = ageWhileListening): Promise<T> {
  // a cached value may be older than the changes of this transaction
  if (isJoined()) return load()
  const cachedEntry = entries.get(key)
  const insideTransaction = isInsideTransaction()
  // inside a transaction a value that is still loading is not awaited: its load may wait for our connection
  if (cachedEntry && cachedEntry.until > performance.now() && (cachedEntry.there || !insideTransaction)) {
    entries.delete(key)
    entries.set(key, cachedEntry)
    limitAgeOfWhole(cachedEntry)
    return cachedEntry.value as Promise<T>
  }
  // a second connection may never become free, and the transaction may read what is never committed
  if (insideTransaction) return onOwnConnection(load)
  const entry: Entry = { key, value: Promise.resolve(), until: endOfAge(maxAge), bytes: 0 }
  // a Drizzle query runs again at each await, so the result is cached and not the query
  entry.value = derivations.run(entry, async () => load())
  drop(key)
  entries.set(key, entry)
  tidy(performance.now())
  entry.value.then(
    (value) => {
      entry.there = true
      const bytes = bytesOf(value)
      if (entries.get(key) !== entry) return
      // a value larger than the whole cache displaces no other
      if (bytes > limits.bytes) return drop(key)
      entry.bytes = bytes
      cache.bytes += bytes
      tidy(performance.now())
    },
    () => {
      if (entries.get(key) === entry) drop(key)
    },
  )
  const value = (await entry.value) as T
  limitAgeOfWhole(entry)
  return value
}

/** Drops all values, in this process only. Used after the commit of a transaction that comprised many others. */
export function dropAllCached() {
  entries.clear()
  Object.assign(cache, { bytes: 0, tidiedAt: performance.now() })
}

/** Invalidates `name` in every process, this one included, when the transaction commits. */
export async function invalidate(tx: Database | Transaction, name: string) {
  await tx.execute(sql`select pg_notify(${channel}, ${name})`)
}

/** Drops all values and stops listening, before the process exits. */
export async function closeCache() {
  dropAllCached()
  await closeListening()
}
