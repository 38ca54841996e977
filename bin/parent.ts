/**
 * Calls back when npm, which started this process through a shell, has ended: a signal that ends npm ends that shell,
 * but doesn't reach this process.
 */
export function whenNpmIsGone(stop: () => void) {
  if (!process.env.npm_lifecycle_event) return
  const shell = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === shell) return
    clearInterval(timer)
    stop()
  }, 500)
  timer.unref()
}
