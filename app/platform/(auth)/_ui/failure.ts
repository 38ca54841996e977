import type { FieldError } from '@/lib/base/runtime/errors'
import type { Outcome } from '@/lib/request/forms/outcome'

/** Why a step failed, sorted by what the person can do about it (docs/rules/sign-in.md#failures). */
export type Failure =
  /** `advice`: the code of a text that explains what to do. */
  | { kind: 'tech'; requestId: string | undefined; advice?: string }
  | { kind: 'expired' }
  /** `until`: when the person may try again, in milliseconds since the epoch; `far`: in more than an hour. */
  | { kind: 'wait'; code: string; until: number; far?: true }
  /** No more codes are sent to this address. `until` as above, null if unknown. */
  | { kind: 'codeLimit'; until: number | null }
  /** The form has no wrong field; the text of the code explains what to do. */
  | { kind: 'refused'; code: string }
  /** At least one fault, each of a field. */
  | { kind: 'form'; errorList: FieldError[] }

/**
 * These failures aren't about a field of the form. A 403 means that agreements are missing
 * (docs/rules/sign-in.md#steps).
 */
const refusals = new Set(['accountBlocked', 'deviceLimit', 'formExpired'])

/** Sorts how a form has failed. */
export function failureOf(
  { status, code, data, requestId, until }: Pick<Outcome, 'status' | 'code' | 'data' | 'requestId' | 'until'>,
  now = Date.now(),
): Failure {
  // smsUnavailable is no technical failure: the person can use another identifier
  if (status >= 500 && code !== 'smsUnavailable') return { kind: 'tech', requestId }
  // the field shows the text of an expired code, and the attempt continues with a new code
  if (data.expired && code !== 'errorCodeExpired') return { kind: 'expired' }
  const end = until && until > now ? until : null
  // a countdown of a day is useless: these texts name the hour
  if (code === 'codeDailyLimit') return { kind: 'codeLimit', until: end }
  if (status === 429 && end) return { kind: 'wait', code, until: end, ...(end - now > 3_600_000 && { far: true }) }
  // the person made no mistake and can't continue
  if (code === 'noFlows') return { kind: 'tech', requestId, advice: code }
  const errorList = (data.errorList ?? []) as FieldError[]
  if (status === 400 && errorList.length > 0 && !refusals.has(code)) return { kind: 'form', errorList }
  return { kind: 'refused', code }
}
