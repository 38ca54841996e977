import type { Server, ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { log } from '@/lib/base/runtime/log'

/** How long idle connections may still send a request, and when open connections are closed. */
const linger = 1_000
const limit = 8_000

const isStream = (res: ServerResponse) => String(res.getHeader('content-type') ?? '').startsWith('text/event-stream')

/** Tracks connections and running requests, so that a stop can wait for them. */
export function createDrain(server: Server) {
  const open = new Set<ServerResponse>()
  const sockets = new Set<Socket>()
  let draining: Promise<void> | undefined

  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })

  async function drain() {
    // close of net, not of http: the latter cuts idle connections at once, and loses a request that is on its way
    if (server.listening) NetServer.prototype.close.call(server)
    for (const res of open) if (!res.headersSent) res.setHeader('connection', 'close')
    const startedAt = Date.now()
    while (sockets.size > 0) {
      const passed = Date.now() - startedAt
      if (passed > limit) {
        if (open.size > 0) log.warn({ requests: open.size }, 'requests cut by the stop')
        server.closeAllConnections()
        return
      }
      if (passed > linger) {
        // streams never end on their own; the browser connects again to another process
        for (const res of open) if (isStream(res)) res.destroy()
        server.closeIdleConnections()
      }
      await pause(50)
    }
  }

  return {
    follow(res: ServerResponse) {
      open.add(res)
      res.once('close', () => open.delete(res))
      if (draining) res.setHeader('connection', 'close')
    },
    /** Open streams. */
    streams: () => [...open].filter(isStream),
    isDraining: () => draining !== undefined,
    /** Stops accepting connections. Resolves when every request is answered, within about eight seconds. */
    start() {
      draining ??= drain()
      return draining
    },
  }
}
