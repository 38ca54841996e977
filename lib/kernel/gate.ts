import { AppError } from './errors'

/**
 * Makes a gate that lets `width()` pieces of work through at once and `patience` wait in order. Beyond that it
 * throws 503 with a time to try again.
 */
export function createGate(width: () => number, patience: number) {
  const waiting: (() => void)[] = []
  let inside = 0
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (inside >= width()) {
      if (waiting.length >= patience) throw new AppError(503, 'unavailable', {}, 5)
      // whoever leaves hands its place over, so that nobody slips in between
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
}
