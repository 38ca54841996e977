import type { Server, ServerResponse } from 'node:http'
import { Server as NetServer } from 'node:net'
import { log } from '@/lib/kernel/log'

/** How long idle connections may still bring a request, and when what is open is cut. */
const linger = 1_000
const limit = 8_000

const isStream = (res: ServerResponse) => String(res.getHeader('content-type') ?? '').startsWith('text/event-stream')

/** Follows the answers in the making, so that a stop can wait for them. */
export function createDrain(server: Server) {
  const open = new Set<ServerResponse>()
  let draining: Promise<void> | undefined

  async function drain() {
    // net's close, not http's: that one cuts idle connections at once, and with them a request on its way
    const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()))
    const ends = Date.now() + limit
    for (const res of open) if (!res.headersSent) res.setHeader('connection', 'close')
    const timer = setInterval(() => {
      // streams never end by themselves; the browser comes back to another process
      for (const res of open) if (isStream(res)) res.destroy()
      server.closeIdleConnections()
      if (Date.now() < ends) return
      if (open.size > 0) log.warn({ requests: open.size }, 'requests cut by the stop')
      server.closeAllConnections()
    }, linger)
    await closed
    clearInterval(timer)
  }

  return {
    follow(res: ServerResponse) {
      open.add(res)
      res.once('close', () => open.delete(res))
      if (draining) res.setHeader('connection', 'close')
    },
    isDraining: () => draining !== undefined,
    /** Stops accepting and resolves when every request has its answer, within about eight seconds. */
    start() {
      draining ??= drain()
      return draining
    },
  }
}
