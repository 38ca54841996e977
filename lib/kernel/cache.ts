import { sql } from 'drizzle-orm'
import pg from 'pg'
import type { Database, Transaction } from '@/db/client'
import { env } from './env'
import { log } from './log'

type Entry = { value: Promise<unknown>; until: number }
type State = {
  entries: Map<string, Entry>
  listening: Promise<void> | undefined
  client: pg.Client | undefined
  live: boolean
}

// one cache a process, however often this file is bundled
const shared = globalThis as typeof globalThis & { platformCache?: State }
shared.platformCache ??= { entries: new Map(), listening: undefined, client: undefined, live: false }
const state = shared.platformCache

const channel = 'platform_cache'
/** How long a value lives while invalidations arrive, and while they may not. */
const trusted = 5 * 60_000
const untrusted = 1_000

function lost(client: pg.Client) {
  if (state.client !== client) return
  state.client = undefined
  state.listening = undefined
  state.live = false
  state.entries.clear()
  client.end().catch(() => {})
}

async function listen() {
  const client = new pg.Client({
    connectionString: env().DATABASE_URL,
    connectionTimeoutMillis: 2000,
    keepAlive: true,
    application_name: 'platform cache',
  })
  state.client = client
  client.on('error', () => lost(client))
  client.on('end', () => lost(client))
  client.on('notification', ({ payload = '' }) => forget(payload))
  try {
    await client.connect()
    await client.query(`listen ${channel}`)
    state.entries.clear()
    state.live = true
  } catch (error) {
    log.warn({ err: error }, 'cache invalidations do not arrive; values live for a second')
    lost(client)
  }
}

/** Drops what is kept under this name and under `<name>:…`, in this process only. */
export function forget(name: string) {
  for (const key of state.entries.keys()) if (key === name || key.startsWith(`${name}:`)) state.entries.delete(key)
}

/**
 * Gives the value kept under `key`, loading it when it is missing. Keys are `<name>` or `<name>:<part>`.
 * For the few small things that nearly every request needs: settings, domains, schemas.
 */
export async function cached<T>(key: string, load: () => Promise<T>): Promise<T> {
  const kept = state.entries.get(key)
  if (kept && kept.until > Date.now()) return kept.value as Promise<T>
  if (!state.live) {
    state.listening ??= listen()
    await state.listening
  }
  const entry: Entry = { value: load(), until: Date.now() + (state.live ? trusted : untrusted) }
  if (state.entries.size > 5_000) state.entries.clear()
  state.entries.set(key, entry)
  entry.value.catch(() => {
    if (state.entries.get(key) === entry) state.entries.delete(key)
  })
  return entry.value as Promise<T>
}

/** Tells every process to forget `name` when the transaction commits, this one included. */
export async function invalidate(tx: Database | Transaction, name: string) {
  await tx.execute(sql`select pg_notify(${channel}, ${name})`)
}

/** Stops listening, for a clean exit. */
export async function closeCache() {
  const { client } = state
  state.entries.clear()
  if (!client) return
  state.client = undefined
  state.listening = undefined
  state.live = false
  await client.end().catch(() => {})
}
