/** Milliseconds between looks at who waits. */
const beat = 50

type Waiting = { since: number; enough: number; over: () => void }
type State = { waiting: Set<Waiting>; now: number; last: number; timer: NodeJS.Timeout | undefined }

// one clock a process, however often this file is bundled
const shared = globalThis as typeof globalThis & { platformPatience?: State }
shared.platformPatience ??= { waiting: new Set(), now: 0, last: 0, timer: undefined }
const state = shared.platformPatience

/**
 * One beat of the clock counts one beat, however late it comes: what this process was busy for, it could not have
 * read an answer in. Whoever has waited long enough is told after one more look at what has arrived meanwhile.
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
 * Calls `over` after so many milliseconds in which this process could have read an answer, unless the returned
 * function was called before. A store is judged by this clock alone: no time that we ourselves were busy is its own.
 */
export function patiently(milliseconds: number, over: () => void): () => void {
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

/** What the promise gives, or what `late` makes once patience is over. The promise itself goes on. */
export function within<T>(milliseconds: number, promise: Promise<T>, late: () => Error): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const done = patiently(milliseconds, () => reject(late()))
    promise.then(resolve, reject).finally(done)
  })
}
