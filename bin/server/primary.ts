import cluster, { type Worker } from 'node:cluster'
import { createServer } from 'node:http'
import { AggregatorRegistry } from 'prom-client'
import type { Env } from '@/lib/kernel/env'
import { log } from '@/lib/kernel/log'

/** Serves the processes' metrics summed up. Without a cluster, those of this process. */
export function serveMetrics(port: number, host: string, text: () => Promise<string>) {
  const server = createServer((req, res) => {
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

export type Cluster = { stop(): Promise<void> }

/**
 * Keeps PROCESSES workers running and serves their metrics. A worker that dies is replaced, at once the first time
 * and more slowly if it goes on dying. Rejects when a first worker dies before it could serve.
 */
export async function runCluster(config: Env, metricsPort: number): Promise<Cluster> {
  let stopping = false
  let lastDeath = 0
  let deaths = 0

  const replace = () => {
    const now = Date.now()
    deaths = now - lastDeath > 60_000 ? 0 : deaths + 1
    lastDeath = now
    const wait = deaths === 0 ? 0 : Math.min(250 * 2 ** deaths, 30_000)
    setTimeout(() => {
      if (!stopping) cluster.fork()
    }, wait)
  }
  const listening = (worker: Worker) =>
    new Promise<void>((resolve, reject) => {
      worker.once('listening', () => resolve())
      worker.once('exit', (code, signal) => reject(new Error(`a worker ended before it served (${signal ?? code})`)))
    })

  await Promise.all(Array.from({ length: config.PROCESSES }, () => listening(cluster.fork())))
  cluster.on('exit', ({ process: { pid } }, code, signal) => {
    if (stopping) return
    log.error({ worker: pid, code, signal }, 'a worker ended; another one starts')
    replace()
  })
  const aggregated = new AggregatorRegistry()
  const endMetrics = serveMetrics(metricsPort, config.HOST, () => aggregated.clusterMetrics())

  return {
    async stop() {
      stopping = true
      const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)
      const ended = workers.map((worker) => new Promise<void>((resolve) => worker.once('exit', () => resolve())))
      // a message rather than a signal, so that the workers may leave those of the terminal to us
      for (const worker of workers) worker.send('stop')
      await Promise.all(ended)
      endMetrics()
    },
  }
}
