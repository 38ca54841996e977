import type { LiveEvent } from '@/lib/kernel/live'

type Handler = (event: LiveEvent) => void

const address = '/api/v1/platform/live'
/** The stream's sign of life comes every 20 seconds; after this without one it is dead, or held back on its way. */
const patience = 45_000
/** Between two questions where there is no stream. */
const pause = 30_000
const kinds: { [K in LiveEvent['event']]: true } = { 'session-ended': true }

const waited = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })

/** Listens for as long as the stream lives. */
const listen = (hear: Handler, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const source = new EventSource(address)
    let watch: ReturnType<typeof setTimeout>
    const end = () => {
      clearTimeout(watch)
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

/** Asks once whether the session lives, where nobody tells. */
async function ask(hear: Handler, signal: AbortSignal) {
  const headers = { accept: 'application/json' }
  const answer = await fetch(address, { headers, signal, cache: 'no-store' }).catch(() => undefined)
  if (answer?.status === 401) hear({ event: 'session-ended', data: { reason: 'ended' } })
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
 */
export function followLive(hear: Handler): () => void {
  const stop = new AbortController()
  const { signal } = stop
  const pages = new BroadcastChannel('live')
  pages.onmessage = ({ data }: MessageEvent<LiveEvent>) => hear(data)
  const passOn: Handler = (event) => {
    pages.postMessage(event)
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
