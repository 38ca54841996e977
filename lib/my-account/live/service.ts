import { type LiveEvent, subscribe } from '@/lib/base/cache/live-events'
import { requireUser } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import { AppError } from '@/lib/base/runtime/errors'
import { isSessionLive } from '@/lib/sign-in/own-sessions/service'
import { currentFrameVersion } from './frame-version'

/**
 * Milliseconds between heartbeats, by which both ends notice a dead connection, and which keep proxies from closing it.
 */
const heartbeatInterval = 20_000
/** Milliseconds after which a stream ends: the page then connects again, and its session is checked again. */
const streamLength = 10 * 60_000
/** Milliseconds after which a page connects again. */
const retry = 2_000
/** The largest number of events that wait for a page that doesn't read. */
const longestBacklog = 64

/** Returns the frame version by which an open page knows whether its frame is up to date. Throws 401. */
export const liveState = async (ctx: Ctx) => ({ mark: await currentFrameVersion(ctx) })

/**
 * Returns the stream of events for a page of the signed-in person. It ends after some minutes, at a fault, and when
 * `signal` aborts. Throws 401, and 503 if there are too many streams or this process receives no events.
 */
export async function liveStream(ctx: Ctx, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
  requireUser(ctx)
  const { user, session } = ctx
  const encoder = new TextEncoder()
  let output: ReadableStreamDefaultController<Uint8Array> | undefined
  let timers: NodeJS.Timeout[] = []
  let unsubscribe: (() => void) | null = null

  const end = () => {
    unsubscribe?.()
    for (const timer of timers) clearTimeout(timer)
    signal.removeEventListener('abort', end)
    const openOutput = output
    output = undefined
    try {
      openOutput?.close()
    } catch {
      // the page has already closed the stream
    }
  }
  const send = (text: string) => {
    if (!output) return
    if ((output.desiredSize ?? 0) < -longestBacklog) return end()
    output.enqueue(encoder.encode(text))
  }
  const sendEvent = ({ event, data }: LiveEvent) => {
    send(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
    if (event === 'session-ended') end()
  }
  const sendHeartbeat = () => send('event: beat\ndata:\n\n')

  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      output = controller
    },
    cancel: end,
  })
  unsubscribe = await subscribe({ userId: user.id, sessionId: session.id, send: sendEvent, close: end })
  if (!unsubscribe) throw new AppError(503, undefined, {}, 30)
  timers = [setInterval(sendHeartbeat, heartbeatInterval).unref(), setTimeout(end, streamLength).unref()]
  signal.addEventListener('abort', end)
  if (signal.aborted) end()
  send(`retry: ${retry}\n`)
  sendHeartbeat()
  // if the session has ended since the request's check of the cookie, no event will report it
  const live = await isSessionLive(session.id).catch((error) => {
    end()
    throw error
  })
  if (!live) sendEvent({ event: 'session-ended', data: { reason: 'ended' } })
  return stream
}
