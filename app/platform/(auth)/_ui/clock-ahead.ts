/**
 * Returns by how many milliseconds this machine's clock is ahead of the server's. A difference that a slow network
 * explains is 0.
 */
export function clockAhead(now: number) {
  const ahead = Date.now() - now
  return Math.abs(ahead) < 60_000 ? 0 : ahead
}
