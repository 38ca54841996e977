import { type LiveEvent, subscribe } from '@/lib/base/cache/live-events'
import { requireUser } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import { AppError } from '@/lib/base/runtime/errors'
import { isSessionLive } from '@/lib/sign-in/own-sessions/service'
import { currentFrameVersion } from './frame-version'

/** Milliseconds between heartbeats, by which both ends notice a dead connection, and proxies keep it open. */
const beatEvery = 20_000
/** Milliseconds after which a stream ends: the page connects again, and its session is checked again. */
const longest = 10 * 60_000
/** Milliseconds after which a page connects again. */
const retry = 2_000
/** How many events may wait for a page that doesn't read. */
const patience = 64

/** Returns the mark by which an open page knows whether its frame is up to date. Throws 401. */
export const liveState = async (ctx: Ctx) => ({ mark: await currentFrameVersion(ctx) })

/**
 * Returns the stream of events for a page of the signed-in person. It ends after some minutes, at a fault, and when
 * `signal` aborts. Throws 401, and 503 if there are too many streams or this process receives no events.
 */
export async function liveStream(ctx: Ctx, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
  requireUser(ctx)
  const { user, session } = ctx
  const encoder = new TextEncoder()
  let out: ReadableStreamDefaultController<Uint8Array> | undefined
  let timers: NodeJS.Timeout[] = []
  let leave: (() => void) | null = null

  const end = () => {
    leave?.()
    for (const timer of timers) clearTimeout(timer)
    signal.removeEventListener('abort', end)
    const open = out
    out = undefined
    try {
      open?.close()
    } catch {
      // the page is gone already
    }
  }
  const send = (text: string) => {
    if (!out) return
    if ((out.desiredSize ?? 0) < -patience) return end()
    out.enqueue(encoder.encode(text))
  }
  const say = ({ event, data }: LiveEvent) => {
    send(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
    if (event === 'session-ended') end()
  }
  const beat = () => send('event: beat\ndata:\n\n')

  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      out = controller
    },
    cancel: end,
  })
  leave = await subscribe({ userId: user.id, sessionId: session.id, send: say, close: end })
  if (!leave) throw new AppError(503, undefined, {}, 30)
  timers = [setInterval(beat, beatEvery).unref(), setTimeout(end, longest).unref()]
  signal.addEventListener('abort', end)
  if (signal.aborted) end()
  send(`retry: ${retry}\n`)
  beat()
  // if the session has ended since the request's check of the cookie, no event will report it
  const live = await isSessionLive(session.id).catch((error) => {
    end()
    throw error
  })
  if (!live) say({ event: 'session-ended', data: { reason: 'ended' } })
  return stream
}
