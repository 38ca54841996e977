/**
 * Runs `work` when the browser is idle, or after a second at most. Returns a function that cancels it. It uses nothing
 * from outside itself, because the pre-hydration script contains it too.
 */
export function whenIdle(work: () => void): () => void {
  // Safari has no idle callbacks
  if (!window.requestIdleCallback) {
    const timer = setTimeout(work, 300)
    return () => clearTimeout(timer)
  }
  const callback = requestIdleCallback(work, { timeout: 1_000 })
  return () => cancelIdleCallback(callback)
}
