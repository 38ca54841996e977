/** Milliseconds between ticks. */
const tickMilliseconds = 50

type PendingTimeout = { since: number; enough: number; over: () => void }
type State = { waiting: Set<PendingTimeout>; now: number; last: number; timer: NodeJS.Timeout | undefined }

// one clock for each process: bundles may contain several copies of this file
const shared = globalThis as typeof globalThis & { platformPatience?: State }
shared.platformPatience ??= { waiting: new Set(), now: 0, last: 0, timer: undefined }
const state = shared.platformPatience

/**
 * Advances the clock by one tick at most, even after a long pause: while this process was busy it could not have read
 * an answer. An expired timeout fires after one more turn of the event loop, which reads the answers that have arrived
 * by then.
 */
function tick() {
  const now = performance.now()
  state.now += Math.min(now - state.last, tickMilliseconds)
  state.last = now
  for (const timeout of state.waiting) {
    if (state.now - timeout.since < timeout.enough) continue
    setImmediate(() => {
      if (state.waiting.delete(timeout)) timeout.over()
    })
  }
  stopIfIdle()
}

function stopIfIdle() {
  if (state.waiting.size > 0) return
  clearInterval(state.timer)
  state.timer = undefined
}

/**
 * Calls `over` after `milliseconds` in which this process could have read an answer. Returns the function that cancels
 * it. Timeouts of stores use this clock, so that a busy process does not count as a slow store.
 */
export function setResponsiveTimeout(milliseconds: number, over: () => void): () => void {
  if (!state.timer) {
    state.last = performance.now()
    state.timer = setInterval(tick, tickMilliseconds)
    state.timer.unref()
  }
  const timeout = { since: state.now, enough: milliseconds, over }
  state.waiting.add(timeout)
  return () => {
    state.waiting.delete(timeout)
  }
}

/**
 * Returns what the promise resolves to; rejects with the error that `timeoutError` returns after the timeout. The
 * promise itself goes on.
 */
export function withTimeout<T>(milliseconds: number, promise: Promise<T>, timeoutError: () => Error): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const cancelTimeout = setResponsiveTimeout(milliseconds, () => reject(timeoutError()))
    promise.then(resolve, reject).finally(cancelTimeout)
  })
}
