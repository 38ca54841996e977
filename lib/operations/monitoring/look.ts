import { AddressBlocked } from '@/lib/base/http/external-fetch'
import { type Check, CheckFault } from '@/lib/base/runtime/monitoring'
import { withTimeout } from '@/lib/base/runtime/timeouts'

/** Milliseconds for one look. The clock of `withTimeout` doesn't count time in which this process was busy. */
const patience = 5_000

/** What one look found: the milliseconds of the answer, or a short word for what is wrong. */
export type Found = { check: Check; at: Date; ms: number; stuck: number; connected: boolean; error: string | null }

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

function toldBy(answer: unknown): Pick<Found, 'stuck' | 'connected'> {
  const { stuck, connected } = (answer ?? {}) as { stuck?: unknown; connected?: unknown }
  return { stuck: typeof stuck === 'number' ? stuck : 0, connected: connected !== false }
}

/** Looks once, and returns what it found. Never throws. */
async function look(check: Check): Promise<Found> {
  const at = new Date()
  const begun = performance.now()
  const giveUp = new AbortController()
  const found = { check, at, stuck: 0, connected: true, error: null }
  try {
    const work = (async () => check.look(giveUp.signal))()
    const answer = await withTimeout(patience, work, () => new CheckFault('timeout'))
    return { ...found, ms: performance.now() - begun, ...toldBy(answer) }
  } catch (error) {
    return { ...found, ms: performance.now() - begun, error: faultWord(error) }
  } finally {
    giveUp.abort()
  }
}

/** Looks at everything, a few at once, so that hanging ones don't delay each other and sockets stay few. */
export async function lookAtAll(checks: readonly Check[], width = 8): Promise<Found[]> {
  const found: Found[] = []
  const waiting = [...checks]
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) found.push(await look(next))
  }
  await Promise.all(Array.from({ length: width }, worker))
  return found
}
