import type { LiveEvent } from '@/lib/kernel/live'

type Handler = (event: LiveEvent) => void
/** The message of the listening page to the other pages, with the session of its page. */
type Passed = LiveEvent & { session: string }

const address = '/api/v1/platform/live'
/** The stream sends a heartbeat every 20 seconds; after this time without one it is dead, or buffered by a proxy. */
const patience = 45_000
/** Milliseconds between two requests if there is no stream. */
const pause = 30_000
const kinds: { [K in LiveEvent['event']]: true } = { 'session-ended': true }

const waited = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end)
  })

/** Listens for as long as the stream lives. */
const listen = (hear: Handler, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const source = new EventSource(address)
    let watch: ReturnType<typeof setTimeout>
    const end = () => {
      clearTimeout(watch)
      signal.removeEventListener('abort', end)
      source.close()
      resolve()
    }
    const alive = () => {
      clearTimeout(watch)
      watch = setTimeout(end, patience)
    }
    alive()
    signal.addEventListener('abort', end)
    source.addEventListener('beat', alive)
    for (const event of Object.keys(kinds) as LiveEvent['event'][])
      source.addEventListener(event, ({ data }: MessageEvent<string>) => {
        alive()
        hear({ event, data: JSON.parse(data) } as LiveEvent)
      })
    // the browser connects again by itself, unless it was refused
    source.onerror = () => {
      if (source.readyState === EventSource.CLOSED) end()
    }
  })

/** Asks once whether the session is valid, if there is no stream; `ended` is the event if it isn't. */
async function ask(
  hear: Handler,
  signal: AbortSignal,
  ended: LiveEvent = { event: 'session-ended', data: { reason: 'ended' } },
) {
  const headers = { accept: 'application/json' }
  const answer = await fetch(address, { headers, signal, cache: 'no-store' }).catch(() => undefined)
  if (answer?.status === 401) hear(ended)
}

async function follow(hear: Handler, signal: AbortSignal) {
  while (!signal.aborted) {
    if (typeof EventSource === 'function') await listen(hear, signal)
    if (!signal.aborted) await ask(hear, signal)
    await waited(pause, signal)
  }
}

/**
 * Calls `hear` with the events for open pages, until the returned function is called. One of a browser's open pages has
 * the stream and passes its events on, because over HTTP/1.1 a browser has six connections to a host. `session` is the
 * session of the page. If the event came from a page of another session, such as after signing in again, the page asks
 * the server itself.
 */
export function followLive(session: string, hear: Handler): () => void {
  const stop = new AbortController()
  const { signal } = stop
  const pages = new BroadcastChannel('live')
  pages.onmessage = ({ data: { session: told, ...event } }: MessageEvent<Passed>) => {
    if (told === session) hear(event)
    else void ask(hear, signal, event)
  }
  const passOn: Handler = (event) => {
    pages.postMessage({ ...event, session } satisfies Passed)
    hear(event)
  }
  // only secure pages have locks; elsewhere each page listens on its own
  const leading = navigator.locks
    ? navigator.locks.request('live', { signal }, () => follow(passOn, signal))
    : follow(hear, signal)
  leading.catch(() => {
    // taken back while it waited for its turn
  })
  return () => {
    stop.abort()
    pages.close()
  }
}
