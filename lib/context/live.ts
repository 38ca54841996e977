import { createRoute, type RouteHandler } from '@/lib/kernel/http/route'
import { live } from '@/lib/profile/live/contract'
import { liveState, liveStream } from '@/lib/profile/live/service'
import { requestContext } from './bearer'

// a page that waits is no access: it keeps no session from running out
const route = createRoute((request) => requestContext(request, true))

const state = route(live, liveState)

/** Streams events to pages that ask for them, answers others like any call; refuses both alike. */
export const liveRoute: RouteHandler = Object.assign(
  async (...[request, args]: Parameters<RouteHandler>) => {
    if (!request.headers.get('accept')?.includes('text/event-stream')) return state(request, args)
    let stream: ReadableStream<Uint8Array> | undefined
    const answer = await route(live, async (ctx) => {
      stream = await liveStream(ctx, request.signal)
      return {}
    })(request, args)
    if (!stream) return answer
    const headers = new Headers(answer.headers)
    headers.set('content-type', 'text/event-stream; charset=utf-8')
    // no-transform: held back until there is enough to compress, an event would come too late
    headers.set('cache-control', 'no-store, no-transform')
    headers.set('x-accel-buffering', 'no')
    return new Response(stream, { headers })
  },
  { verb: state.verb },
)
