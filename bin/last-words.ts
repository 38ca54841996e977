import { AsyncLocalStorage } from 'node:async_hooks'
import { isError } from '@/lib/kernel/error-record'
import { log } from '@/lib/kernel/log'

/** What is being answered, and what is told of each error that is printed meanwhile. */
type Scene = { requestId: string; printed(error: unknown): void }

const scene = new AsyncLocalStorage<Scene>()

/** Runs what answers a request: what it prints to the console carries the request's id, and `printed` hears of its errors. */
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
 * Sends what libraries print to the console through the log, which knows what must not be told. Next prints the
 * errors of pages, with all that hangs on them; for a failed query that is its parameters.
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
 * A process that fails says why through the log, not by Node, which prints an error with all that hangs on it. Where
 * Next serves it is Next that hears of what nobody caught, prints it and goes on.
 */
export function captureCrashes() {
  for (const event of ['uncaughtException', 'unhandledRejection'])
    process.on(event, (error: unknown) => {
      if (process.listenerCount(event) > 1) return
      log.fatal({ err: error }, 'the process can not go on')
      process.exit(1)
    })
}
