import { AsyncLocalStorage } from 'node:async_hooks'
import { sql } from 'drizzle-orm'
import type { Database, Transaction } from '@/db/client'
import { isInsideTransaction, onOwnConnection } from '@/db/scope'
import { type Channel, closeListening, isListening, onNotification } from './listen'

/** `until` is on the monotonic clock, which nobody sets back; `there` once the value is loaded. */
type Entry = { value: Promise<unknown>; until: number; there?: true }

// one cache a process, however often this file is bundled
const shared = globalThis as typeof globalThis & { platformCache?: Map<string, Entry> }
shared.platformCache ??= new Map()
const entries = shared.platformCache

const channel: Channel = 'platform_cache'
onNotification(channel, { heard: (name) => forget(name), missed: () => entries.clear() })

/**
 * Milliseconds that a value lives while invalidations arrive, and while they may not. The first bounds how long a
 * change stays unseen that nobody told of: an UPDATE in psql, a restored dump.
 */
const trusted = 30_000
const untrusted = 1_000

/** The entry being loaded: what it is made of may be older than itself. */
const loading = new AsyncLocalStorage<Entry>()

/** A value made of another one ends no later than that one, or ages would add up. */
function inherit(part: Entry) {
  const whole = loading.getStore()
  if (whole && part.until < whole.until) whole.until = part.until
}

/** Drops what is kept under this name and under `<name>:…`, in this process only. */
export function forget(name: string) {
  for (const key of entries.keys()) if (key === name || key.startsWith(`${name}:`)) entries.delete(key)
}

/**
 * Gives the value kept under `key`, loading it when it is missing. Keys are `<name>` or `<name>:<part>`.
 * For the few small things that nearly every request needs: settings, domains, schemas. What changes without anybody
 * telling lives for `atMost` milliseconds. Inside a transaction a missing one is read over its connection and not kept.
 */
export async function cached<T>(key: string, load: () => Promise<T>, atMost = trusted): Promise<T> {
  const kept = entries.get(key)
  const inside = isInsideTransaction()
  // whoever loads it may wait for the connection that this transaction holds
  if (kept && kept.until > performance.now() && (kept.there || !inside)) {
    inherit(kept)
    return kept.value as Promise<T>
  }
  // a second connection could be waited for in vain, and what a transaction reads may never be committed
  if (inside) return onOwnConnection(load)
  const until = performance.now() + Math.min(atMost, isListening() ? trusted : untrusted)
  const entry: Entry = { value: Promise.resolve(), until }
  // a query of Drizzle's runs anew at each await: what is kept is what it gave
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

/** Tells every process to forget `name` when the transaction commits, this one included. */
export async function invalidate(tx: Database | Transaction, name: string) {
  await tx.execute(sql`select pg_notify(${channel}, ${name})`)
}

/** Stops listening, for a clean exit. */
export async function closeCache() {
  entries.clear()
  await closeListening()
}
