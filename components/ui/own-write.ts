let running = 0
let endedAt = Number.NEGATIVE_INFINITY

/** Notes that this page writes and will refresh itself. Call the returned function after the write. */
export function beginOwnWrite(): () => void {
  running += 1
  return () => {
    running -= 1
    endedAt = performance.now()
  }
}

/** Returns the milliseconds since the last such write; 0 during one. */
export const sinceOwnWrite = (): number => (running > 0 ? 0 : performance.now() - endedAt)
