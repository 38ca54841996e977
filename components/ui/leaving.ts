/** What stands between a person and the loss of what they typed. */
export type Guard = {
  /** Asks, and runs `go` if the answer is to leave. */
  ask: (go: () => void) => void
  /** The answer was to leave: nobody asks again while the page goes. */
  allowed: boolean
}

const guards = new Set<Guard>()

/** Has `guard` asked before the page is left, until the returned function is called. */
export function standGuard(guard: Guard): () => void {
  guards.add(guard)
  return () => void guards.delete(guard)
}

/** Runs `go`, which leaves the page: at once, or after the person agreed to lose what a form of it holds. */
export function leaveThen(go: () => void) {
  const guard = [...guards].find(({ allowed }) => !allowed)
  if (!guard) return go()
  guard.ask(() => {
    for (const each of guards) each.allowed = true
    go()
  })
}

let signingOut = false

/** Whether this page is itself signing out: then nobody else tells it where to go. */
export const isSigningOut = () => signingOut
export const markSigningOut = (on: boolean) => {
  signingOut = on
}
