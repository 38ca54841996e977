import { env } from './env'
import { log } from './log'
import { PatientClient } from './postgres/client'

/** What goes from process to process by PostgreSQL's NOTIFY. */
const channels = ['platform_cache', 'platform_live', 'platform_sessions'] as const
export type Channel = (typeof channels)[number]

type Listener = {
  heard: (payload: string) => void
  /** The connection has come or gone: notifications may have been missed. */
  missed: () => void
}
type State = {
  listeners: Map<string, Listener>
  opening: Promise<void> | undefined
  client: PatientClient | undefined
  live: boolean
  /** By the database's clock: of what was committed before, nothing is heard. */
  since: number
  /** Not before this time is it tried again. */
  nextTry: number
  beat: NodeJS.Timeout | undefined
}

/** Milliseconds after a failed try, for a try, between looks at a quiet connection, and that a look may take. */
const [pause, connectPatience, beatEvery, beatPatience] = [1_000, 1_500, 15_000, 1_500]

// one connection a process, however often this file is bundled
const shared = globalThis as typeof globalThis & { platformListening?: State }
shared.platformListening ??= {
  listeners: new Map(),
  opening: undefined,
  client: undefined,
  live: false,
  since: 0,
  nextTry: 0,
  beat: undefined,
}
const state = shared.platformListening

const missed = () => {
  for (const listener of state.listeners.values()) listener.missed()
}

function lost(client: PatientClient) {
  if (state.client !== client) return
  state.client = undefined
  state.opening = undefined
  state.live = false
  clearInterval(state.beat)
  missed()
  client.end().catch(() => {})
}

/** A route that was dropped says nothing: without a look now and then its silence would be taken for peace. */
const look = (client: PatientClient) => client.query('select 1').catch(() => lost(client))

async function open() {
  const client = new PatientClient({
    connectionString: env().DATABASE_URL,
    patience: { connect: connectPatience, silence: beatPatience },
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
    const { rows } = await client.query<{ at: number }>(
      'select (extract(epoch from clock_timestamp()) * 1000)::float8 as at',
    )
    // closed meanwhile
    if (state.client !== client) return
    missed()
    state.since = rows[0]?.at ?? Number.POSITIVE_INFINITY
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

/** Since when notifications arrive without a gap, by the database's clock in milliseconds; null while they don't. */
export const listeningSince = (): number | null => (isListening() ? state.since : null)

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
