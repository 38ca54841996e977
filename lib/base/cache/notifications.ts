import { TimeoutClient } from '../postgres/client'
import { serverProcessId } from '../postgres/pg-internals'
import { env } from '../runtime/env'
import { log } from '../runtime/log'

/** The channels of PostgreSQL's NOTIFY between processes. */
const channels = ['platform_cache', 'platform_live', 'platform_sessions'] as const
export type Channel = (typeof channels)[number]

type Listener = {
  onPayload: (payload: string) => void
  /** Called after the connection was opened or lost: notifications may have been missed. */
  onGap: () => void
}
type State = {
  listeners: Map<string, Listener>
  opening: Promise<void> | undefined
  client: TimeoutClient | undefined
  live: boolean
  /** The time of the database since which notifications arrive. */
  since: number
  /** The next try to connect comes no earlier than this. */
  nextTry: number
  beat: NodeJS.Timeout | undefined
}

/** Milliseconds: between tries to connect, for one try, between checks of an idle connection, for one check. */
const [reconnectPause, connectTimeout, checkInterval, checkTimeout] = [1_000, 1_500, 15_000, 1_500]

// one connection for each process: bundles may contain several copies of this file
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

const notifyGap = () => {
  for (const listener of state.listeners.values()) listener.onGap()
}

function dropConnection(client: TimeoutClient) {
  if (state.client !== client) return
  state.client = undefined
  state.opening = undefined
  state.live = false
  clearInterval(state.beat)
  notifyGap()
  client.end().catch(() => {})
}

/**
 * Checks an idle connection. Without this check a connection that the network has dropped would look like one without
 * notifications.
 */
const checkConnection = (client: TimeoutClient) => client.query('select 1').catch(() => dropConnection(client))

async function connect() {
  const client = new TimeoutClient({
    connectionString: env().DATABASE_URL,
    timeouts: { connect: connectTimeout, silence: checkTimeout },
    keepAlive: true,
    application_name: 'platform notifications',
  })
  state.client = client
  client.on('error', () => dropConnection(client))
  client.on('end', () => dropConnection(client))
  client.on('notification', ({ channel, payload = '' }) => state.listeners.get(channel)?.onPayload(payload))
  try {
    await client.connect()
    for (const channel of channels) await client.query(`listen ${channel}`)
    const { rows } = await client.query<{ at: number; pid: number }>(
      'select (extract(epoch from clock_timestamp()) * 1000)::float8 as at, pg_backend_pid() as pid',
    )
    // a pooler states another process id when the connection begins
    if (serverProcessId(client) !== rows[0]?.pid)
      log.warn('a pooler stands between the platform and PostgreSQL: it must pool by session, not by transaction')
    // closeListening was called while this connected
    if (state.client !== client) return
    notifyGap()
    state.since = rows[0]?.at ?? Number.POSITIVE_INFINITY
    state.live = true
    state.beat = setInterval(() => void checkConnection(client), checkInterval).unref()
  } catch (error) {
    log.warn({ err: error }, 'notifications of other processes do not arrive')
    state.nextTry = Date.now() + reconnectPause
    dropConnection(client)
  }
}

/** Sets the listener of a channel; a later one replaces it. */
export const onNotification = (channel: Channel, listener: Listener) => state.listeners.set(channel, listener)

function ensureConnecting() {
  if (!state.opening && Date.now() >= state.nextTry) state.opening = connect()
  return state.opening
}

/** Returns whether notifications arrive now. If not, starts to connect and does not wait for it. */
export function isListening(): boolean {
  if (!state.live) void ensureConnecting()
  return state.live
}

/**
 * Returns since when notifications arrive without a gap, in milliseconds by the clock of the database; null while they
 * do not arrive.
 */
export const listeningSince = (): number | null => (isListening() ? state.since : null)

/** Connects if necessary, and returns whether notifications arrive. */
export async function ensureListening(): Promise<boolean> {
  if (!state.live) await ensureConnecting()
  return state.live
}

/** Stops listening, before the process exits. */
export async function closeListening() {
  const { client, opening } = state
  state.client = undefined
  state.opening = undefined
  state.live = false
  clearInterval(state.beat)
  await opening
  await client?.end().catch(() => {})
}
