import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { createGate } from './gate'
import { log } from './log'

type Format = 'md' | 'html'

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
    new Promise<string | null>((resolve) => {
      clearTimeout(end)
      thread ??= startThread()
      const used = thread
      const settle = (html: string | null, well: boolean) => {
        clearTimeout(late)
        used.off('message', answered).off('error', failed).off('exit', failed)
        if (!well) stop()
        end = setTimeout(stop, idle).unref()
        resolve(html)
      }
      const answered = (html: string | null) => settle(html, true)
      const failed = () => settle(null, false)
      const late = setTimeout(failed, patience)
      used.on('message', answered).on('error', failed).on('exit', failed)
      used.postMessage({ text, format })
    })
  return (text: string, format: Format) => gate(() => draw(text, format))
}

// one for each process: bundles may contain several copies of this file
const shared = globalThis as typeof globalThis & { platformDrawer?: ReturnType<typeof createDrawer> }

/**
 * Returns the HTML of a text that somebody wrote, sanitized, for pages to show as it is; null for one that would be too
 * large, or takes longer than ten seconds (docs/rules/agreements.md#documents). Throws 503 when too many wait.
 */
export function drawMarkup(text: string, format: Format): Promise<string | null> {
  shared.platformDrawer ??= createDrawer()
  return shared.platformDrawer(text, format)
}
