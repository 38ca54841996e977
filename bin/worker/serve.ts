import { createServer } from 'node:http'
import { addDeliveryMetrics } from '@/lib/base/events/delivery/metrics'
import { addHousekeepingMetrics } from '@/lib/base/jobs/housekeeping-metrics'
import { addMessageMetrics } from '@/lib/base/mail-and-sms/metrics'
import type { Env } from '@/lib/base/runtime/env'
import { log } from '@/lib/base/runtime/log'
import { metrics } from '@/lib/base/runtime/metrics'
import { addOperationGauges } from '@/lib/operations/metrics/gauges'
import { createHealth } from '../server/health'

/** The port of a worker in production, beside that of the server's metrics. */
const usualPort = 9465

/**
 * Serves `/health/live`, `/health/ready` and `/metrics` of a worker on WORKER_METRICS_PORT
 * (docs/rules/operations.md#health). Returns a function that ends this. A port in use is logged: the worker works.
 */
export function serveWorker(config: Env, isStopping: () => boolean): () => void {
  const port = config.WORKER_METRICS_PORT ?? (config.PLATFORM_MODE === 'production' ? usualPort : undefined)
  if (port === undefined) return () => {}
  addMessageMetrics()
  addDeliveryMetrics()
  addHousekeepingMetrics()
  addOperationGauges()
  const health = createHealth(config.DATABASE_URL, isStopping)
  const server = createServer((req, res) => {
    const path = req.method === 'GET' ? (req.url ?? '') : ''
    if (path !== '/metrics') return void health(path, res)
    metrics()
      .registry.metrics()
      .then(
        (text) => res.writeHead(200, { 'content-type': metrics().registry.contentType }).end(text),
        (error) => {
          log.warn({ err: error }, 'metrics are not readable')
          res.writeHead(503).end()
        },
      )
  })
  server.on('error', (error) => log.error({ err: error, port }, 'health and metrics of the worker are not served'))
  server.listen(port, config.METRICS_HOST)
  return () => {
    server.close()
    server.closeAllConnections()
  }
}
