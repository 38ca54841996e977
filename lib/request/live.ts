import { createRoute, type RouteHandler } from '@/lib/base/http/route'
import { live } from '@/lib/my-account/live/contract'
import { liveState, liveStream } from '@/lib/my-account/live/service'
import { requestContext } from './bearer'

// the request of an open page doesn't count as activity: it must not prolong the session
const route = createRoute((request) => requestContext(request, true))

const state = route(live, liveState)

/**
 * The route of live events. Streams them to a client that accepts text/event-stream, and answers any other client like
 * a normal call. Both have the same access rules.
 */
export const liveRoute: RouteHandler = Object.assign(
  async (...[request, args]: Parameters<RouteHandler>) => {
    if (!request.headers.get('accept')?.includes('text/event-stream')) return state(request, args)
    let stream: ReadableStream<Uint8Array> | undefined
    const answer = await route(live, async (ctx) => {
      stream = await liveStream(ctx, request.signal)
      // this value isn't sent: the stream is the answer
      return { mark: '' }
    })(request, args)
    if (!stream) return answer
    const headers = new Headers(answer.headers)
    headers.set('content-type', 'text/event-stream; charset=utf-8')
    // no-transform: a proxy that compresses would buffer events and deliver them late
    headers.set('cache-control', 'no-store, no-transform')
    headers.set('x-accel-buffering', 'no')
    return new Response(stream, { headers })
  },
  { serve: state.serve },
)
