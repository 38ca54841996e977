import cluster from 'node:cluster'
import { AggregatorRegistry } from 'prom-client'
import { closeDatabase } from '@/db/client'
import { closeCache } from '@/lib/kernel/cache'
import { env } from '@/lib/kernel/env'
import { log } from '@/lib/kernel/log'
import { metrics } from '@/lib/kernel/metrics'
import { closeRedis } from '@/lib/kernel/redis'
import { firstAdministrator } from './administrator'
import { runCluster, serveMetrics } from './server/primary'
import { checkServices, failStart } from './server/start-checks'

const defaultMetricsPort = 9464

// anything but bin/dev.ts serves what was built; Next and React look at this when they are loaded, further down
Object.assign(process.env, { NODE_ENV: process.env.NODE_ENV === 'development' ? 'development' : 'production' })
const dev = process.env.NODE_ENV === 'development'

type Running = { stop(): Promise<void> }

/** One process: the server itself. Next is loaded only here, so that a cluster's primary stays small. */
async function serveHere(): Promise<Running> {
  const config = env()
  const { serve } = await import('./server/serve')
  const metricsPort = config.METRICS_PORT ?? (config.PLATFORM_MODE === 'production' ? defaultMetricsPort : undefined)
  const apart = metricsPort !== undefined && cluster.isPrimary
  const serving = await serve(config, { dev, ownMetrics: metricsPort === undefined && cluster.isPrimary })
  if (cluster.isWorker) {
    // made for its effect: it answers when the primary asks
    new AggregatorRegistry()
    AggregatorRegistry.setRegistries([metrics().registry])
  }
  const endMetrics = apart ? serveMetrics(metricsPort, config.HOST, () => metrics().registry.metrics()) : undefined
  if (cluster.isPrimary) log.info({ port: serving.port, address: config.PUBLIC_URL }, 'listening')
  process.send?.({ listening: serving.port })
  return {
    async stop() {
      await serving.stop()
      endMetrics?.()
    },
  }
}

async function start(): Promise<Running> {
  const config = env()
  if (cluster.isWorker) return serveHere()
  await checkServices(config)
  await firstAdministrator(config)
  if (dev || config.PROCESSES === 1) return serveHere()
  // from here on the primary only watches
  await closeCache()
  await Promise.all([closeDatabase(), closeRedis()])
  const running = await runCluster(config, config.METRICS_PORT ?? defaultMetricsPort)
  log.info({ port: config.PORT, processes: config.PROCESSES, address: config.PUBLIC_URL }, 'listening')
  process.send?.({ listening: config.PORT })
  return running
}

const running = start()
let stopping = false

async function stop(cause: string) {
  if (stopping) return
  stopping = true
  log.info({ cause }, 'stopping')
  await running.then((server) => server.stop())
  log.info('stopped')
  process.exit(0)
}

process.on('SIGTERM', () => void stop('SIGTERM'))
// Ctrl+C reaches a cluster's workers too: the primary tells them
process.on('SIGINT', () => {
  if (cluster.isPrimary) void stop('SIGINT')
})
process.on('message', (message) => {
  if (message === 'stop') void stop('asked to')
})
// whoever started us is gone
process.on('disconnect', () => void stop('left alone'))

running.catch(failStart)
