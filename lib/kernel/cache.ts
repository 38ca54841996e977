import { sql } from 'drizzle-orm'
import type { Database, Transaction } from '@/db/client'
import { type Channel, closeListening, isListening, onNotification } from './listen'

type Entry = { value: Promise<unknown>; until: number }

// one cache a process, however often this file is bundled
const shared = globalThis as typeof globalThis & { platformCache?: Map<string, Entry> }
shared.platformCache ??= new Map()
const entries = shared.platformCache

const channel: Channel = 'platform_cache'
onNotification(channel, { heard: (name) => forget(name), missed: () => entries.clear() })

/** How long a value lives while invalidations arrive, and while they may not. */
const trusted = 5 * 60_000
const untrusted = 1_000

/** Drops what is kept under this name and under `<name>:…`, in this process only. */
export function forget(name: string) {
  for (const key of entries.keys()) if (key === name || key.startsWith(`${name}:`)) entries.delete(key)
}

/**
 * Gives the value kept under `key`, loading it when it is missing. Keys are `<name>` or `<name>:<part>`.
 * For the few small things that nearly every request needs: settings, domains, schemas.
 */
export async function cached<T>(key: string, load: () => Promise<T>): Promise<T> {
  const kept = entries.get(key)
  if (kept && kept.until > Date.now()) return kept.value as Promise<T>
  // a query of Drizzle's runs anew at each await: what is kept is what it gave
  const entry: Entry = { value: Promise.resolve(load()), until: Date.now() + (isListening() ? trusted : untrusted) }
  if (entries.size > 5_000) entries.clear()
  entries.set(key, entry)
  entry.value.catch(() => {
    if (entries.get(key) === entry) entries.delete(key)
  })
  return entry.value as Promise<T>
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
