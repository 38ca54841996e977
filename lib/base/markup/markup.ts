import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { createConcurrencyLimit } from '../runtime/concurrency-limit'
import { AppError } from '../runtime/errors'
import { log } from '../runtime/log'
import { countUp } from '../runtime/metrics'
import { isTooLarge } from './markup-limits'

type Format = 'md' | 'html'
/** The HTML of a text, or why there is none: it is too large, or needs too long. */
export type Drawn = { html: string } | { fault: 'large' | 'late' }

/** Milliseconds that a text may take to be drawn, and how long a thread may take to say how much it has worked. */
const [patience, answer] = [10_000, 1_000]
/** Milliseconds after which a thread without work ends. */
const idle = 30_000

const files = { production: 'dist/markup-thread.js', test: '.data/test-modules/bin/markup-thread.js' }
const fileOf = (mode: string | undefined) => files[mode as keyof typeof files] ?? 'bin/markup-thread.ts'

// as text, because the bundler of the pages would take the file of a thread for a part of them
const source = "import(require('node:worker_threads').workerData)"

function startThread() {
  const file = pathToFileURL(`${process.cwd()}/${fileOf(process.env.NODE_ENV)}`).href
  const thread = new Worker(source, { eval: true, workerData: file, resourceLimits: { maxOldGenerationSizeMb: 256 } })
  // neither keeps the process alive, nor ends it by an error that nobody handles
  thread.unref()
  thread.on('error', (error) => log.warn({ err: error }, 'a text could not be drawn'))
  return thread
}

type Outcome = 'drawn' | 'large' | 'memory' | 'failed' | 'late' | 'busy'
const count = (outcome: Outcome) => countUp('platform_drawings_total', { outcome })

const usageOf = (thread: Worker, since?: NodeJS.CpuUsage) => thread.cpuUsage(since).catch(() => undefined)

const within = <T>(work: Promise<T>): Promise<T | undefined> =>
  Promise.race([work, new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), answer).unref())])

/** Returns whether a thread had a processor for most of its time, so that the text is to blame, and not the machine. */
async function hasWorked(thread: Worker, since: Promise<NodeJS.CpuUsage | undefined>): Promise<boolean> {
  const used = usageOf(thread, await within(since))
  const { user = 0, system = 0 } = (await within(used)) ?? {}
  return (user + system) / 1000 > patience / 2
}

/** Draws texts one after another, in a thread that a text can't keep for long. */
function createDrawer() {
  const gate = createConcurrencyLimit(() => 1, 200)
  let thread: Worker | undefined
  let end: NodeJS.Timeout | undefined
  const stop = () => {
    void thread?.terminate()
    thread = undefined
  }
  const draw = (text: string, format: Format) =>
    new Promise<Drawn>((resolve, reject) => {
      clearTimeout(end)
      thread ??= startThread()
      const used = thread
      // one that isn't there yet has worked for nothing else
      const before = usageOf(used)
      let isOver = false
      const settle = (outcome: Outcome, html?: string) => {
        if (isOver) return
        isOver = true
        clearTimeout(late)
        used.off('message', answered).off('error', failed).off('exit', failed)
        if (outcome !== 'drawn' && outcome !== 'large') stop()
        end = setTimeout(stop, idle).unref()
        count(outcome)
        if (outcome === 'busy') reject(new AppError(503, 'unavailable', {}, 5))
        else resolve(html === undefined ? { fault: outcome === 'late' ? 'late' : 'large' } : { html })
      }
      const answered = (html: string | null) => (html === null ? settle('large') : settle('drawn', html))
      const failed = (error: unknown) =>
        settle((error as { code?: string } | null)?.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : 'failed')
      const late = setTimeout(async () => settle((await hasWorked(used, before)) ? 'late' : 'busy'), patience)
      used.on('message', answered).on('error', failed).on('exit', failed)
      used.postMessage({ text, format })
    })
  return async (text: string, format: Format): Promise<Drawn> => {
    if (!isTooLarge(text, format)) return gate(() => draw(text, format))
    count('large')
    return { fault: 'large' }
  }
}

// one for each process: bundles may contain several copies of this file
const shared = globalThis as typeof globalThis & { platformDrawer?: ReturnType<typeof createDrawer> }

/**
 * Returns the HTML of a text that somebody wrote, sanitized, for pages to show as it is, unless it would be too large or
 * needs longer than ten seconds (docs/rules/agreements.md#documents). Throws 503 when too many wait, or when the machine
 * is too busy to draw it in that time.
 */
export function drawMarkup(text: string, format: Format): Promise<Drawn> {
  shared.platformDrawer ??= createDrawer()
  return shared.platformDrawer(text, format)
}
