import { AsyncLocalStorage } from 'node:async_hooks'
import { sql } from 'drizzle-orm'
import type { Database, Transaction } from '@/db/client'
import { isInsideTransaction, isJoined, onOwnConnection } from '@/db/scope'
import { type Channel, closeListening, isListening, onNotification } from './notifications'

/** `until` is on the monotonic clock, which nobody can set back; `there` is set once the value has been loaded. */
type Entry = { value: Promise<unknown>; until: number; bytes: number; there?: true }
/** The entries, of which the one that wasn't read for longest is the first; how many bytes they have. */
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

/** Sets a function that this process calls when any process has invalidated `name`; a later one replaces it. */
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
 * Milliseconds that a value is kept while invalidations arrive, and while they may not. Changes that invalidate nothing,
 * such as an UPDATE in psql or a restored dump, are seen after the first of these times at the latest.
 */
const trusted = 30_000
const untrusted = 1_000

/** How many values a process keeps, and how many bytes they may have. */
const most = { entries: 5_000, bytes: 64 * 1024 ** 2 }

/** The entry that is being loaded: its parts may be older than the entry itself. */
const loading = new AsyncLocalStorage<Entry>()

/** A value that is made from another one expires no later than that one; otherwise ages would add up. */
function inherit(part: Entry) {
  const whole = loading.getStore()
  if (whole && part.until < whole.until) whole.until = part.until
}

/** Returns about how many bytes a value keeps: those of its texts, and some for each of its parts. */
function bytesOf(value: unknown, seen = new Set<unknown>()): number {
  if (typeof value === 'string') return 2 * value.length + 16
  if (typeof value !== 'object' || value === null || seen.has(value)) return 8
  seen.add(value)
  if (ArrayBuffer.isView(value)) return value.byteLength
  const parts = value instanceof Map || value instanceof Set ? [...value] : Object.values(value)
  return parts.reduce((sum: number, part) => sum + bytesOf(part, seen), 32)
}

function drop(key: string) {
  cache.bytes -= entries.get(key)?.bytes ?? 0
  entries.delete(key)
}

/** Drops what has expired, now and then, and beyond the limits what wasn't read for longest. */
function tidy(now: number) {
  if (now - cache.tidiedAt >= trusted) {
    cache.tidiedAt = now
    for (const [key, { until }] of entries) if (until <= now) drop(key)
  }
  for (const key of entries.keys()) {
    if (entries.size <= most.entries && cache.bytes <= most.bytes) return
    drop(key)
  }
}

/** Drops the values under this name and under `<name>:…`, in this process only. */
export function dropCached(name: string) {
  for (const key of entries.keys()) if (key === name || key.startsWith(`${name}:`)) drop(key)
}

/**
 * Returns the value that is cached under `key`; loads it when it is missing. Keys are `<name>` or `<name>:<part>`.
 * Meant for small things that nearly every request needs: settings, domains, schemas. A key holds nothing that a visitor
 * makes up. A value that nobody invalidates is kept for `atMost` milliseconds. Inside a transaction a missing value is
 * read over its connection and not cached.
 */
export async function cached<T>(key: string, load: () => Promise<T>, atMost = trusted): Promise<T> {
  // what is kept may be older than what this transaction has changed
  if (isJoined()) return load()
  const kept = entries.get(key)
  const inside = isInsideTransaction()
  // inside a transaction a value that is still loading is not awaited: its load may wait for our connection
  if (kept && kept.until > performance.now() && (kept.there || !inside)) {
    entries.delete(key)
    entries.set(key, kept)
    inherit(kept)
    return kept.value as Promise<T>
  }
  // a second connection may never become free, and the transaction may read what is never committed
  if (inside) return onOwnConnection(load)
  const until = performance.now() + Math.min(atMost, isListening() ? trusted : untrusted)
  const entry: Entry = { value: Promise.resolve(), until, bytes: 0 }
  // a Drizzle query runs again at each await, so the result is cached and not the query
  entry.value = loading.run(entry, async () => load())
  drop(key)
  entries.set(key, entry)
  tidy(performance.now())
  entry.value.then(
    (value) => {
      entry.there = true
      const bytes = bytesOf(value)
      if (entries.get(key) !== entry) return
      // what has no room at all pushes nothing out
      if (bytes > most.bytes) return drop(key)
      entry.bytes = bytes
      cache.bytes += bytes
      tidy(performance.now())
    },
    () => {
      if (entries.get(key) === entry) drop(key)
    },
  )
  const value = (await entry.value) as T
  inherit(entry)
  return value
}

/** Drops everything, in this process only: a transaction that took in many others is committed. */
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
