import type { LiveEvent } from '@/lib/base/cache/live-events'

/**
 * What a page receives: the events of the server; and for an account that may have changed, the frame version from the
 * server.
 */
export type Heard =
  | Exclude<LiveEvent, { event: 'account-changed' }>
  | { event: 'account-changed'; data: { mark: string } }

type Handler = (event: Heard) => void
/** Called with whether the server answers. */
type Reach = (reachable: boolean) => void
/** Asks the server for the frame version after a random delay of up to this number of milliseconds. */
type AskSoon = (milliseconds: number) => void
/**
 * A message between pages: an event that the page with the stream passes on, with the session of its page, or the
 * session of a page that has just opened.
 */
type Passed = (Heard & { session: string }) | { reached: boolean } | { opened: string }

export const liveAddress = '/api/v1/platform/live'
/**
 * The stream sends a heartbeat every 20 seconds. After this time without one it is closed, because it is broken or a
 * proxy buffers it.
 */
const silenceTimeout = 45_000
/** Milliseconds without a stream after which the page asks the server, while the stream goes on trying. */
const opening = 5_000
/** Milliseconds without the stream before pages show it. A start of a new version interrupts the stream for less. */
const grace = 6_000
/** Milliseconds between two requests if there is no stream. */
const pause = 30_000
/**
 * Milliseconds between a change and the request for the frame version, in which further changes arrive and every
 * process learns of the change; and between two such requests.
 */
const [gather, rate] = [100, 1_000]
const kinds: { [K in LiveEvent['event']]: true } = {
  'session-ended': true,
  'notices-changed': true,
  'account-changed': true,
}

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

/** Runs `work` after a short delay, once for several requests, and not more often than `rate`. */
function soon(work: () => void, signal: AbortSignal): AskSoon {
  let [dueAt, lastRun] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  let timer: ReturnType<typeof setTimeout>
  return (milliseconds) => {
    const now = performance.now()
    const nextRun = Math.max(now + gather + Math.random() * milliseconds, lastRun + rate)
    if (nextRun >= dueAt) return
    dueAt = nextRun
    clearTimeout(timer)
    timer = setTimeout(() => {
      dueAt = Number.POSITIVE_INFINITY
      lastRun = performance.now()
      if (!signal.aborted) work()
    }, nextRun - now)
  }
}

/**
 * Asks the server once, and returns whether the session is valid. The page receives the frame version, or `ended` if
 * the session isn't valid.
 */
async function ask(
  hear: Handler,
  reach: Reach,
  signal: AbortSignal,
  ended: Heard = { event: 'session-ended', data: { reason: 'ended' } },
) {
  const headers = { accept: 'application/json' }
  const answer = await fetch(liveAddress, { headers, signal, cache: 'no-store' }).catch(() => undefined)
  if (!signal.aborted) reach(answer !== undefined && answer.status < 500)
  if (answer?.status === 401) hear(ended)
  if (!answer?.ok) return false
  const { mark } = (await answer.json().catch(() => ({}))) as { mark?: string }
  if (mark && !signal.aborted) hear({ event: 'account-changed', data: { mark } })
  return true
}

const noticesChanged: Heard = { event: 'notices-changed', data: {} }

/** Asks the server repeatedly in place of a stream. */
async function poll(hear: Handler, reach: Reach, signal: AbortSignal) {
  if (!signal.aborted && (await ask(hear, reach, signal))) hear(noticesChanged)
}

