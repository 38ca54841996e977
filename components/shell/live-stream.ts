import type { LiveEvent } from '@/lib/kernel/live'

type Handler = (event: LiveEvent) => void
/** Called with whether the server answers. */
type Reach = (there: boolean) => void
/** The message of the page that has the stream to the other pages, with the session of its page. */
type Passed = (LiveEvent & { session: string }) | { reached: boolean }

export const liveAddress = '/api/v1/platform/live'
/** The stream sends a heartbeat every 20 seconds. After this time without one it is dead, or a proxy buffers it. */
const patience = 45_000
/**
 * Milliseconds without the stream before pages show it. While a new version starts, the stream is interrupted for less.
 */
const grace = 6_000
/** Milliseconds between two requests if there is no stream. */
const pause = 30_000
const kinds: { [K in LiveEvent['event']]: true } = { 'session-ended': true, 'notices-changed': true }

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

/** Reads the stream until it ends. */
const listen = (hear: Handler, reach: Reach, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const source = new EventSource(liveAddress)
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
      reach(true)
    }
    source.onopen = () => {
      alive()
      // what came before the stream was open, or while it was interrupted, was not sent
      hear({ event: 'notices-changed', data: {} })
    }
    alive()
    signal.addEventListener('abort', end)
    source.addEventListener('beat', alive)
    for (const event of Object.keys(kinds) as LiveEvent['event'][])
      source.addEventListener(event, ({ data }: MessageEvent<string>) => {
        alive()
        hear({ event, data: JSON.parse(data) } as LiveEvent)
      })
    // the browser reconnects by itself, unless the server refused
    source.onerror = () => {
      if (source.readyState === EventSource.CLOSED) end()
      else reach(false)
    }
  })

/**
 * Asks once whether the session is valid, if there is no stream, and returns that. `ended` is the event that reports
 * that it isn't.
 */
async function ask(
  hear: Handler,
  reach: Reach,
  signal: AbortSignal,
  ended: LiveEvent = { event: 'session-ended', data: { reason: 'ended' } },
) {
  const headers = { accept: 'application/json' }
  const answer = await fetch(liveAddress, { headers, signal, cache: 'no-store' }).catch(() => undefined)
  if (!signal.aborted) reach(answer !== undefined && answer.status < 500)
  if (answer?.status === 401) hear(ended)
  return answer?.ok === true
}

async function follow(hear: Handler, reach: Reach, signal: AbortSignal) {
  while (!signal.aborted) {
    if (typeof EventSource === 'function') await listen(hear, reach, signal)
    if (!signal.aborted && (await ask(hear, reach, signal))) hear({ event: 'notices-changed', data: {} })
    await waited(pause, signal)
  }
}

/** Calls `tell` when the server was unreachable for a while, and when it is reachable again. */
function steady(tell: Reach, signal: AbortSignal): Reach {
  let there = true
  let timer: ReturnType<typeof setTimeout> | undefined
  return (now) => {
    if (now) {
      clearTimeout(timer)
      timer = undefined
      if (!there) tell(true)
      there = true
    } else if (there && timer === undefined)
      timer = setTimeout(() => {
        if (signal.aborted) return
        there = false
        tell(false)
      }, grace)
  }
}

/**
 * Calls `hear` with the events for open pages, until the returned function is called. Only one of a browser's open
 * pages has the stream and passes its events to the others, because over HTTP/1.1 a browser has six connections per
 * host. `session` is the session of the page. If an event comes from a page of another session, for example after a new
 * sign-in, the page asks the server itself. `reach` is called when the server becomes unreachable, and when it is
 * reachable again.
 */
export function followLive(session: string, hear: Handler, reach: Reach): () => void {
  const stop = new AbortController()
  const { signal } = stop
  const pages = new BroadcastChannel('live')
  pages.onmessage = ({ data }: MessageEvent<Passed>) => {
    if ('reached' in data) return reach(data.reached)
    const { session: told, ...rest } = data
    const event = rest as LiveEvent
    if (told === session) hear(event)
    else if (event.event === 'session-ended') void ask(hear, () => undefined, signal, event)
  }
  const passOn: Handler = (event) => {
    pages.postMessage({ ...event, session } satisfies Passed)
    hear(event)
  }
  const reachAll = steady((there) => {
    pages.postMessage({ reached: there } satisfies Passed)
    reach(there)
  }, signal)
  // locks exist only on pages with https; elsewhere each page has its own stream
  const leading = navigator.locks
    ? navigator.locks.request('live', { signal }, () => follow(passOn, reachAll, signal))
    : follow(hear, steady(reach, signal), signal)
  leading.catch(() => {
    // the page stopped listening while it waited for the lock
  })
  return () => {
    stop.abort()
    pages.close()
  }
}
