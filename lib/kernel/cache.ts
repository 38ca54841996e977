import { AsyncLocalStorage } from 'node:async_hooks'
import { sql } from 'drizzle-orm'
import type { Database, Transaction } from '@/db/client'
import { isInsideTransaction, isJoined, onOwnConnection } from '@/db/scope'
import { type Channel, closeListening, isListening, onNotification } from './listen'

/** `until` is on the monotonic clock, which nobody can set back; `there` is set once the value has been loaded. */
type Entry = { value: Promise<unknown>; until: number; there?: true }

// one cache for each process: bundles may contain several copies of this file
const shared = globalThis as typeof globalThis & {
  platformCache?: Map<string, Entry>
  platformCacheHooks?: Map<string, () => void>
}
shared.platformCache ??= new Map()
shared.platformCacheHooks ??= new Map()
const { platformCache: entries, platformCacheHooks: hooks } = shared

/** Sets a function that this process calls when any process has invalidated `name`; a later one replaces it. */
export const onInvalidated = (name: string, hook: () => void) => hooks.set(name, hook)

const channel: Channel = 'platform_cache'
onNotification(channel, {
  onPayload(name) {
    forget(name)
    hooks.get(name)?.()
  },
  onGap: () => entries.clear(),
})

/**
 * Milliseconds that a value is kept while invalidations arrive, and while they may not. Changes that invalidate nothing,
 * such as an UPDATE in psql or a restored dump, are seen after the first of these times at the latest.
 */
const trusted = 30_000
const untrusted = 1_000

/** The entry that is being loaded: its parts may be older than the entry itself. */
const loading = new AsyncLocalStorage<Entry>()

/** A value that is made from another one expires no later than that one; otherwise ages would add up. */
function inherit(part: Entry) {
  const whole = loading.getStore()
  if (whole && part.until < whole.until) whole.until = part.until
}

/** Drops the values under this name and under `<name>:…`, in this process only. */
export function forget(name: string) {
  for (const key of entries.keys()) if (key === name || key.startsWith(`${name}:`)) entries.delete(key)
}

/**
 * Returns the value that is cached under `key`; loads it when it is missing. Keys are `<name>` or `<name>:<part>`.
 * Meant for small things that nearly every request needs: settings, domains, schemas. A value that nobody invalidates
 * is kept for `atMost` milliseconds. Inside a transaction a missing value is read over its connection and not cached.
 */
export async function cached<T>(key: string, load: () => Promise<T>, atMost = trusted): Promise<T> {
  // what is kept may be older than what this transaction has changed
  if (isJoined()) return load()
  const kept = entries.get(key)
  const inside = isInsideTransaction()
  // inside a transaction a value that is still loading is not awaited: its load may wait for our connection
  if (kept && kept.until > performance.now() && (kept.there || !inside)) {
    inherit(kept)
    return kept.value as Promise<T>
  }
  // a second connection may never become free, and the transaction may read what is never committed
  if (inside) return onOwnConnection(load)
  const until = performance.now() + Math.min(atMost, isListening() ? trusted : untrusted)
  const entry: Entry = { value: Promise.resolve(), until }
  // a Drizzle query runs again at each await, so the result is cached and not the query
  entry.value = loading.run(entry, async () => load())
  if (entries.size > 5_000) entries.clear()
  entries.set(key, entry)
  entry.value.then(
    () => {
      entry.there = true
    },
    () => {
      if (entries.get(key) === entry) entries.delete(key)
    },
  )
  const value = (await entry.value) as T
  inherit(entry)
  return value
}

/** Drops everything, in this process only: a transaction that took in many others is committed. */
export const forgetAll = () => entries.clear()

/** Invalidates `name` in every process, this one included, when the transaction commits. */
export async function invalidate(tx: Database | Transaction, name: string) {
  await tx.execute(sql`select pg_notify(${channel}, ${name})`)
}

/** Drops all values and stops listening, before the process exits. */
export async function closeCache() {
  entries.clear()
  await closeListening()
}
