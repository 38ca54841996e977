/**
 * Runs `work` when the browser has nothing else to do, or after a second at most. Returns what takes that back. It
 * stands alone: the early script has it too.
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
