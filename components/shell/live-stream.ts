import type { LiveEvent } from '@/lib/kernel/live'

type Handler = (event: LiveEvent) => void
/** What the page that listens passes on to the others, and for which session its page was made. */
type Passed = LiveEvent & { session: string }

const address = '/api/v1/platform/live'
/** The stream's sign of life comes every 20 seconds; after this without one it is dead, or held back on its way. */
const patience = 45_000
/** Between two questions where there is no stream. */
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

/** Asks once whether the session lives, where nobody tells; `ended` is what to say if it doesn't. */
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
 * Has `hear` told what open pages must know, until the returned function is called. Of a browser's open pages one
 * holds the stream and passes on what it hears: over HTTP/1.1 a browser has six connections to a host in all.
 * `session` is the one the page was made for. A page of another session, such as one that was opened after signing
 * in anew, takes no other page's word that it is over, and asks.
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
  // browsers lend locks to secure pages alone; elsewhere each page listens for itself
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
