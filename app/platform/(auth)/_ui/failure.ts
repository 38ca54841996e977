import { CallError } from '@/lib/base/http/client'
import type { FieldError } from '@/lib/base/runtime/errors'

/** Why a step failed, sorted by what the person can do about it (docs/rules/sign-in.md#failures). */
export type Failure =
  /** `advice`: the code of a text that explains what to do. */
  | { kind: 'tech'; requestId: string | undefined; advice?: string }
  /** No answer came; the person may submit the same form again. */
  | { kind: 'offline' }
  | { kind: 'expired' }
  /** `until`: when the person may try again, in milliseconds since the epoch; `far`: in more than an hour. */
  | { kind: 'wait'; code: string; until: number; far?: true }
  /** No more codes are sent to this address. `until` as above, null if unknown. */
  | { kind: 'codeLimit'; until: number | null }
  /** The form has no wrong field; the text of the code explains what to do. */
  | { kind: 'refused'; code: string }
  /** The browser found the fault before it sent anything. */
  | { kind: 'fields'; errorList: FieldError[] }
  | { kind: 'form'; errorList: FieldError[] }

/**
 * These failures aren't about a field of the form. A 403 means that agreements are missing
 * (docs/rules/sign-in.md#steps).
 */
const refusals = new Set(['accountBlocked', 'deviceLimit', 'formExpired'])

/** Sorts the error of a call. Any unknown error becomes a technical one. */
export function failureOf(error: unknown, now = Date.now()): Failure {
  if (!(error instanceof CallError))
    return error instanceof Error && error.name === 'ChunkLoadError'
      ? { kind: 'offline' }
      : { kind: 'tech', requestId: undefined }
  const { status, code, data, errorList, requestId, retryAfter } = error
  // smsUnavailable is no technical failure: the person can use another identifier
  if (status === 0) return { kind: 'offline' }
  if (status >= 500 && code !== 'smsUnavailable') return { kind: 'tech', requestId }
  // the field shows the text of an expired code, and the attempt continues with a new code
  if (data.expired && code !== 'errorCodeExpired') return { kind: 'expired' }
  const until = retryAfter ? now + retryAfter * 1000 : null
  // a countdown of a day is useless: these texts name the hour
  if (code === 'codeDailyLimit') return { kind: 'codeLimit', until }
  if (status === 429 && until)
    return until - now > 3_600_000 ? { kind: 'wait', code, until, far: true } : { kind: 'wait', code, until }
  // the person made no mistake and can't continue
  if (code === 'noFlows') return { kind: 'tech', requestId, advice: code }
  if (refusals.has(code)) return { kind: 'refused', code }
  if (status === 400) return { kind: 'form', errorList }
  return { kind: 'refused', code }
}
