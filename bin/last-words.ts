import { AsyncLocalStorage } from 'node:async_hooks'
import { isError } from '@/lib/base/runtime/error-record'
import { log } from '@/lib/base/runtime/log'

/** The current request, and the callback for each error that is printed during it. */
type Scene = { requestId: string; printed(error: unknown): void }

const scene = new AsyncLocalStorage<Scene>()

/** Runs the handler of a request. Console output gets the request's id, and `printed` gets its errors. */
export const during = <T>(what: Scene, work: () => T): T => scene.run(what, work)

type Level = 'error' | 'warn' | 'info' | 'debug'
const levels: Record<string, Level> = {
  error: 'error',
  warn: 'warn',
  info: 'info',
  log: 'info',
  debug: 'debug',
  trace: 'debug',
}

/**
 * Sends console output of libraries through the log, which removes secrets. Next prints the errors of pages with all
 * their fields; for a failed query these include its parameters.
 */
export function captureConsole() {
  for (const [method, level] of Object.entries(levels))
    Object.assign(console, {
      [method](...parts: unknown[]) {
        const here = scene.getStore()
        const error = parts.find(isError)
        if (error) here?.printed(error)
        const text = parts
          .filter((part) => typeof part === 'string')
          .join(' ')
          .trim()
        log[level](
          { ...(error ? { err: error } : {}), ...(here ? { requestId: here.requestId } : {}) },
          text || 'printed',
        )
      },
    })
}

/**
 * A process that crashes writes the error to the log. Node itself would print the error with all its fields. In a
 * process that runs Next, Next catches uncaught errors, prints them and continues.
 */
export function captureCrashes() {
  for (const event of ['uncaughtException', 'unhandledRejection'])
    process.on(event, (error: unknown) => {
      if (process.listenerCount(event) > 1) return
      log.fatal({ err: error }, 'the process can not go on')
      process.exit(1)
    })
}
