import { codeOfStatus } from '@/lib/kernel/error-codes'
import { CallError } from '@/lib/kernel/http/client'
import type { Words } from '@/lib/kernel/i18n/words'
import { limitEnd } from './limit-end'

type Text = { code: string; params?: Record<string, string | number | Date> }

/**
 * Returns which text says why a call failed and what to do: that of its code, or that of its status if the code has no
 * text. That of a limit names its end. An answer without a code is one of a proxy.
 */
export function failureText(
  { status, code, requestId, retryAfter }: CallError,
  has: (code: string) => boolean,
  now = Date.now(),
): Text {
  if (status === 0) return { code: 'offline' }
  if (retryAfter) {
    const params = { until: limitEnd(now + retryAfter * 1000) }
    if (has(`${code}Until`)) return { code: `${code}Until`, params }
    if (/^tooMany(Requests|Attempts)$/.test(code))
      return retryAfter < 60
        ? { code: 'tooManyRequestsIn', params: { count: Math.ceil(retryAfter) } }
        : { code: 'tooManyRequestsUntil', params }
  }
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
