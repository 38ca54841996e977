import { sessionIsLive } from '@/lib/entry/user-sessions/service'
import { requireUser } from '@/lib/kernel/access'
import type { Ctx } from '@/lib/kernel/ctx'
import { AppError } from '@/lib/kernel/errors'
import { type LiveEvent, subscribe } from '@/lib/kernel/live'

/** A sign of life, so that both ends notice a dead connection, and proxies keep it open. */
const beatEvery = 20_000
/** After this the page comes back and is looked at anew. */
const longest = 10 * 60_000
/** Milliseconds after which a page comes back. */
const retry = 2_000
/** Events that may wait for a page that doesn't read. */
const patience = 64

/** Nothing to tell but that the session lives, which being here shows. */
export async function liveState(ctx: Ctx) {
  requireUser(ctx)
  return {}
}

/**
 * The stream of what the signed-in person's page must know. Ends by itself after some minutes, at a fault and when
 * `signal` aborts. Throws 503 when there is no room for it or events don't arrive here.
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
  // ended between the request's look at the cookie and now, it would not be told of any more
  const live = await sessionIsLive(session.id).catch((error) => {
    end()
    throw error
  })
  if (!live) say({ event: 'session-ended', data: { reason: 'ended' } })
  return stream
}
