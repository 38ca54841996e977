/** Milliseconds between ticks. */
const beat = 50

type Waiting = { since: number; enough: number; over: () => void }
type State = { waiting: Set<Waiting>; now: number; last: number; timer: NodeJS.Timeout | undefined }

// one clock for each process: bundles may contain several copies of this file
const shared = globalThis as typeof globalThis & { platformPatience?: State }
shared.platformPatience ??= { waiting: new Set(), now: 0, last: 0, timer: undefined }
const state = shared.platformPatience

/**
 * Advances the clock by one beat at most, even after a long pause: while this process was busy it could not have read
 * an answer. An expired wait ends after one more turn of the event loop, which reads answers that have arrived
 * meanwhile.
 */
function tick() {
  const at = performance.now()
  state.now += Math.min(at - state.last, beat)
  state.last = at
  for (const each of state.waiting) {
    if (state.now - each.since < each.enough) continue
    setImmediate(() => {
      if (state.waiting.delete(each)) each.over()
    })
  }
  rest()
}

function rest() {
  if (state.waiting.size > 0) return
  clearInterval(state.timer)
  state.timer = undefined
}

/**
 * Calls `over` after so many milliseconds in which this process could have read an answer. Returns the function that
 * cancels it. Timeouts of stores use this clock, so that a busy process does not count as a slow store.
 */
export function setResponsiveTimeout(milliseconds: number, over: () => void): () => void {
  if (!state.timer) {
    state.last = performance.now()
    state.timer = setInterval(tick, beat)
    state.timer.unref()
  }
  const each = { since: state.now, enough: milliseconds, over }
  state.waiting.add(each)
  return () => {
    state.waiting.delete(each)
  }
}

/**
 * Returns what the promise resolves to; rejects with what `late` returns after the timeout. The promise itself goes on.
 */
export function withTimeout<T>(milliseconds: number, promise: Promise<T>, late: () => Error): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const done = setResponsiveTimeout(milliseconds, () => reject(late()))
    promise.then(resolve, reject).finally(done)
  })
}
