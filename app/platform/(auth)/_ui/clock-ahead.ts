/** By how much this machine's clock is ahead of the server's; what a slow network explains counts as nothing. */
export function clockAhead(now: number) {
  const ahead = Date.now() - now
  return Math.abs(ahead) < 60_000 ? 0 : ahead
}
