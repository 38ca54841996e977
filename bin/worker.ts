import { EventEmitter } from 'node:events'
import { Logger, type RunnerOptions, run, type TaskList, type WorkerEvents } from 'graphile-worker'
import pg from 'pg'
import { closeDatabase } from '@/db/client'
import { crontab, taskList } from '@/lib/context/tasks'
import { closeCache } from '@/lib/kernel/cache'
import { type Env, env } from '@/lib/kernel/env'
import { log } from '@/lib/kernel/log'
import { closeRedis } from '@/lib/kernel/redis'
import { checkServices, failStart } from './server/start-checks'
import { signOfLife } from './worker/sign-of-life'

const concurrency = 4
/** Jobs that still run by then are left: they are freed at the next start, so each must bear to run twice. */
const drainLimit = 9_000

const logger = new Logger(() => (level, message) => {
  if (level === 'error') log.error(message)
  else if (level === 'warning') log.warn(message)
  else log.debug(message)
})

function createPool({ DATABASE_URL }: Env) {
  const pool = new pg.Pool({
    connectionString: DATABASE_URL,
    // one for each job, one that listens, one for cron
    max: concurrency + 2,
    connectionTimeoutMillis: 2_000,
    application_name: 'platform worker',
  })
  pool.on('error', (error) => log.warn({ err: error }, 'database connection lost'))
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

async function start() {
  const config = env()
  await checkServices(config)
  const pgPool = createPool(config)
  const events: WorkerEvents = new EventEmitter()
  const life = await signOfLife(config.DATABASE_URL, events)
  const options: RunnerOptions = {
    pgPool,
    events,
    logger,
    concurrency,
    crontab,
    taskList: taskList as TaskList,
    noHandleSignals: true,
    // batched, the last completions would be lost by the stop
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
  }
  const runner = await run(options)
  log.info({ tasks: Object.keys(taskList).length }, 'working')
  process.send?.({ working: true })
  return {
    ended: runner.promise,
    async stop() {
      await runner.stop()
      await runner.promise
      await life.stop()
      await pgPool.end()
      await closeCache()
      await Promise.all([closeDatabase(), closeRedis()])
    },
  }
}

const running = start()
let stopping = false

async function stop(cause: string) {
  if (stopping) return
  stopping = true
  log.info({ cause }, 'stopping')
  setTimeout(() => {
    log.warn('jobs cut by the stop')
    process.exit(0)
  }, drainLimit).unref()
  await running.then((worker) => worker.stop()).catch((error) => log.warn({ err: error }, 'did not stop cleanly'))
  log.info('stopped')
  process.exit(0)
}

process.on('SIGTERM', () => void stop('SIGTERM'))
process.on('SIGINT', () => void stop('SIGINT'))
// whoever started us is gone
process.on('disconnect', () => void stop('left alone'))

running.then(({ ended }) => {
  ended.catch((error) => {
    if (stopping) return
    log.fatal({ err: error }, 'the worker can not go on')
    process.exit(1)
  })
}, failStart)
