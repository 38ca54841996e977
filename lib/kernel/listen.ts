import pg from 'pg'
import { env } from './env'
import { log } from './log'

/** What goes from process to process by PostgreSQL's NOTIFY. */
const channels = ['platform_cache', 'platform_live'] as const
export type Channel = (typeof channels)[number]

type Listener = {
  heard: (payload: string) => void
  /** The connection has come or gone: notifications may have been missed. */
  missed: () => void
}
type State = {
  listeners: Map<string, Listener>
  opening: Promise<void> | undefined
  client: pg.Client | undefined
  live: boolean
}

// one connection a process, however often this file is bundled
const shared = globalThis as typeof globalThis & { platformListening?: State }
shared.platformListening ??= { listeners: new Map(), opening: undefined, client: undefined, live: false }
const state = shared.platformListening

const missed = () => {
  for (const listener of state.listeners.values()) listener.missed()
}

function lost(client: pg.Client) {
  if (state.client !== client) return
  state.client = undefined
  state.opening = undefined
  state.live = false
  missed()
  client.end().catch(() => {})
}

async function open() {
  const client = new pg.Client({
    connectionString: env().DATABASE_URL,
    connectionTimeoutMillis: 2000,
    keepAlive: true,
    application_name: 'platform notifications',
  })
  state.client = client
  client.on('error', () => lost(client))
  client.on('end', () => lost(client))
  client.on('notification', ({ channel, payload = '' }) => state.listeners.get(channel)?.heard(payload))
  try {
    await client.connect()
    for (const channel of channels) await client.query(`listen ${channel}`)
    missed()
    state.live = true
  } catch (error) {
    log.warn({ err: error }, 'notifications of other processes do not arrive')
    lost(client)
  }
}

/** Names who hears a channel; a later one takes the place of the first. */
export const onNotification = (channel: Channel, listener: Listener) => state.listeners.set(channel, listener)

/** Whether notifications arrive; connects first if need be. */
export async function isListening(): Promise<boolean> {
  if (!state.live) {
    state.opening ??= open()
    await state.opening
  }
  return state.live
}

/** Stops listening, for a clean exit. */
export async function closeListening() {
  const { client } = state
  state.client = undefined
  state.opening = undefined
  state.live = false
  await client?.end().catch(() => {})
}
