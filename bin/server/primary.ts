import cluster, { type Worker } from 'node:cluster'
import { createServer as createHttpServer } from 'node:http'
import { createServer, type Socket } from 'node:net'
import { AggregatorRegistry } from 'prom-client'
import type { Env } from '@/lib/base/runtime/env'
import { log } from '@/lib/base/runtime/log'

/** The message that a process sends once, and the primary's messages, the second one with a connection. */
export const messages = { ready: 'ready', connection: 'connection', stop: 'stop' } as const

/** Serves metrics on their own port. Returns a function that stops this. */
export function serveMetrics(port: number, host: string, text: () => Promise<string>) {
  const server = createHttpServer((req, res) => {
    if (req.method !== 'GET' || req.url !== '/metrics') return void res.writeHead(404).end()
    text().then(
      (body) => res.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }).end(body),
      (error) => {
        log.warn({ err: error }, 'metrics are not readable')
        res.writeHead(503).end()
      },
    )
  })
  server.on('error', (error) => log.error({ err: error, port }, 'metrics are not served'))
  server.listen(port, host)
  return () => server.close()
}

/** How many connections may wait for a worker. */
const mostWaiting = 1_000

/** Passes connections to the ready workers in turn, and keeps them while there is none. */
function createDealer() {
  const ready: Worker[] = []
  const waiting: Socket[] = []

  function deal(socket: Socket) {
    const worker = ready.shift()
    if (!worker) {
      if (waiting.length < mostWaiting) waiting.push(socket)
      else socket.destroy()
      return
    }
    ready.push(worker)
    worker.send(messages.connection, socket, { keepOpen: false }, (error) => {
      if (!error) return
      remove(worker)
      deal(socket)
    })
  }
  function remove(worker: Worker) {
    const at = ready.indexOf(worker)
    if (at >= 0) ready.splice(at, 1)
  }
  return {
    deal,
    remove,
    add(worker: Worker) {
      ready.push(worker)
      for (const socket of waiting.splice(0)) deal(socket)
    },
  }
}

/**
 * Keeps PROCESSES processes of the server running, distributes connections to them and serves the sum of their metrics. One
 * that dies is replaced, at first immediately, later with growing pauses. Rejects if the first process dies before it is
 * ready, or if the port is in use.
 *
 * The primary listens itself and doesn't use Node's cluster for it. So it can stop accepting before the processes stop,
 * and no connection gets lost.
 */
export async function runCluster(config: Env, metricsPort: number) {
  const dealer = createDealer()
  let stopping = false
  let lastDeath = 0
  let deaths = 0

  const fork = () =>
    new Promise<void>((resolve, reject) => {
      const worker = cluster.fork()
      worker.on('message', (message) => {
        if (message !== messages.ready) return
        dealer.add(worker)
        resolve()
      })
      worker.once('exit', (code, signal) => {
        dealer.remove(worker)
        reject(new Error(`a worker ended before it served (${signal ?? code})`))
      })
    })
  const replace = () => {
    const now = Date.now()
    deaths = now - lastDeath > 60_000 ? 0 : deaths + 1
    lastDeath = now
    const wait = deaths === 0 ? 0 : Math.min(250 * 2 ** deaths, 30_000)
    setTimeout(() => {
      // the exit handler below handles this end too
      if (!stopping) fork().catch(() => {})
    }, wait)
  }

  const server = createServer({ pauseOnConnect: true }, (socket) => {
    socket.on('error', () => {})
    dealer.deal(socket)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(config.PORT, config.HOST, resolve)
  })
  await Promise.all(Array.from({ length: config.PROCESSES }, fork))
  cluster.on('exit', ({ process: { pid } }, code, signal) => {
    if (stopping) return
    log.error({ worker: pid, exit: signal ?? code }, 'a worker ended; another one starts')
    replace()
  })
  const aggregated = new AggregatorRegistry()
  const endMetrics = serveMetrics(metricsPort, config.METRICS_HOST, () => aggregated.clusterMetrics())
  const address = server.address()

  return {
    port: typeof address === 'object' && address ? address.port : config.PORT,
    async stop() {
      stopping = true
      server.close()
      const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)
      const ended = workers.map((worker) => new Promise<void>((resolve) => worker.once('exit', () => resolve())))
      // sent after the last connection, on the same channel
      for (const worker of workers) worker.send(messages.stop)
      await Promise.all(ended)
      endMetrics()
    },
  }
}
