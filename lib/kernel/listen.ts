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
  /** Not before this time is it tried again. */
  nextTry: number
  beat: NodeJS.Timeout | undefined
}

/** Milliseconds after a failed try, between looks at a quiet connection, and that a look may take. */
const [pause, beatEvery, beatPatience] = [1_000, 15_000, 5_000]

// one connection a process, however often this file is bundled
const shared = globalThis as typeof globalThis & { platformListening?: State }
shared.platformListening ??= {
  listeners: new Map(),
  opening: undefined,
  client: undefined,
  live: false,
  nextTry: 0,
  beat: undefined,
}
const state = shared.platformListening

const missed = () => {
  for (const listener of state.listeners.values()) listener.missed()
}

function lost(client: pg.Client) {
  if (state.client !== client) return
  state.client = undefined
  state.opening = undefined
  state.live = false
  clearInterval(state.beat)
  missed()
  client.end().catch(() => {})
}

/** A route that was dropped says nothing: without a look now and then its silence would be taken for peace. */
async function look(client: pg.Client) {
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error('no answer')), beatPatience).unref()
  })
  await Promise.race([client.query('select 1'), late]).catch(() => lost(client))
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
    // closed meanwhile
    if (state.client !== client) return
    missed()
    state.live = true
    state.beat = setInterval(() => void look(client), beatEvery).unref()
  } catch (error) {
    log.warn({ err: error }, 'notifications of other processes do not arrive')
    state.nextTry = Date.now() + pause
    lost(client)
  }
}

/** Names who hears a channel; a later one takes the place of the first. */
export const onNotification = (channel: Channel, listener: Listener) => state.listeners.set(channel, listener)

function ensureOpening() {
  if (!state.opening && Date.now() >= state.nextTry) state.opening = open()
  return state.opening
}

/** Whether notifications arrive now; sees to it that they will, and doesn't wait for that. */
export function isListening(): boolean {
  if (!state.live) void ensureOpening()
  return state.live
}

/** Whether notifications arrive; connects first if need be. */
export async function listening(): Promise<boolean> {
  if (!state.live) await ensureOpening()
  return state.live
}

/** Stops listening, for a clean exit. */
export async function closeListening() {
  const { client, opening } = state
  state.client = undefined
  state.opening = undefined
  state.live = false
  clearInterval(state.beat)
  await opening
  await client?.end().catch(() => {})
}
