import { EventEmitter } from 'node:events'
import { type Job, Logger, type RunnerOptions, run, type Task, type TaskList, type WorkerEvents } from 'graphile-worker'
import { allowLongStatements, closeDatabase } from '@/db/client'
import { closeCache } from '@/lib/base/cache/cache'
import { createFairShare, inOwnersTurn } from '@/lib/base/events/delivery/fair-share'
import { isDeliveryTask, isGroupTask } from '@/lib/base/events/delivery/store'
import { requestIdKey, spanKey } from '@/lib/base/jobs/jobs'
import { TimeoutPool } from '@/lib/base/postgres/pool'
import { closeRedis } from '@/lib/base/redis/redis'
import { type Env, env } from '@/lib/base/runtime/env'
import { errorRecord } from '@/lib/base/runtime/error-record'
import { log } from '@/lib/base/runtime/log'
import { withRequestId } from '@/lib/base/runtime/request-id'
import { inSpan } from '@/lib/base/runtime/tracing'
import { crontab } from '@/lib/wiring/tasks'
import { captureConsole, captureCrashes } from '../last-words'
import { noteSealing } from '../secrets/registry'
import { checkServices, failStart } from '../server/start-checks'
import { startTracing } from '../tracing'
import { serveWorker } from './serve'
import { signOfLife } from './sign-of-life'

/**
 * How many jobs run at once: those that people wait for; deliveries, whose receivers may all hang until the timeout; and
 * those to handlers of subscriber groups, whose receivers belong to others, and who share their slots (docs/rules/webhooks.md#turns).
 */
const concurrency = { jobs: 4, deliveries: 4, groups: 8 }
/**
 * Jobs that run longer than this at a stop are abandoned and run again at the next start, so each must tolerate that.
 */
const drainLimit = 9_000

/** The queue's log messages contain the text of each error and the job's payload: only safe parts are logged. */
const logger = new Logger(() => (level, message, meta) => {
  const { error, job } = (meta ?? {}) as { error?: unknown; job?: Job }
  const about = job ? { job: job.id, task: job.task_identifier, attempt: job.attempts } : {}
  const details = { ...about, ...(error ? { err: error } : {}) }
  // the message repeats the error
  const text = error ? (job ? 'a job failed' : 'the job queue failed') : message
  if (level === 'error') log.error(details, text)
  else if (level === 'warning') log.warn(details, text)
  else log.debug(details, text)
})

/** The queue stores the error of a failed job in the database, which may contain no more than the log. */
const safely =
  (name: string, task: Task): Task =>
  async (payload, helpers) => {
    const { [requestIdKey]: requestId, [spanKey]: span } = (payload ?? {}) as Record<string, unknown>
    const attributes = { 'messaging.message.id': helpers.job.id, 'platform.attempt': helpers.job.attempts }
    const parent = typeof span === 'string' ? span : 'none'
    const work = () => inSpan(name, { kind: 'consumer', attributes, parent }, async () => task(payload, helpers))
    try {
      return await (typeof requestId === 'string' ? withRequestId(requestId, work) : work())
    } catch (error) {
      const { type, message, code } = errorRecord(error)
      throw new Error(`${type}: ${message}${code ? ` (${code})` : ''}`, { cause: error })
    }
  }
const createPool = ({ DATABASE_URL }: Env) =>
  new TimeoutPool({
    connectionString: DATABASE_URL,
    // one for each job, one for each of the three worker pools, which listen, and one for cron
    max: concurrency.jobs + concurrency.deliveries + concurrency.groups + 4,
    application_name: 'platform worker',
  })

async function start(tasks: TaskList, isStopping: () => boolean) {
  const config = env()
  const endTracing = await startTracing(config, 'platform-worker')
  await checkServices(config)
  const forgetSealing = noteSealing()
  const pgPool = createPool(config)
  const events: WorkerEvents = new EventEmitter()
  const life = await signOfLife(config.DATABASE_URL, events)
  const options: RunnerOptions = {
    pgPool,
    events,
    logger,
    noHandleSignals: true,
    // a stop waits for the last completions only if they are batched
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
  }
  const all = Object.entries(tasks).map(([name, task]) => [name, safely(name, task as Task)] as const)
  const kindOf = (name: string) => (isGroupTask(name) ? 'groups' : isDeliveryTask(name) ? 'deliveries' : 'jobs')
  const tasksOf = (kind: keyof typeof concurrency) => Object.fromEntries(all.filter(([name]) => kindOf(name) === kind))
  const runners = [await run({ ...options, concurrency: concurrency.jobs, crontab, taskList: tasksOf('jobs') })]
  const deliveries = tasksOf('deliveries')
  if (Object.keys(deliveries).length > 0)
    runners.push(
      await run({ ...options, concurrency: concurrency.deliveries, parsedCronItems: [], taskList: deliveries }),
    )
  const groups = Object.entries(tasksOf('groups'))
  if (groups.length > 0) {
    const slots = createFairShare(concurrency.groups)
    const taskList = Object.fromEntries(groups.map(([name, task]) => [name, inOwnersTurn(slots, task)]))
    const some = { concurrency: concurrency.groups, forbiddenFlags: slots.waiting, parsedCronItems: [], taskList }
    runners.push(await run({ ...options, ...some }))
  }
  const ended = Promise.all(runners.map(({ promise }) => promise))
  const endServing = serveWorker(config, isStopping)
  log.info({ tasks: Object.keys(tasks).length }, 'working')
  process.send?.({ working: true })
  return {
    ended,
    async stop() {
      await Promise.all(runners.map((runner) => runner.stop()))
      await ended
      await life.stop()
      endServing()
      forgetSealing()
      await pgPool.end()
      await closeCache()
      await Promise.all([closeDatabase(), closeRedis(), endTracing()])
    },
  }
}

/**
 * Makes this process a worker that runs these tasks until it gets a signal to stop. Then it ends the process, also if it
 * can't start.
 */
export function runWorker(tasks: TaskList): void {
  allowLongStatements()
  captureConsole()
  captureCrashes()
  let stopping = false
  const running = start(tasks, () => stopping)

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
  // the process that started this one has ended
  process.on('disconnect', () => void stop('left alone'))

  running.then(({ ended }) => {
    ended.catch((error) => {
      if (stopping) return
      log.fatal({ err: error }, 'the worker can not go on')
      process.exit(1)
    })
  }, failStart)
}
