import { codeOfStatus } from '@/lib/kernel/error-codes'
import type { CallError } from '@/lib/kernel/http/client'

type Text = { code: string; params?: Record<string, string | number> }

const busy = new Set(['tooManyRequests', 'tooManyAttempts'])

/** Returns a wait in the largest unit that is no longer than it, rounded up. */
function waitOf(seconds: number) {
  if (seconds < 60) return { unit: 'seconds', count: Math.ceil(seconds) }
  return seconds < 3_600
    ? { unit: 'minutes', count: Math.ceil(seconds / 60) }
    : { unit: 'hours', count: Math.ceil(seconds / 3_600) }
}

/**
 * Returns which text says why a call failed and what to do: that of its code, or that of its status if the code has no
 * text. An answer without a code is one of a proxy.
 */
export function failureText({ status, code, requestId, retryAfter }: CallError, has: (code: string) => boolean): Text {
  if (status === 0) return { code: 'offline' }
  if (retryAfter && busy.has(code)) return { code: 'tooManyRequestsIn', params: waitOf(retryAfter) }
  const known = has(code) && code !== 'techError' ? code : codeOfStatus(status)
  return known === 'errorUnknown' && requestId ? { code: 'errorServer', params: { id: requestId } } : { code: known }
}
