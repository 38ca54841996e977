let running = 0
let over = Number.NEGATIVE_INFINITY

/** Notes that this page writes, and refreshes itself then. Call the returned function once it has. */
export function beginOwnWrite(): () => void {
  running += 1
  return () => {
    running -= 1
    over = performance.now()
  }
}

/** Returns the milliseconds since the last such write; 0 while one is running. */
export const sinceOwnWrite = (): number => (running > 0 ? 0 : performance.now() - over)
