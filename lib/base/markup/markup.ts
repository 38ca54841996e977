import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { createConcurrencyLimit } from '../runtime/concurrency-limit'
import { AppError } from '../runtime/errors'
import { log } from '../runtime/log'
import { countUp } from '../runtime/metrics'
import { isTooLarge } from './markup-limits'

type Format = 'md' | 'html'
/** The HTML of a text, or the reason why there is none: it is too large, or takes too long. */
export type DrawnMarkup = { html: string } | { fault: 'large' | 'late' }

/** Milliseconds for drawing a text, and for a thread's answer about its processor time. */
const [drawTimeout, usageTimeout] = [10_000, 1_000]
/** Milliseconds after which a thread without work ends. */
const idleMilliseconds = 30_000

const files = { production: 'dist/markup-thread.js', test: '.data/test-modules/bin/markup-thread.js' }
const fileOf = (mode: string | undefined) => files[mode as keyof typeof files] ?? 'bin/markup-thread.ts'

// as text, because the bundler of the pages would include the file of the thread
const source = "import(require('node:worker_threads').workerData)"

function startThread() {
  const file = pathToFileURL(`${process.cwd()}/${fileOf(process.env.NODE_ENV)}`).href
  const thread = new Worker(source, { eval: true, workerData: file, resourceLimits: { maxOldGenerationSizeMb: 256 } })
  // the thread must not keep the process alive, and an unhandled error of it must not end the process
  thread.unref()
  thread.on('error', (error) => log.warn({ err: error }, 'a text could not be drawn'))
  return thread
}

type Outcome = 'drawn' | 'large' | 'memory' | 'failed' | 'late' | 'busy'
const count = (outcome: Outcome) => countUp('platform_drawings_total', { outcome })

const usageOf = (thread: Worker, since?: NodeJS.CpuUsage) => thread.cpuUsage(since).catch(() => undefined)

const unlessLate = <T>(work: Promise<T>): Promise<T | undefined> =>
  Promise.race([work, new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), usageTimeout).unref())])

/** Returns whether a thread had a processor for most of the time, so that the text and not the machine is too slow. */
async function hasWorked(thread: Worker, since: Promise<NodeJS.CpuUsage | undefined>): Promise<boolean> {
  const usage = usageOf(thread, await unlessLate(since))
  const { user = 0, system = 0 } = (await unlessLate(usage)) ?? {}
  return (user + system) / 1000 > drawTimeout / 2
}

/** Returns a function that draws texts one after another in a thread, which is terminated if a text takes too long. */
function createDrawer() {
  const runLimited = createConcurrencyLimit(() => 1, 200)
  let thread: Worker | undefined
  let stopTimer: NodeJS.Timeout | undefined
  const stop = () => {
    void thread?.terminate()
    thread = undefined
  }
  const draw = (text: string, format: Format) =>
    new Promise<DrawnMarkup>((resolve, reject) => {
      clearTimeout(stopTimer)
      thread ??= startThread()
      const usedThread = thread
      // a thread that has just been started hasn't used any processor time before
      const usageBefore = usageOf(usedThread)
      let isSettled = false
      const settle = (outcome: Outcome, html?: string) => {
        if (isSettled) return
        isSettled = true
        clearTimeout(timeoutTimer)
        usedThread.off('message', onMessage).off('error', onFailure).off('exit', onFailure)
        if (outcome !== 'drawn' && outcome !== 'large') stop()
        stopTimer = setTimeout(stop, idleMilliseconds).unref()
        count(outcome)
        if (outcome === 'busy') reject(new AppError(503, 'unavailable', {}, 5))
        else resolve(html === undefined ? { fault: outcome === 'late' ? 'late' : 'large' } : { html })
      }
      const onMessage = (html: string | null) => (html === null ? settle('large') : settle('drawn', html))
      const onFailure = (error: unknown) =>
        settle((error as { code?: string } | null)?.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : 'failed')
      const timeoutTimer = setTimeout(
        async () => settle((await hasWorked(usedThread, usageBefore)) ? 'late' : 'busy'),
        drawTimeout,
      )
      usedThread.on('message', onMessage).on('error', onFailure).on('exit', onFailure)
      usedThread.postMessage({ text, format })
    })
  return async (text: string, format: Format): Promise<DrawnMarkup> => {
    if (!isTooLarge(text, format)) return runLimited(() => draw(text, format))
    count('large')
    return { fault: 'large' }
  }
}

// one for each process: bundles may contain several copies of this file
const shared = globalThis as typeof globalThis & { platformDrawer?: ReturnType<typeof createDrawer> }

/**
 * Returns the sanitized HTML of a text that somebody wrote, which pages show as it is, or a fault if the HTML is too
 * large or takes longer than ten seconds (docs/rules/agreements.md#documents). Throws 503 if too many texts wait, or if
 * the machine is too busy to draw it in that time.
 */
export function drawMarkup(text: string, format: Format): Promise<DrawnMarkup> {
  shared.platformDrawer ??= createDrawer()
  return shared.platformDrawer(text, format)
}
