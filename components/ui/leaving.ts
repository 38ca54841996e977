/** A guard against losing unsaved input. */
export type Guard = {
  /** Asks the person, and runs `go` if they agree to leave. */
  ask: (go: () => void) => void
  /** Whether the person has agreed to leave, so that this guard asks no more. */
  allowed: boolean
}

const guards = new Set<Guard>()

/** Registers `guard`, which asks before the page is left. Call the returned function to remove it. */
export function standGuard(guard: Guard): () => void {
  guards.add(guard)
  return () => void guards.delete(guard)
}

/** Returns whether this page has unsaved input. */
export const hasUnsaved = (): boolean => [...guards].some(({ allowed }) => !allowed)

/** Runs `go`, which leaves the page: at once, or after the person agreed to lose unsaved input. */
export function leaveThen(go: () => void) {
  const guard = [...guards].find(({ allowed }) => !allowed)
  if (!guard) return go()
  guard.ask(() => {
    for (const each of guards) each.allowed = true
    go()
  })
}

/** Runs `go`, which leaves the page at once, without asking about unsaved input. */
export function leaveNow(go: () => void) {
  for (const each of guards) each.allowed = true
  go()
}

let signingOut = false

/** Whether this page is signing out itself; then no event redirects it. */
export const isSigningOut = () => signingOut
export const markSigningOut = (on: boolean) => {
  signingOut = on
}
