import { AppError } from './errors'

/**
 * Returns a function that runs at most `limit()` pieces of work at once. Up to `maxWaiting` more wait in order; for any
 * further one it throws 503 with a time to try again.
 */
export function createConcurrencyLimit(limit: () => number, maxWaiting: number) {
  const queue: (() => void)[] = []
  let runningCount = 0
  const runLimited = async <T>(work: () => Promise<T>): Promise<T> => {
    if (runningCount >= limit()) {
      if (queue.length >= maxWaiting) throw new AppError(503, 'unavailable', {}, 5)
      // finished work hands its place to the next in the queue, so that no newcomer takes it
      await new Promise<void>((resolve) => queue.push(resolve))
    } else runningCount++
    try {
      return await work()
    } finally {
      const next = queue.shift()
      if (next) next()
      else runningCount--
    }
  }
  /** How many pieces run and wait now. */
  const load = () => ({ running: runningCount, waiting: queue.length })
  return Object.assign(runLimited, { load })
}
