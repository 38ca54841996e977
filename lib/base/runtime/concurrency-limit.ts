import { AppError } from './errors'

/**
 * Creates a gate that runs at most `width()` pieces of work at once and lets `patience` more wait in order. Beyond that
 * it throws 503 with a time to try again.
 */
export function createConcurrencyLimit(width: () => number, patience: number) {
  const waiting: (() => void)[] = []
  let inside = 0
  const through = async <T>(work: () => Promise<T>): Promise<T> => {
    if (inside >= width()) {
      if (waiting.length >= patience) throw new AppError(503, 'unavailable', {}, 5)
      // a finished piece hands its place to the next one, so that no newcomer takes it
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else inside++
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else inside--
    }
  }
  /** How many pieces run and wait now. */
  const load = () => ({ running: inside, waiting: waiting.length })
  return Object.assign(through, { load })
}