/** Reads the stream until it ends; asks every 30 seconds while the stream delivers nothing. */
const listen = (hear: Handler, askSoon: AskSoon, reach: Reach, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const source = new EventSource(liveAddress)
    let watch: ReturnType<typeof setTimeout>
    let polling: ReturnType<typeof setTimeout> | undefined
    const end = () => {
      clearTimeout(watch)
      clearTimeout(polling)
      signal.removeEventListener('abort', end)
      source.close()
      resolve()
    }
    const pollIn = (wait: number) => {
      polling = setTimeout(() => {
        pollIn(pause)
        void poll(hear, reach, signal)
      }, wait)
    }
    const silent = () => {
      if (polling === undefined) pollIn(opening)
    }
    const alive = () => {
      clearTimeout(watch)
      watch = setTimeout(end, silenceTimeout)
      reach(true)
      if (polling === undefined) return
      clearTimeout(polling)
      polling = undefined
      // events before the stream was open, or during an interruption, were not sent
      hear(noticesChanged)
      askSoon(0)
    }
    watch = setTimeout(end, silenceTimeout)
    silent()
    signal.addEventListener('abort', end)
    // the server sends one at once: a proxy holds back a stream that is open and silent
    source.addEventListener('beat', alive)
    for (const name of Object.keys(kinds) as LiveEvent['event'][])
      source.addEventListener(name, ({ data }: MessageEvent<string>) => {
        alive()
        const event = { event: name, data: JSON.parse(data) } as LiveEvent
        if (event.event === 'account-changed') return askSoon(event.data.within)
        hear(event)
        // the menu may count what a notification is about
        if (event.event === 'notices-changed') askSoon(0)
      })
    // the browser reconnects by itself, unless the server refused
    source.onerror = () => {
      if (source.readyState === EventSource.CLOSED) return end()
      reach(false)
      silent()
    }
  })

async function follow(hear: Handler, askSoon: AskSoon, reach: Reach, signal: AbortSignal) {
  while (!signal.aborted) {
    if (typeof EventSource === 'function') await listen(hear, askSoon, reach, signal)
    await poll(hear, reach, signal)
    await waited(pause, signal)
  }
}

/** Calls `tell` when the server has been unreachable for a while, and when it is reachable again. */
function steady(tell: Reach, signal: AbortSignal): Reach {
  let reachable = true
  let timer: ReturnType<typeof setTimeout> | undefined
  return (now) => {
    if (now) {
      clearTimeout(timer)
      timer = undefined
      if (!reachable) tell(true)
      reachable = true
    } else if (reachable && timer === undefined)
      timer = setTimeout(() => {
        if (signal.aborted) return
        reachable = false
        tell(false)
      }, grace)
  }
}

/**
 * Calls `hear` with the live events, until the returned function is called. Only one of a browser's open pages has the
 * stream and passes its events to the others, because over HTTP/1.1 a browser has six connections per host. `session`
 * is the session of the page. If an event comes from a page of another session, for example after a new sign-in, the
 * page asks the server itself. `reach` is called when the server becomes unreachable, and when it is reachable again.
 */
export function followLive(session: string, hear: Handler, reach: Reach): () => void {
  const stop = new AbortController()
  const { signal } = stop
  const pages = new BroadcastChannel('live')
  let catchUp: (() => void) | undefined
  pages.onmessage = ({ data }: MessageEvent<Passed>) => {
    if ('reached' in data) return reach(data.reached)
    if ('opened' in data) return data.opened === session ? catchUp?.() : undefined
    const { session: eventSession, ...rest } = data
    const event = rest as Heard
    if (eventSession === session) hear(event)
    else if (event.event === 'session-ended') void ask(hear, () => undefined, signal, event)
  }
  const passOn: Handler = (event) => {
    pages.postMessage({ ...event, session } satisfies Passed)
    hear(event)
  }
  const reachAll = steady((reachable) => {
    pages.postMessage({ reached: reachable } satisfies Passed)
    reach(reachable)
  }, signal)
  const lead = (toldAll: Handler, onReach: Reach) => {
    const askSoon = soon(() => void ask(toldAll, onReach, signal), signal)
    // a page may have been rendered before the last change, and have opened after it
    catchUp = () => {
      toldAll(noticesChanged)
      askSoon(0)
    }
    return follow(toldAll, askSoon, onReach, signal)
  }
  pages.postMessage({ opened: session } satisfies Passed)
  // locks exist only on pages with https; elsewhere each page has its own stream
  const leading = navigator.locks
    ? navigator.locks.request('live', { signal }, () => lead(passOn, reachAll))
    : lead(hear, steady(reach, signal))
  leading.catch(() => {
    // the page stopped listening while it waited for the lock
  })
  return () => {
    stop.abort()
    pages.close()
  }
}
