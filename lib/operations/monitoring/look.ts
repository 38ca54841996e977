import { AddressBlocked } from '@/lib/base/http/external-fetch'
import { type Check, CheckFault } from '@/lib/base/runtime/monitoring'
import { withTimeout } from '@/lib/base/runtime/timeouts'

/**
 * The timeout of one check in milliseconds. The clock of `withTimeout` doesn't count time in which this process was
 * busy.
 */
const timeout = 5_000

/** The result of one check: the milliseconds of the answer, or a short word for the fault. */
export type CheckResult = {
  check: Check
  at: Date
  ms: number
  stuck: number
  connected: boolean
  error: string | null
}

/** Returns a short word for a failure: messages of errors may contain addresses and secrets. */
export function faultWord(error: unknown): string {
  if (error instanceof CheckFault) return error.message
  if (error instanceof AddressBlocked) return 'addressBlocked'
  const { code, name, cause } = (error ?? {}) as { code?: unknown; name?: unknown; cause?: unknown }
  if (typeof code === 'string' && /^[\w-]{1,64}$/.test(code)) return code
  if (name === 'TimeoutError' || name === 'AbortError') return 'timeout'
  if (cause) return faultWord(cause)
  return 'failed'
}

function valuesOf(answer: unknown): Pick<CheckResult, 'stuck' | 'connected'> {
  const { stuck, connected } = (answer ?? {}) as { stuck?: unknown; connected?: unknown }
  return { stuck: typeof stuck === 'number' ? stuck : 0, connected: connected !== false }
}

/** Runs a check once, and returns its result. Never throws. */
async function runCheck(check: Check): Promise<CheckResult> {
  const at = new Date()
  const startedAt = performance.now()
  const controller = new AbortController()
  const result = { check, at, stuck: 0, connected: true, error: null }
  try {
    const work = (async () => check.look(controller.signal))()
    const answer = await withTimeout(timeout, work, () => new CheckFault('timeout'))
    return { ...result, ms: performance.now() - startedAt, ...valuesOf(answer) }
  } catch (error) {
    return { ...result, ms: performance.now() - startedAt, error: faultWord(error) }
  } finally {
    controller.abort()
  }
}

/** Runs all checks, a few at a time, so that hanging ones don't delay the others and few sockets are open. */
export async function runChecks(checks: readonly Check[], parallel = 8): Promise<CheckResult[]> {
  const results: CheckResult[] = []
  const pending = [...checks]
  const worker = async () => {
    for (let check = pending.shift(); check; check = pending.shift()) results.push(await runCheck(check))
  }
  await Promise.all(Array.from({ length: parallel }, worker))
  return results
}
