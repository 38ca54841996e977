import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { createGate } from './gate'
import { log } from './log'

type Format = 'md' | 'html'
/** The HTML of a text, or why there is none: it is too large, or wasn't drawn in time. */
export type Drawn = { html: string } | { fault: 'large' | 'late' }

/** Milliseconds that a text may take to be drawn. */
const patience = 10_000
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

/** Draws texts one after another, in a thread that a text can't keep for long. */
function createDrawer() {
  const gate = createGate(() => 1, 200)
  let thread: Worker | undefined
  let end: NodeJS.Timeout | undefined
  const stop = () => {
    void thread?.terminate()
    thread = undefined
  }
  const draw = (text: string, format: Format) =>
    new Promise<Drawn>((resolve) => {
      clearTimeout(end)
      thread ??= startThread()
      const used = thread
      const settle = (drawn: Drawn) => {
        clearTimeout(late)
        used.off('message', answered).off('error', failed).off('exit', failed)
        end = setTimeout(stop, idle).unref()
        resolve(drawn)
      }
      const answered = (html: string | null) => settle(html === null ? { fault: 'large' } : { html })
      const failed = () => {
        stop()
        settle({ fault: 'large' })
      }
      const late = setTimeout(() => {
        stop()
        settle({ fault: 'late' })
      }, patience)
      used.on('message', answered).on('error', failed).on('exit', failed)
      used.postMessage({ text, format })
    })
  return (text: string, format: Format) => gate(() => draw(text, format))
}

// one for each process: bundles may contain several copies of this file
const shared = globalThis as typeof globalThis & { platformDrawer?: ReturnType<typeof createDrawer> }

/**
 * Returns the HTML of a text that somebody wrote, sanitized, for pages to show as it is, unless it would be too large or
 * takes longer than ten seconds (docs/rules/agreements.md#documents). Throws 503 when too many wait.
 */
export function drawMarkup(text: string, format: Format): Promise<Drawn> {
  shared.platformDrawer ??= createDrawer()
  return shared.platformDrawer(text, format)
}
