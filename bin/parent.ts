/**
 * Calls back when npm has ended, which started this process through a shell. A signal that ends npm also ends that
 * shell, but doesn't reach this process.
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
