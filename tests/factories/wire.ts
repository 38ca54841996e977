import { connect, createServer, type Socket } from 'node:net'

/** A connection to a service that can be cut, paused and slowed. */
export async function startWire(target: string) {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  let cut = false
  let delay = 0
  const server = createServer((near) => {
    if (cut) return void near.destroy()
    const far = connect(Number(port), hostname)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.on('error', () => {})
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
      from.on('data', (chunk) => {
        if (delay > 0) setTimeout(() => to.write(chunk), delay)
        else to.write(chunk)
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = new URL(target)
  const bound = server.address()
  address.port = String(typeof bound === 'object' && bound ? bound.port : 0)
  return {
    url: address.href,
    cut() {
      cut = true
      for (const socket of sockets) socket.destroy()
    },
    hold() {
      for (const socket of sockets) socket.pause()
    },
    /** Delays everything by so many milliseconds in each direction. */
    slow(milliseconds: number) {
      delay = milliseconds
    },
    mend() {
      cut = false
      delay = 0
      for (const socket of sockets) socket.resume()
    },
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
