import { codeOfStatus } from '@/lib/kernel/error-codes'
import { CallError } from '@/lib/kernel/http/client'
import type { Words } from '@/lib/kernel/i18n/words'

type Text = { code: string; params?: Record<string, string | number> }

/** Returns a wait in the largest unit that is no longer than it, rounded up. */
function waitOf(seconds: number) {
  const [unit, length] = seconds < 60 ? ['seconds', 1] : seconds < 3_600 ? ['minutes', 60] : ['hours', 3_600]
  return { unit, count: Math.ceil(seconds / length) }
}

/**
 * Returns which text says why a call failed and what to do: that of its code, or that of its status if the code has no
 * text. An answer without a code is one of a proxy.
 */
export function failureText({ status, code, requestId, retryAfter }: CallError, has: (code: string) => boolean): Text {
  if (status === 0) return { code: 'offline' }
  if (retryAfter && /^tooMany(Requests|Attempts)$/.test(code))
    return { code: 'tooManyRequestsIn', params: waitOf(retryAfter) }
  const known = has(code) && code !== 'techError' ? code : codeOfStatus(status)
  return known === 'errorUnknown' && requestId ? { code: 'errorServer', params: { id: requestId } } : { code: known }
}

/** Returns the text of what a call threw, or of its first fault, from the texts of errors. */
export function textOfFailure(t: Words, thrown: unknown): string {
  const error = thrown instanceof CallError ? thrown : new CallError(0, 'techError', {}, undefined, undefined)
  const [fault] = error.errorList
  const { code, params } = fault && t.has(fault.code) ? fault : failureText(error, (known) => t.has(known))
  return t(code, params)
}
