import { type ChildProcess, spawn } from 'node:child_process'
import { connect, createServer, type Socket } from 'node:net'
import { freePort } from '@/bin/embedded/process'

export type ServerProcess = {
  child: ChildProcess
  address: string
  metricsPort: number
  /** How it ended: the exit code, or the signal. */
  ended: Promise<number | string | null>
}

/** Starts the built server as production would, on the database and Redis of the run, at a port of its own. */
export async function startServer(env: Record<string, string> = {}): Promise<ServerProcess> {
  const [port, metricsPort] = await Promise.all([freePort(), freePort()])
  if (!port || !metricsPort) throw new Error('no port is free')
  const child = spawn(process.execPath, ['dist/server.js'], {
    env: { ...process.env, PORT: String(port), METRICS_PORT: String(metricsPort), ...env },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const ended = new Promise<number | string | null>((resolve) =>
    child.once('exit', (code, signal) => resolve(signal ?? code)),
  )
  const early = await Promise.race([
    new Promise<undefined>((resolve) => child.once('message', () => resolve(undefined))),
    ended,
  ])
  if (early !== undefined) throw new Error(`the server did not start (${early})`)
  return { child, address: `http://127.0.0.1:${port}`, metricsPort, ended }
}

/** A wire to a service that can be cut, and slowed down. */
export async function startWire(target: string) {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  let cut = false
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
      from.pipe(to)
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
    mend() {
      cut = false
    },
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
