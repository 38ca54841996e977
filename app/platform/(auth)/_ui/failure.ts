import type { FieldError } from '@/lib/kernel/errors'
import { CallError } from '@/lib/kernel/http/client'

/** Why a step failed, by what the person can do about it (docs/rules/sign-in.md#failures). */
export type Failure =
  /** `advice`: a code whose words say what to do. */
  | { kind: 'tech'; requestId: string | undefined; advice?: string }
  /** No answer came: the same form may be sent again. */
  | { kind: 'offline' }
  | { kind: 'expired' }
  /** `until`: when trying again makes sense, in milliseconds of the epoch; `far`: in more than an hour. */
  | { kind: 'wait'; until: number; far?: true }
  /** No more codes go out to this address; `until` as above, null if nobody knows. */
  | { kind: 'codeLimit'; until: number | null }
  /** Nothing to correct in the form; the code's words say what to do. */
  | { kind: 'refused'; code: string }
  /** Found before anything was sent. */
  | { kind: 'fields'; errorList: FieldError[] }
  | { kind: 'form'; errorList: FieldError[] }

/** Nothing in the form is wrong, and 403 is for terms alone (docs/rules/sign-in.md#steps). */
const refusals = new Set(['accountBlocked', 'deviceLimit'])

/** Sorts the error of a call; any other error counts as a technical one. */
export function failureOf(error: unknown, now = Date.now()): Failure {
  if (!(error instanceof CallError))
    return error instanceof Error && error.name === 'ChunkLoadError'
      ? { kind: 'offline' }
      : { kind: 'tech', requestId: undefined }
  const { status, code, data, errorList, requestId, retryAfter } = error
  // where the SMS gateway is away, there is another way to be named
  if (status === 0) return { kind: 'offline' }
  if (status >= 500 && code !== 'smsUnavailable') return { kind: 'tech', requestId }
  // the field of an expired code shows its own text: the attempt continues with a new code
  if (data.expired && code !== 'errorCodeExpired') return { kind: 'expired' }
  const until = retryAfter ? now + retryAfter * 1000 : null
  // a countdown of a whole day helps nobody: these name the hour
  if (code === 'codeDailyLimit') return { kind: 'codeLimit', until }
  if (status === 429 && until)
    return until - now > 3_600_000 ? { kind: 'wait', until, far: true } : { kind: 'wait', until }
  // the person did everything right, and there is no way on
  if (code === 'noFlows') return { kind: 'tech', requestId, advice: code }
  if (refusals.has(code)) return { kind: 'refused', code }
  if (status === 400) return { kind: 'form', errorList }
  return { kind: 'refused', code }
}
