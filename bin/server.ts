import cluster from 'node:cluster'
import type { Socket } from 'node:net'
import { AggregatorRegistry } from 'prom-client'
import { closeDatabase } from '@/db/client'
import { closeCache } from '@/lib/base/cache/cache'
import { closeRedis } from '@/lib/base/redis/redis'
import { env } from '@/lib/base/runtime/env'
import { log } from '@/lib/base/runtime/log'
import { metrics } from '@/lib/base/runtime/metrics'
import { firstAdministrator } from './administrator'
import { captureConsole, captureCrashes } from './last-words'
import { messages, runCluster, serveMetrics } from './server/primary'
import { checkServices, failStart } from './server/start-checks'
import { startTracing } from './tracing'

const defaultMetricsPort = 9464

// every server but that of bin/dev.ts serves the build; Next and React read this variable when they are loaded, further
// down
Object.assign(process.env, { NODE_ENV: process.env.NODE_ENV === 'development' ? 'development' : 'production' })
const dev = process.env.NODE_ENV === 'development'

// in development the console shows errors as Next prints them
if (!dev) captureConsole()
captureCrashes()

type Running = { stop(): Promise<void> }

/** Runs the server. Next is loaded only here, so that a cluster's primary stays small. */
async function serveHere(): Promise<Running> {
  const config = env()
  const endTracing = await startTracing(config, 'platform')
  const { serve } = await import('./server/serve')
  const metricsPort = config.METRICS_PORT ?? (config.PLATFORM_MODE === 'production' ? defaultMetricsPort : undefined)
  const serving = await serve(config, { dev, ownMetrics: metricsPort === undefined, listens: true })
  const endMetrics =
    metricsPort === undefined
      ? undefined
      : serveMetrics(metricsPort, config.METRICS_HOST, () => metrics().registry.metrics())
  log.info({ port: serving.port, address: config.PUBLIC_URL }, 'listening')
  process.send?.({ listening: serving.port })
  return {
    async stop() {
      await serving.stop()
      endMetrics?.()
      await endTracing()
    },
  }
}

/** Runs a worker of the cluster: the primary listens, checks and collects metrics; this process answers. */
async function serveAsWorker(): Promise<Running> {
  const endTracing = await startTracing(env(), 'platform')
  const { serve } = await import('./server/serve')
  const serving = await serve(env(), { dev, ownMetrics: false, listens: false })
  // its constructor makes this process answer when the primary asks for metrics
  new AggregatorRegistry()
  AggregatorRegistry.setRegistries([metrics().registry])
  process.on('message', (message, socket) => {
    if (message === messages.connection && socket) serving.take(socket as Socket)
  })
  process.send?.(messages.ready)
  return {
    async stop() {
      await serving.stop()
      await endTracing()
    },
  }
}

async function start(): Promise<Running> {
  const config = env()
  if (cluster.isWorker) return serveAsWorker()
  await checkServices(config)
  await firstAdministrator(config)
  if (dev || config.PROCESSES === 1) return serveHere()
  // from here on the primary only watches
  await closeCache()
  await Promise.all([closeDatabase(), closeRedis()])
  const running = await runCluster(config, config.METRICS_PORT ?? defaultMetricsPort)
  log.info({ port: running.port, processes: config.PROCESSES, address: config.PUBLIC_URL }, 'listening')
  process.send?.({ listening: running.port })
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
// Ctrl+C reaches the workers of a cluster too, but they wait for the primary's signal
process.on('SIGINT', () => {
  if (cluster.isPrimary) void stop('SIGINT')
})
process.on('message', (message) => {
  if (message === messages.stop) void stop('asked to')
})
// the process that started this one has ended
process.on('disconnect', () => void stop('left alone'))

running.catch(failStart)
